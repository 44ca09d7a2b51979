import { hasTeams } from '../app/session';
import {
  type Find,
  findCategories,
  findContacts,
  findLocations,
  findPolicies,
  findTeams,
  findUsers,
} from '../data/options';
import { resources } from '../generated/resources';
import type { RecordKind } from '../generated/types';
import type { Key } from '../i18n/i18n';
import { type Column, type Filter, nameOf } from '../list/declare';
import type { Rules } from './form/rules';
import { keyOf } from './labels';

type Kind = keyof typeof resources & RecordKind;

/** Facts about the lists of a kind, as the gateway declares them. */
interface ListFacts {
  readonly filters: Readonly<Record<string, string>>;
  readonly none: readonly string[];
  readonly orders: readonly string[];
  readonly fields: Readonly<Record<string, Rules>>;
}

const factsOf = (kind: Kind): ListFacts => resources[kind];

const finders: Readonly<Record<string, Find>> = {
  CATEGORY: findCategories,
  CONTACT: findContacts,
  LOCATION: findLocations,
  REMINDER_POLICY: findPolicies,
  TEAM: findTeams,
  USER: findUsers,
};

/** Returns a name as enums of the gateway have it: `LICENSE_PLATE`. */
const wordOf = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();

/** Returns the kind of records that a field names; undefined for none. */
export function kindNamedBy(kind: RecordKind | undefined, field: string): RecordKind | undefined {
  if (!kind || !(kind in resources)) return undefined;
  return factsOf(kind as Kind).fields[field]?.to as RecordKind | undefined;
}

/**
 * Returns the filters by other records that the lists of a kind have.
 * @param own names in the address and labels that do not follow from the filter's name
 */
export function filtersByRecords<Condition>(
  kind: Kind,
  own: Readonly<Record<string, { readonly name?: string; readonly label?: Key }>> = {},
): readonly Filter<Condition>[] {
  const { filters, none } = factsOf(kind);
  return Object.entries(filters).flatMap(([member, to]): Filter<Condition>[] => {
    const [find, label] = [finders[to], own[member]?.label ?? keyOf(kind, member)];
    if (!find || !label) return [];
    const name = member.replace(/Id$/, '');
    const hasNone = to === 'USER' && none.includes(wordOf(name));
    return [
      {
        ...{ type: 'record', name: own[member]?.name ?? name, label, find },
        ...(hasNone && { none: 'items.nobody' }),
        ...(to === 'TEAM' && { isShown: hasTeams }),
        // The names are those of the kind's own filter.
        where: (id) =>
          (id === 'none' ? { hasNone: [wordOf(name)] } : id ? { [member]: id } : {}) as Condition,
      },
    ];
  });
}

/** Gives columns the orders that the gateway has for what they show. */
export function ordered<Row, Field extends string>(
  kind: Kind,
  columns: readonly Column<Row, Field>[],
): readonly Column<Row, Field>[] {
  const { orders } = factsOf(kind);
  return columns.map((column) => {
    const word = wordOf(nameOf(column).replace(`${kind}_`, ''));
    const order = [word, `${word}_NAME`].find((known) => orders.includes(known));
    // The names of orders are those of the kind's own enum.
    return column.order || !order ? column : { ...column, order: order as Field };
  });
}
