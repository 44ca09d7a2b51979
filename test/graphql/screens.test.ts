import { readdirSync, readFileSync } from 'node:fs';
import { getNamedType, isCompositeType, isObjectType, parse, validate } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { fillScreens, type ScreenIds } from './screens.world.js';
import { ask } from './support.js';

const folder = new URL('../../schema/operations/', import.meta.url);

/** What a screen is opened with, the statements it takes, and the rows of its largest list. */
interface Screen {
  readonly variables: (ids: ScreenIds, first: number) => object;
  readonly statements: number;
  /** How many of them differ. */
  readonly kinds: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the file asks for.
  readonly rows: (data: any) => unknown[];
  /** Who opens it, the member when left out. */
  readonly by?: 'admin';
}

/** Every screen that front ends find below `schema/operations`. */
const screens: Record<string, Screen> = {
  'start-page.graphql': {
    variables: (_ids, first) => ({ first }),
    statements: 11,
    kinds: 10,
    rows: ({ next }) => next.nodes,
  },
  'item-list.graphql': {
    variables: (_ids, first) => ({ first, orderBy: { field: 'NAME', direction: 'DESC' } }),
    statements: 8,
    kinds: 8,
    rows: ({ expirationItems }) => expirationItems.edges,
  },
  'item-detail.graphql': {
    variables: ({ item }, first) => ({ id: item, first }),
    statements: 13,
    kinds: 12,
    rows: ({ expirationItem }) => expirationItem.eventLogs.nodes,
  },
  'contact-detail.graphql': {
    variables: ({ contact }, first) => ({ id: contact, first }),
    statements: 21,
    kinds: 18,
    rows: ({ contact }) => contact.expirationItems.nodes,
  },
  'location-tree.graphql': {
    variables: (_ids, first) => ({ first }),
    statements: 14,
    kinds: 8,
    rows: ({ locations }) => locations.nodes,
  },
  'calendar.graphql': {
    variables: (_ids, first) => ({ from: '2026-11-01', until: '2027-12-01', first }),
    statements: 6,
    kinds: 6,
    rows: ({ expirationItems }) => expirationItems.nodes,
  },
  'upload-inbox.graphql': {
    variables: (_ids, first) => ({ first }),
    statements: 5,
    kinds: 3,
    rows: ({ uploadNotifications }) => uploadNotifications.nodes,
  },
  'vehicles.graphql': {
    variables: ({ vehicle }, first) => ({ first, id: vehicle, isOpen: true }),
    statements: 8,
    kinds: 8,
    rows: ({ vehicles }) => vehicles.nodes,
  },
  'document-types.graphql': {
    variables: (_ids, first) => ({ first }),
    statements: 5,
    kinds: 4,
    rows: ({ categories }) => categories.nodes,
  },
  'deliveries.graphql': {
    variables: (_ids, first) => ({ first, state: 'FAILED' }),
    statements: 6,
    kinds: 4,
    rows: ({ deliveries }) => deliveries.nodes,
  },
  'reminders.graphql': {
    variables: (_ids, first) => ({ first }),
    statements: 23,
    kinds: 14,
    rows: ({ reminderPolicies }) => reminderPolicies.nodes,
  },
  'settings.graphql': {
    variables: (_ids, first) => ({ first }),
    statements: 16,
    kinds: 15,
    rows: ({ users }) => users.nodes,
    by: 'admin',
  },
};

const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');

test('every file is a tested screen, and every screen a file', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(screens).sort());
});

test.each(Object.keys(screens))('%s fits the schema, and asks for nothing deprecated', (name) => {
  expect(validate(schema, parse(textOf(name)))).toEqual([]);
});

/** Paths to what is null, for a test to say what it expects to be there. */
function nulls(value: unknown, path = ''): string[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => nulls(inner, `${path}.${key}`));
}

/** Names of the fields that lead to other records. The world assigns no contact to a user. */
const leading = new Set(
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .filter(({ type, name }) => isCompositeType(getNamedType(type)) && name !== 'assignedTo')
    .map(({ name }) => name),
);

describe.each([10, 200])('with %i of everything', (count) => {
  const gateway = useGateway();
  let ids: ScreenIds;
  beforeAll(async () => {
    ids = await fillScreens(gateway, count);
  });

  test.each(Object.entries(screens))('%s takes the same statements', async (name, screen) => {
    let data: unknown;
    const names = await namesOf(gateway, async () => {
      data = await ask(gateway, textOf(name), screen.variables(ids, count), gateway[screen.by ?? 'member']);
    });
    expect(screen.rows(data)).toHaveLength(count);
    // Never more; one fewer where two lists, answered in the same moment, share a look-up of what both lead to.
    expect(names.length, names.sort().join('\n')).toBeLessThanOrEqual(screen.statements);
    expect(new Set(names).size).toBe(screen.kinds);
    // What leads to other records leads to one.
    expect(nulls(data).filter((path) => leading.has(path.split('.').at(-1) ?? ''))).toEqual([]);
  });
});
