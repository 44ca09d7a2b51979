import { addressOf } from '../app/addresses';
import { hasTeams, may } from '../app/session';
import type { DataOf } from '../data/client';
import { ExpirationItemList } from '../generated/operations/expirationItem';
import type { ExpirationItemFilter, ExpirationItemOrderField } from '../generated/types';
import { formatMoment } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import type { ListSpec } from '../list/declare';
import { ListScreen } from '../list/list';
import { columnsOf } from '../records/declared';
import type { FieldSpec } from '../records/record-type';
import { LinkButton } from '../ui/button';
import { Ago, Countdown, DateText, Status, statusText } from '../ui/status';
import { itemFields } from './item/fields';
import { AssignDialog, archiveItems, ChangeDialog, deleteItems, RenewDialog } from './items/bulk';
import { itemFilters } from './items/filters';

type Row = DataOf<typeof ExpirationItemList>['list']['nodes'][number];

/** Lists the names of an item's contacts, the main one first. */
function peopleOf({ contact, contacts }: Row): string[] {
  const all = contact ? [contact, ...contacts.filter(({ id }) => id !== contact.id)] : contacts;
  return all.map(({ name, email }) => shownName(name, email));
}

/** Formats the first of some names, and the number of the others. */
function firstOf([first, ...others]: string[]): string {
  return others.length > 0 ? `${first} +${others.length}` : (first ?? '');
}

const hrefOf = ({ id }: Row) => addressOf('EXPIRATION_ITEM', id);

/** Fields with columns. Holders are a list of their own, which rows do not have. */
const columnFields = itemFields().filter(({ name }) => name !== 'holders');

const items: ListSpec<Row, ExpirationItemFilter, ExpirationItemOrderField> = {
  name: 'items',
  title: 'items.title',
  operation: ExpirationItemList,
  order: [
    { field: 'EXPIRATION_DATE', direction: 'ASC' },
    { field: 'NAME', direction: 'ASC' },
  ],
  hrefOf,
  add: { label: 'items.add', href: '/items/new', isAllowed: () => may('WRITE') },
  empty: {
    icon: 'items',
    title: 'start.empty',
    text: 'start.empty_text',
    notFound: 'items.none_found',
  },
  filters: itemFilters,
  bulkActions: [
    { icon: 'renew', label: () => 'items.renew', Dialog: RenewDialog },
    { icon: 'user', label: () => 'items.assign', Dialog: AssignDialog },
    { icon: 'edit', label: () => 'items.change', Dialog: ChangeDialog },
    {
      icon: 'archive',
      label: (rows) => (rows.every(({ isActive }) => !isActive) ? 'items.unarchive' : 'items.archive'),
      run: (rows) =>
        archiveItems(
          rows,
          rows.every(({ isActive }) => !isActive),
        ),
    },
    { icon: 'trash', label: () => 'common.delete', run: deleteItems },
  ],
  columns: columnsOf('EXPIRATION_ITEM', columnFields as readonly FieldSpec<never>[], [
    {
      label: 'items.name',
      of: ['name'],
      order: 'NAME',
      text: ({ name }) => name,
      draw: (item) => (
        <>
          <a href={hrefOf(item)}>{shownName(item.name)}</a>
          <span class="soft small rowline">
            <span>{joinNames(item.category?.name, hasTeams() && item.team?.name)}</span>
            {item.tags.map((tag) => (
              <span key={tag.id} class="tag roomy">
                {shownName(tag.name)}
              </span>
            ))}
          </span>
        </>
      ),
    },
    {
      label: 'fields.category',
      name: 'type',
      order: 'CATEGORY_NAME',
      text: ({ category }) => category?.name,
      class: 'roomy person',
      isOptional: true,
    },
    {
      label: 'fields.expirationDate',
      name: 'date',
      order: 'EXPIRATION_DATE',
      text: ({ expirationDate }) => expirationDate,
      draw: ({ expirationDate }) =>
        expirationDate && (
          <>
            <DateText date={expirationDate} />
            <span class="small rowline">
              <Countdown date={expirationDate} />
            </span>
          </>
        ),
      class: 'datecell',
    },
    {
      label: 'fields.noticeDate',
      name: 'notice',
      order: 'NOTICE_DATE',
      text: ({ noticeDate }) => noticeDate,
      draw: ({ noticeDate }) => noticeDate && <DateText date={noticeDate} />,
      class: 'roomy datecell',
      isOptional: true,
    },
    {
      label: 'items.status',
      name: 'status',
      order: 'STATUS_NUMBER',
      text: ({ status }) => statusText(status),
      draw: ({ status }) => <Status status={status} />,
      class: 'statuscell',
    },
    {
      label: 'items.contact',
      of: ['contactId', 'contacts'],
      name: 'contact',
      order: 'CONTACT_NAME',
      text: (item) => peopleOf(item).join('; '),
      draw: (item) => firstOf(peopleOf(item)),
      class: 'roomy wide person',
    },
    {
      label: 'fields.contact',
      name: 'main_contact',
      text: ({ contact }) => contact && (contact.name || contact.email),
      draw: ({ contact }) => contact && shownName(contact.name, contact.email),
      class: 'roomy person',
      isOptional: true,
    },
    {
      label: 'items.location',
      of: ['locations'],
      text: ({ locations }) => locations.map(({ name }) => name).join('; '),
      draw: ({ locations }) => locations.map(({ name }) => shownName(name)).join(', '),
      class: 'roomy wider person',
    },
    {
      label: 'fields.assignedTo',
      name: 'assigned',
      order: 'ASSIGNED_TO_NAME',
      text: ({ assignedTo }) => assignedTo?.name,
      class: 'roomy person',
    },
    {
      label: 'items.tag',
      of: ['tags'],
      text: ({ tags }) => tags.map(({ name }) => name).join('; '),
      class: 'roomy person',
      isOptional: true,
    },
    {
      label: 'fields.team',
      text: ({ team }) => team?.name,
      class: 'roomy person',
      isOptional: true,
      isFor: hasTeams,
    },
    {
      label: 'items.changed',
      name: 'changed',
      order: 'MODIFIED',
      text: ({ modified }) => modified && formatMoment(modified),
      draw: ({ modified }) => modified && <Ago moment={modified} />,
      class: 'roomy person',
      isOptional: true,
    },
  ]),
};

/**
 * Renders the list of items. They can be filtered, ordered, selected, changed in bulk, and saved as a file.
 */
export default function ItemsScreen() {
  return <ListScreen list={items} head={() => <ImportLink folder="/items" />} />;
}

/** Renders the link that leads to the import of records of a list. */
function ImportLink({ folder }: { readonly folder: string }) {
  if (!may('WRITE')) return null;
  return (
    <LinkButton href={`/imports?kind=${folder.slice(1)}`} icon="upload">
      {t('imports.import')}
    </LinkButton>
  );
}
