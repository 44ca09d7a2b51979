import type { ScreenProps } from '../app/screen';
import type { DataOf } from '../data/operation';
import { contactOption, findContacts, findUsers } from '../data/options';
import {
  Companies,
  CompanyRecord,
  CreateCompany,
  DeleteCompany,
  RestoreCompany,
  UpdateCompany,
} from '../generated/operations/companies';
import type { CompanyPageFragment } from '../generated/types';
import { t } from '../i18n/i18n';
import { shownName, visibleName } from '../i18n/names';
import { HistoryCard, ItemsCard } from '../records/aside';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import type { RecordType } from '../records/record-type';
import type { Column } from '../records/table';
import { Badge } from '../ui/status';

type Row = DataOf<typeof Companies>['list']['nodes'][number];

const companyType: RecordType<CompanyPageFragment> = {
  kind: 'COMPANY',
  folder: '/companies',
  icon: 'company',
  title: 'companies.title',
  add: 'companies.add',
  empty: 'companies.empty',
  emptyText: 'companies.empty_text',
  nameOf: ({ name, doingBusinessAs }) => shownName(name, doingBusinessAs),
  operations: {
    create: CreateCompany,
    update: UpdateCompany,
    remove: DeleteCompany,
    restore: RestoreCompany,
  },
  fields: [
    {
      type: 'text',
      name: 'name',
      label: 'common.name',
      control: { autoComplete: 'off', required: true, maxLength: 255 },
    },
    { type: 'text', name: 'doingBusinessAs', label: 'companies.trade_name' },
    {
      type: 'record',
      name: 'primaryContactId',
      label: 'companies.contact',
      empty: 'common.nobody',
      kind: 'CONTACT',
      find: findContacts,
      chosen: ({ primaryContact }) => (primaryContact && contactOption(primaryContact)) || undefined,
    },
    {
      type: 'record',
      name: 'assignedTo',
      label: 'records.assigned',
      empty: 'common.nobody',
      find: findUsers,
      isReference: true,
      chosen: ({ assignedTo }) => (assignedTo ? { id: assignedTo.id, label: assignedTo.name } : undefined),
    },
    { type: 'text', name: 'phone', label: 'records.phone', control: { type: 'tel' } },
    { type: 'text', name: 'website', label: 'companies.website', control: { type: 'url', inputMode: 'url' } },
    { type: 'text', name: 'addressLine1', label: 'companies.address' },
    { type: 'text', name: 'addressLine2', label: 'companies.address_2' },
    { type: 'text', name: 'postalCode', label: 'companies.postal_code' },
    { type: 'text', name: 'city', label: 'records.city' },
    { type: 'text', name: 'province', label: 'companies.province' },
    { type: 'text', name: 'taxId', label: 'companies.tax_id' },
    { type: 'check', name: 'isArchived', label: 'contacts.out_of_use' },
    { type: 'custom', name: 'customFields', label: 'records.custom' },
  ],
};

const columns: readonly Column<Row>[] = [
  {
    label: 'common.name',
    order: 'NAME',
    text: ({ name, doingBusinessAs }) => visibleName(name, doingBusinessAs),
  },
  {
    label: 'companies.trade_name',
    order: 'DOING_BUSINESS_AS',
    text: ({ doingBusinessAs }) => doingBusinessAs,
    class: 'roomy',
  },
  { label: 'records.city', order: 'CITY', text: ({ city }) => city },
  { label: 'records.phone', text: ({ phone }) => phone, class: 'roomy' },
  {
    label: 'companies.contact',
    order: 'PRIMARY_CONTACT_NAME',
    text: ({ primaryContact }) => visibleName(primaryContact?.name, primaryContact?.email),
    class: 'roomy',
  },
];

/** Renders companies: their list, or one with what expires at its main contact. */
export default function CompaniesScreen({ id }: ScreenProps) {
  if (!id) {
    return (
      <RecordList type={companyType} operation={Companies} columns={columns} inUse={{ isArchived: false }} />
    );
  }
  return (
    <RecordPage
      type={companyType}
      id={id}
      operation={CompanyRecord}
      beside={({ isArchived }) => isArchived && <Badge>{t('records.archived')}</Badge>}
      aside={({ id: company, primaryContact }) => (
        <>
          {primaryContact && (
            <ItemsCard
              title={t('companies.items_of_contact', {
                name: shownName(primaryContact.name, primaryContact.email),
              })}
              filter={{ contactId: primaryContact.id }}
              parameters={{ contact: primaryContact.id }}
            />
          )}
          <HistoryCard kind="COMPANY" id={company} />
        </>
      )}
    />
  );
}
