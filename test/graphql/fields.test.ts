import { type GraphQLInputObjectType, isInputObjectType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { expirationItems } from '../../src/items/expiration-items.js';
import type { Resource } from '../../src/records/resource.js';
import { categories } from '../../src/resources/categories.js';
import { companies } from '../../src/resources/companies.js';
import { contactTypes } from '../../src/resources/contact-types.js';
import { contacts } from '../../src/resources/contacts.js';
import { locations } from '../../src/resources/locations.js';
import { notes } from '../../src/resources/notes.js';
import { tags } from '../../src/resources/tags.js';
import { teams } from '../../src/resources/teams.js';
import { vehicles } from '../../src/resources/vehicles.js';
import { models } from '../../src/rest/models.js';
import { memberName } from '../../src/web/names.js';

/** Every resource that callers write, by its type. */
const resources: Record<string, Resource> = {
  Category: categories,
  Company: companies,
  Contact: contacts,
  ContactType: contactTypes,
  ExpirationItem: expirationItems,
  Location: locations,
  Note: notes,
  Tag: tags,
  Team: teams,
  Vehicle: vehicles,
};

/** Fields that callers write and see under the name of the record they point at. */
const nested: Record<string, string> = {
  assignedToId: 'assignedTo',
  categoryId: 'category',
  contactIds: 'contacts',
  locationIds: 'locations',
  tagIds: 'tags',
};

/** What the contract does not have: the gateway's own. */
const beyondContract: Record<string, string[]> = {
  ContactType: ['teamId'],
  ExpirationItem: ['isMissing'],
  Team: ['timezone', 'reminderDays'],
};

function fieldsOf(name: string): string[] {
  const type = schema.getType(name);
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`There is no type ${name}.`);
  return Object.keys((type as GraphQLInputObjectType).getFields());
}

test('every type with a mutation that replaces it is here', () => {
  const replaced = Object.keys(schema.getMutationType()?.getFields() ?? {})
    .filter((name) => name.startsWith('replace'))
    .map((name) => name.slice('replace'.length));
  expect(Object.keys(resources).sort()).toEqual(replaced.sort());
});

describe.each(Object.entries(resources))('%s', (name, resource) => {
  const fields = resource.fields.map((field) => nested[field] ?? field);

  test('every field that has a rule can be written', () => {
    expect(fieldsOf(`Replace${name}Input`)).toEqual(expect.arrayContaining(fields));
    expect(fieldsOf(`Update${name}Input`)).toEqual(expect.arrayContaining(fields));
    expect(fieldsOf(`Create${name}Input`)).toEqual(expect.arrayContaining(['id', ...fields]));
  });

  test('every field that can be written can be read', () => {
    expect(fieldsOf(name)).toEqual(expect.arrayContaining([...fieldsOf(`Replace${name}Input`), ...fields]));
  });

  test('every field that can be written is in the contract, or known not to be', () => {
    const model = Object.values(models).find(({ type }) => type === name);
    const known = new Set<string>([
      ...(model?.members ?? []),
      ...(beyondContract[name] ?? []).map(memberName),
    ]);
    expect(
      fieldsOf(`Replace${name}Input`)
        .map(memberName)
        .filter((member) => !known.has(member)),
    ).toEqual([]);
  });
});
