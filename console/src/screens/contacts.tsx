import { addressOf } from '../app/addresses';
import type { ScreenProps } from '../app/screen';
import { caller } from '../app/session';
import { request } from '../data/client';
import type { DataOf } from '../data/operation';
import { findLocations, findUsers } from '../data/options';
import { findZones, zoneOption } from '../data/zones';
import {
  ContactRecord,
  Contacts,
  ContactTypeOptions,
  CreateContact,
  DeleteContact,
  RestoreContact,
  UpdateContact,
} from '../generated/operations/contacts';
import type { ContactOrderField, ContactPageFragment, UpdateContactInput } from '../generated/types';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { joinNames, shownName, visibleName } from '../i18n/names';
import type { Column } from '../list/declare';
import { HistoryCard, ItemsCard, LinksCard } from '../records/aside';
import { zoneOtherwise } from '../records/defaults';
import { EraseButton } from '../records/erase';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import type { RecordType } from '../records/record-type';
import { Badge, Countdown } from '../ui/status';

type Row = DataOf<typeof Contacts>['list']['nodes'][number];

const named = (record: { id: string; name: string | null } | null) =>
  record ? { id: record.id, label: record.name ?? '' } : undefined;

async function findContactTypes(term: string, signal: AbortSignal) {
  const outcome = await request(ContactTypeOptions, { term: term || null }, signal);
  return outcome.ok ? outcome.data.contactTypes.nodes.flatMap((type) => named(type) ?? []) : [];
}

const contactType: RecordType<ContactPageFragment, keyof UpdateContactInput> = {
  kind: 'CONTACT',
  folder: '/contacts',
  icon: 'people',
  title: 'contacts.title',
  add: 'contacts.add',
  empty: 'contacts.empty',
  emptyText: 'contacts.empty_text',
  nameOf: ({ name, email }) => shownName(name, email),
  operations: {
    create: CreateContact,
    update: UpdateContact,
    remove: DeleteContact,
    restore: RestoreContact,
  },
  fields: [
    { type: 'text', name: 'name', control: { autoComplete: 'off' } },
    { type: 'text', name: 'email', control: { type: 'email' } },
    { type: 'text', name: 'phone', control: { type: 'tel' } },
    { type: 'text', name: 'mobile', control: { type: 'tel' } },
    {
      type: 'record',
      name: 'typeId',
      find: findContactTypes,
      chosen: ({ type }) => named(type),
    },
    {
      type: 'record',
      name: 'locationId',
      find: findLocations,
      chosen: ({ location }) => named(location),
    },
    {
      type: 'record',
      name: 'assignedTo',
      empty: 'common.nobody',
      find: findUsers,
      isReference: true,
      chosen: ({ assignedTo }) => named(assignedTo),
    },
    {
      type: 'record',
      name: 'timezone',
      hint: 'contacts.timezone_hint',
      otherwise: (contact) => zoneOtherwise([contact?.team?.id ?? caller.value?.me.team?.id ?? '']),
      find: findZones,
      chosen: ({ timezone }) => (timezone ? zoneOption(timezone) : undefined),
    },
    { type: 'text', name: 'contactId' },
    { type: 'check', name: 'isActive', label: 'fields.isArchived', values: [false, true] },
    { type: 'custom', name: 'customFields' },
  ],
};

const nextItem = ({ expirationItems }: Row) => expirationItems.nodes[0];

const columns: readonly Column<Row, ContactOrderField>[] = [
  { label: 'fields.name', text: ({ name, email }) => visibleName(name, email) },
  { label: 'fields.email', text: ({ email }) => email, class: 'roomy' },
  { label: 'fields.phone', text: ({ phone, mobile }) => phone || mobile, class: 'roomy' },
  { label: 'fields.CONTACT_type', text: ({ type }) => type?.name, class: 'roomy' },
  {
    label: 'fields.assignedTo',
    text: ({ assignedTo }) => assignedTo?.name,
    class: 'roomy',
  },
  {
    label: 'records.next_date',
    text: (row) => nextItem(row)?.expirationDate,
    draw: (row) => {
      const { expirationDate: date, team } = nextItem(row) ?? {};
      return date ? (
        <span class="onerow" title={formatDay(date)}>
          <Countdown date={date} timeZone={team?.timezone} />
        </span>
      ) : null;
    },
  },
];

/** Renders people: their list, or one with what expires there. */
export default function ContactsScreen({ id }: ScreenProps) {
  if (!id) {
    return <RecordList by="NAME" type={contactType} operation={Contacts} columns={columns} />;
  }
  return (
    <RecordPage
      type={contactType}
      id={id}
      operation={ContactRecord}
      beside={({ isActive }) => !isActive && <Badge>{t('records.archived')}</Badge>}
      below={({ companies, vehicles }) => (
        <>
          <LinksCard
            title={t('contacts.companies')}
            total={companies.totalCount}
            links={companies.nodes.map((company) => ({
              id: company.id,
              label: company.name ?? '',
              href: addressOf('COMPANY', company.id),
            }))}
          />
          <LinksCard
            title={t('contacts.vehicles')}
            total={vehicles.totalCount}
            links={vehicles.nodes.map((vehicle) => ({
              id: vehicle.id,
              label: joinNames(vehicle.name, vehicle.licensePlate),
              href: addressOf('VEHICLE', vehicle.id),
            }))}
          />
        </>
      )}
      aside={(contact) => (
        <>
          <ItemsCard filter={{ contactId: contact.id }} parameters={{ contact: contact.id }} />
          <HistoryCard kind="CONTACT" id={contact.id} />
          <EraseButton id={contact.id} />
        </>
      )}
    />
  );
}
