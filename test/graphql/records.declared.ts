import { expect } from 'vitest';
import { models } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { resources } from '../../src/graphql/resources.js';
import { type Declared, kindNamed } from '../../src/records/declare/declare.js';
import type { Resource } from '../../src/records/resource.js';
import type { TestGateway } from '../support/gateway.js';
import { operationsOf, type Records } from './records.js';
import { ask } from './support.js';

type Both = Resource & Declared;

/**
 * Every resource that callers write, by its type. Items, which create what they name, requirements, which name document
 * types, and mail texts, of which a workspace has only one, have tests of their own.
 */
export const written = new Map(
  (resources as readonly object[])
    .filter((one): one is Both => 'writable' in one && 'fields' in one)
    .filter(({ model }) => !['ExpirationItem', 'MailText', 'Requirement'].includes(model))
    .map((one) => [one.model, one] as const),
);

const small = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}`;

let count = 0;

/** Values by types, of which a rule takes one or the other. Texts are new each time. */
const samples: Readonly<Record<string, (name: string) => readonly unknown[]>> = {
  Boolean: () => [true, false],
  Float: () => [19_999.99],
  Int: () => [2_147_483_647, 3_650, 7],
  UUID: () => [newId()],
  String: (name) => [`${name} ${++count}`, `${name}-${++count}@example.com`, 'Asia/Calcutta', '07:30'],
  '[CustomField]': () => [[{ id: newId(), name: 'Badge', value: '7' }]],
  '[CategoryCustomField]': () => [[{ id: newId(), name: 'Number', internalName: 'number' }]],
};

/** A workspace's policy is its own from the beginning, and a watch has one of two to notify (their own tests). */
const skipped = ['Team.reminderPolicyId', 'Category.reminderPolicyId', 'Watch.contactId'];

/** Columns that callers write under their own names, with what they name. */
function columnsOf({ model, fields, columns }: Both) {
  return Object.entries(fields).flatMap(([name, field]) => {
    const column = columns[name];
    if (field.kind !== 'column' || !field.rule || !column || skipped.includes(`${model}.${name}`)) return [];
    const standard = field.rule.safeParse(undefined);
    const of = (field.type ?? column.type) as string;
    const { rule, door, required } = field;
    const isNeeded = required !== undefined || !standard.success;
    return [{ name, rule, to: kindNamed(field, column), standard, isNeeded, of, door }];
  });
}

/** Returns a value that a column takes, other than its default; undefined for types with tests of their own. */
function sampleFor({ name, rule, standard, of }: ReturnType<typeof columnsOf>[number]): unknown {
  return samples[of]?.(name).find((value) => rule.safeParse(value).success && value !== standard.data);
}

/** Returns what the tests of every kind of record need to know, from a resource's declaration. */
export function recordsOf(gateway: () => TestGateway, resource: Both): Records {
  const { model, fields, filter, uniqueBy } = resource;
  const columns = columnsOf(resource);
  const plain = columns.filter((column) => !column.to && sampleFor(column) !== undefined);
  const fill = (some: typeof plain) => Object.fromEntries(some.map((one) => [one.name, sampleFor(one)]));
  const links = Object.entries(fields).flatMap(([shown, field]) => {
    const column = field.kind === 'link' && columns.find(({ name }) => name === field.column);
    if (field.kind !== 'link' || !column || !column.to) return [];
    return [{ shown, to: column.to, column: column.name, isObject: field.written === true }];
  });
  const idFor = async (to: string): Promise<string> => {
    if (to === 'user') return gateway().userId;
    if (to === 'team') return gateway().otherTeamId;
    const [type, linked] = [...written].find(([name]) => small(name) === to) ?? [];
    if (!type || !linked) throw new Error(`Nothing makes a ${to}.`);
    const query = `mutation ($input: Create${type}Input!) { record: create${type}(input: $input) { id } }`;
    return (await ask(gateway(), query, { input: recordsOf(gateway, linked).needed() })).record.id;
  };
  return {
    gateway,
    type: model,
    one: small(model),
    many: models[model].table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    table: models[model].table,
    kind: (models[model] as { entityType: number }).entityType,
    noun: resource.noun,
    plain: () => fill(plain),
    needed: () => fill(plain.filter(({ isNeeded }) => isNeeded)),
    blank: Object.fromEntries(
      plain.map(({ name, standard }) => [name, standard.success ? standard.data : '']),
    ),
    links: async () => {
      const made = links.map(async ({ shown, to, column, isObject }) => {
        const id = await idFor(to);
        return [isObject ? shown : column, { value: isObject ? { id } : id, shown, column, to }] as const;
      });
      return Object.fromEntries(await Promise.all(made));
    },
    searched: filter.term.in,
    filtered: Object.keys(filter).filter((name) => typeof filter[name] === 'string'),
    ...(uniqueBy && { uniqueBy }),
  };
}

/** Returns the operations on records of a type. */
export const operationsOn = (type: string) => {
  const resource = [...written.values()].find(({ model }) => model === type);
  if (!resource) throw new Error(`There is no resource ${type}.`);
  return operationsOf(recordsOf(() => expect.unreachable(), resource));
};
