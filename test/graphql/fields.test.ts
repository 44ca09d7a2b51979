import { readdirSync } from 'node:fs';
import { type GraphQLInputObjectType, isInputObjectType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../src/compliance/requirements.js';
import { modelName } from '../../src/db/sql/models.js';
import { schema } from '../../src/graphql/schema.js';
import { expirationItems } from '../../src/items/expiration-items.js';
import { watches } from '../../src/items/watches.js';
import type { Declared } from '../../src/records/declare/declare.js';
import type { Resource } from '../../src/records/resource.js';
import { contractModels } from '../../src/rest/routes.js';
import { memberName } from '../../src/web/parameters.js';

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'kind' in value && 'rules' in value && 'sortable' in value;

/** Every resource that callers write, by its type. */
const resources: Record<string, Resource> = {
  ...{ ExpirationItem: expirationItems, Requirement: requirements, Watch: watches },
};
for (const file of readdirSync(new URL('../../src/resources', import.meta.url))) {
  const name = file.replace(/\.ts$/, '');
  const exported: object = await import(`../../src/resources/${name}.ts`);
  for (const resource of Object.values(exported).filter(isResource)) {
    resources[modelName(resource.kind)] = resource;
  }
}

/** Fields that callers write and see under the name of the record they point at. */
const nested: Record<string, string> = {
  assignedToId: 'assignedTo',
  categoryId: 'category',
  contactIds: 'contacts',
  locationIds: 'locations',
  tagIds: 'tags',
};

/** Lists the fields of a resource that REST does not show, as it declares them. */
function beyondContract(resource: Resource & Partial<Declared>): string[] {
  const { fields = {} } = resource;
  return Object.keys(fields).filter((name) => fields[name]?.door !== 'both');
}

function fieldsOf(name: string): string[] {
  const type = schema.getType(name);
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`There is no type ${name}.`);
  return Object.keys((type as GraphQLInputObjectType).getFields());
}

test('every resource has a mutation that replaces it, and every such mutation its resource', () => {
  const replaced = Object.keys(schema.getMutationType()?.getFields() ?? {})
    .filter((name) => name.startsWith('replace'))
    .map((name) => name.slice('replace'.length));
  expect(Object.keys(resources).sort()).toEqual(replaced.sort());
});

describe.each(Object.entries(resources))('%s', (name, resource) => {
  // A mail text names its document type by the id alone.
  const shown = name === 'MailText' ? {} : nested;
  const fields = resource.writable.map((field) => shown[field] ?? field);

  test('every field with a rule can be written', () => {
    expect(fieldsOf(`Replace${name}Input`)).toEqual(expect.arrayContaining(fields));
    expect(fieldsOf(`Update${name}Input`)).toEqual(expect.arrayContaining(fields));
    expect(fieldsOf(`Create${name}Input`)).toEqual(expect.arrayContaining(['id', ...fields]));
  });

  test('every field that can be written can be read', () => {
    expect(fieldsOf(name)).toEqual(expect.arrayContaining([...fieldsOf(`Replace${name}Input`), ...fields]));
  });

  test('every field that can be written is in the contract, or known not to be', () => {
    const model = Object.values(contractModels).find(({ type }) => type === name);
    const known = new Set<string>([...(model?.members ?? []), ...beyondContract(resource).map(memberName)]);
    expect(
      fieldsOf(`Replace${name}Input`)
        .map(memberName)
        .filter((member) => !known.has(member)),
    ).toEqual([]);
  });
});
