import { setSearch } from '../app/router';
import { t } from '../i18n/i18n';
import {
  type Column,
  type Conditions,
  type Filter,
  type Identified,
  type ListSpec,
  nameOf,
  type Order,
} from './declare';
import { notFilters } from './views-menu';

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the order from the address: `sort=-city`. An unknown one is replaced by the list's own. */
export function readOrder<Row, Field extends string>(
  search: URLSearchParams,
  columns: readonly Column<Row, Field>[],
  [own, ...ties]: readonly Order<Field>[],
): readonly Order<Field>[] {
  const text = search.get('sort') ?? '';
  const name = text.replace(/^-/, '');
  const field = columns.find((column) => column.order && nameOf(column) === name)?.order;
  const first: Order<Field> | undefined = field
    ? { field, direction: text.startsWith('-') ? 'DESC' : 'ASC' }
    : own;
  const others = field ? [own, ...ties] : ties;
  return [first, ...others.filter((other) => other?.field !== first?.field)].flatMap((one) => one ?? []);
}

/** Orders the list by a column, or reverses its order. */
export function toggleOrder<Row>(now: Order, column: Column<Row>, own: Order | undefined): void {
  const turns = now.field === column.order && now.direction === 'ASC';
  const name = nameOf(column);
  const isOwn = !turns && own?.field === column.order && own?.direction === 'ASC';
  setSearch({ sort: turns ? `-${name}` : isOwn ? undefined : name });
}

/** Returns whether a value of the address has the form that its filter takes. */
function isFormed<Condition>(filter: Filter<Condition>, value: string): boolean {
  if (filter.type === 'date') return day.test(value);
  if (filter.type === 'linked') return uuid.test(value);
  if (filter.type === 'record') {
    const values = value.split(',');
    const isOne = (one: string) =>
      uuid.test(one) ||
      (filter.none !== undefined && one === 'none') ||
      (filter.me !== undefined && one === 'me');
    return (filter.isMany || values.length === 1) && values.every(isOne);
  }
  return true;
}

/** A list's filters and order as the address has them. */
interface Asked<Condition, Field extends string> {
  readonly term: string | undefined;
  readonly condition: Condition;
  readonly order: readonly Order<Field>[];
  /** Filters that have a value, except tabs. */
  readonly set: readonly Filter<Condition>[];
  /** Filters, values and an order that nobody knows. Without them the list is another one, so people are told. */
  readonly unknown: readonly { readonly name: string; readonly label: string }[];
}

/** Reads filters and order from the address. */
export function readAddress<
  Row extends Identified,
  Condition extends Conditions<Condition>,
  Field extends string,
>(
  search: URLSearchParams,
  spec: Pick<ListSpec<Row, Condition, Field>, 'columns' | 'filters' | 'order'>,
): Asked<Condition, Field> {
  const { columns, filters = [] } = spec;
  const term = search.get('q')?.trim() || undefined;
  const set: Filter<Condition>[] = [];
  const known = ['q', ...notFilters, ...filters.map(({ name }) => name)];
  const unknown = [...search.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, label: name }));
  const parts: Condition[] = [];
  for (const filter of filters) {
    const value = search.get(filter.name)?.trim() ?? '';
    const part = value && !isFormed(filter, value) ? undefined : filter.where(value);
    if (part && value) set.push(filter);
    else if (value) unknown.push({ name: filter.name, label: t(filter.label) });
    const condition = part ?? filter.where('');
    if (condition && Object.keys(condition).length > 0) parts.push(condition);
  }
  const by = search.get('sort')?.replace(/^-/, '');
  if (by && !columns.some((column) => column.order && nameOf(column) === by))
    unknown.push({ name: 'sort', label: by });
  const conditions: Conditions<Condition> = {
    ...(term && { term }),
    ...(parts.length > 0 && { and: parts }),
  };
  return {
    term,
    // Every filter of the gateway has both members.
    condition: conditions as Condition,
    order: readOrder(search, columns, spec.order),
    set: set.filter(({ type }) => type !== 'tabs'),
    unknown,
  };
}
