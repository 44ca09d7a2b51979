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
import type { CompanyOrderField, CompanyPageFragment, UpdateCompanyInput } from '../generated/types';
import { t } from '../i18n/i18n';
import { shownName, visibleName } from '../i18n/names';
import type { Column } from '../list/declare';
import { HistoryCard, ItemsCard } from '../records/aside';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import type { RecordType } from '../records/record-type';
import { Badge } from '../ui/status';

type Row = DataOf<typeof Companies>['list']['nodes'][number];

const companyType: RecordType<CompanyPageFragment, keyof UpdateCompanyInput> = {
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
      control: { autoComplete: 'off' },
    },
    { type: 'text', name: 'doingBusinessAs' },
    {
      type: 'record',
      name: 'primaryContactId',
      empty: 'common.nobody',
      find: findContacts,
      chosen: ({ primaryContact }) => (primaryContact && contactOption(primaryContact)) || undefined,
    },
    {
      type: 'record',
      name: 'assignedTo',
      empty: 'common.nobody',
      find: findUsers,
      isReference: true,
      chosen: ({ assignedTo }) => (assignedTo ? { id: assignedTo.id, label: assignedTo.name } : undefined),
    },
    { type: 'text', name: 'phone', control: { type: 'tel' } },
    { type: 'text', name: 'website', control: { type: 'url', inputMode: 'url' } },
    { type: 'text', name: 'addressLine1' },
    { type: 'text', name: 'addressLine2' },
    { type: 'text', name: 'postalCode' },
    { type: 'text', name: 'city' },
    { type: 'text', name: 'province' },
    { type: 'text', name: 'taxId' },
    { type: 'check', name: 'isArchived' },
    { type: 'custom', name: 'customFields' },
  ],
};

const columns: readonly Column<Row, CompanyOrderField>[] = [
  {
    label: 'fields.name',
    text: ({ name, doingBusinessAs }) => visibleName(name, doingBusinessAs),
  },
  {
    label: 'fields.doingBusinessAs',
    text: ({ doingBusinessAs }) => doingBusinessAs,
    class: 'roomy',
  },
  { label: 'fields.city', text: ({ city }) => city },
  { label: 'fields.phone', text: ({ phone }) => phone, class: 'roomy' },
  {
    label: 'fields.primaryContact',
    text: ({ primaryContact }) => visibleName(primaryContact?.name, primaryContact?.email),
    class: 'roomy',
  },
];

/** Renders companies: their list, or one with what expires at its main contact. */
export default function CompaniesScreen({ id }: ScreenProps) {
  if (!id) {
    return <RecordList by="NAME" type={companyType} operation={Companies} columns={columns} />;
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
