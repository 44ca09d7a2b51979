import { setSearch } from '../../app/router';
import type {
  ExpirationItemFilter,
  ExpirationItemOrder,
  ExpirationItemOrderField,
  ExpirationStatus,
} from '../../generated/types';

/** Parameters of the address that filter the list. */
export const filterNames = [
  'q',
  'due',
  'status',
  'from',
  'until',
  'type',
  'contact',
  'location',
  'tag',
  'assigned',
  'team',
] as const;

export type FilterName = (typeof filterNames)[number];

/** Choices of how soon an item expires. */
export const dueChoices = ['overdue', '7', '30', '60', '90'] as const;

const statuses: readonly string[] = ['EXPIRED', 'NOTIFYING', 'CURRENT', 'MISSING', 'NO_DATE', 'ARCHIVED'];

const isStatus = (word: string): word is ExpirationStatus => statuses.includes(word);

/** Orders of the list, by their names in the address. A minus reverses one. */
const orders = {
  date: 'EXPIRATION_DATE',
  name: 'NAME',
  status: 'STATUS_NUMBER',
  type: 'CATEGORY_NAME',
  contact: 'CONTACT_NAME',
  assigned: 'ASSIGNED_TO_NAME',
  changed: 'MODIFIED',
} as const satisfies Record<string, ExpirationItemOrderField>;

export type OrderName = keyof typeof orders;

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Converts the address's due date to a filter. */
function dueFilter(due: string): ExpirationItemFilter {
  if (due === 'overdue') return { status: ['EXPIRED'] };
  return /^\d{1,4}$/.test(due) ? { expiresWithinDays: Number(due) } : {};
}

function statusFilter(words: string): ExpirationItemFilter {
  if (words === 'all') return {};
  const status = words.split(',').filter(isStatus);
  // Archived items are inactive, and shown only on request.
  return status.length > 0 ? { status } : { isActive: true };
}

/** Reads the filter from the address. Unknown values are ignored. */
export function readFilter(search: URLSearchParams): ExpirationItemFilter {
  const read = (name: FilterName) => search.get(name)?.trim() ?? '';
  const id = (name: FilterName) => (uuid.test(read(name)) ? read(name) : undefined);
  const date = (name: FilterName) => (day.test(read(name)) ? read(name) : undefined);
  const [from, until] = [date('from'), date('until')];
  const filter: ExpirationItemFilter = {
    term: read('q') || undefined,
    categoryId: id('type'),
    contactId: id('contact'),
    locationId: id('location'),
    tagIds: id('tag') ? [id('tag') ?? ''] : undefined,
    assignedToId: id('assigned'),
    hasNone: read('assigned') === 'none' ? ['ASSIGNED_TO'] : undefined,
    teamId: id('team'),
    expirationDate: from || until ? { gte: from, lt: until } : undefined,
    and: [dueFilter(read('due')), statusFilter(read('status'))],
  };
  return filter;
}

/** Reads the order from the address: its name, and whether it is reversed. */
export function readOrder(search: URLSearchParams): { name: OrderName; isTurned: boolean } {
  const text = search.get('sort') ?? 'date';
  const isTurned = text.startsWith('-');
  const name = text.replace(/^-/, '');
  return Object.hasOwn(orders, name)
    ? { name: name as OrderName, isTurned }
    : { name: 'date', isTurned: false };
}

/** Returns the order for the gateway. Ties are ordered by date, then by name. */
export function orderBy(search: URLSearchParams): ExpirationItemOrder[] {
  const { name, isTurned } = readOrder(search);
  const keys: OrderName[] = [name, ...(['date', 'name'] as const).filter((other) => other !== name)];
  return keys.map((key, at) => ({ field: orders[key], direction: at === 0 && isTurned ? 'DESC' : 'ASC' }));
}

/** Orders the list by a column, or reverses its order. */
export function toggleOrder(search: URLSearchParams, name: OrderName): void {
  const now = readOrder(search);
  const turns = now.name === name && !now.isTurned;
  setSearch({ sort: turns ? `-${name}` : name === 'date' ? undefined : name });
}

/** Lists the filters that are set, except the text search. */
export const setFilters = (search: URLSearchParams): FilterName[] =>
  filterNames.filter((name) => name !== 'q' && search.get(name));
