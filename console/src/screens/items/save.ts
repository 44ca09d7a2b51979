import { allPages } from '../../data/pages';
import { ItemsToSave } from '../../generated/operations/items';
import type { ExpirationItemFilter, ExpirationItemOrder, ItemsToSaveQuery } from '../../generated/types';
import { saveList } from '../../records/save';
import type { Column } from '../../records/table';
import { statusText } from '../../ui/status';
import { peopleOf } from './table';

type Row = ItemsToSaveQuery['expirationItems']['nodes'][number];

/** Columns of the file, which are more than fit into the list. */
const columns: readonly Column<Row>[] = [
  { label: 'items.name', text: ({ name }) => name },
  { label: 'fields.category', text: ({ category }) => category?.name },
  { label: 'fields.expirationDate', text: ({ expirationDate }) => expirationDate },
  { label: 'items.status', text: ({ status }) => statusText(status) },
  { label: 'items.contact', text: (item) => peopleOf(item).join('; ') },
  { label: 'items.location', text: ({ locations }) => locations.map(({ name }) => name).join('; ') },
  { label: 'fields.assignedTo', text: ({ assignedTo }) => assignedTo?.name },
  { label: 'items.tag', text: ({ tags }) => tags.map(({ name }) => name).join('; ') },
  { label: 'fields.team', text: ({ team }) => team?.name },
  { label: 'fields.details', text: ({ details }) => details },
  {
    label: 'fields.customFields',
    text: ({ customFields }) => customFields.map(({ name, value }) => `${name}: ${value ?? ''}`).join('; '),
  },
];

/** Saves the complete list as a file, page by page. */
export const saveItems = (filter: ExpirationItemFilter, orderBy: ExpirationItemOrder[]): Promise<void> =>
  saveList('items', columns, (signal) =>
    allPages(ItemsToSave, { filter, orderBy }, ({ expirationItems }) => expirationItems, signal),
  );
