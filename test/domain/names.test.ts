import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { camelCase, snakeCase } from '../../src/domain/text/names.js';

/** Every scalar field of the data model, with its column. */
const models = new URL('../../prisma/models/', import.meta.url);
const fields = readdirSync(models).flatMap((file) => {
  const lines = readFileSync(new URL(file, models), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, field, type] = /^ {2}([a-z]\w*) +(\w+)/.exec(line) ?? [];
    if (!field || !type || /@relation|\[\]/.test(line)) return [];
    const relation = /^[A-Z]\w*\?? *$/.test(line.trim().slice(field.length).trim()) && !/@map/.test(line);
    const scalar = /^(String|Int|BigInt|Float|Boolean|DateTime|Json|Bytes)$/.test(type) || !relation;
    const column = /@map\("(\w+)"\)/.exec(line)?.[1] ?? field;
    return scalar ? [[field, column] as const] : [];
  });
});

/** Every member of the REST contract's models (section 2), but the two that are spelled in a way of their own. */
const members = `
  name email id team_id value internal_name modified is_active custom_fields expiration_date status time_of_day
  category details assigned_to status_id category_name contacts attachments locations tags contact_id content
  content_type created organization_id parent_location_id timezone mobile phone type_id location_id vin
  license_plate year make model trim color body_type registration_province msrp primary_meter_type_id
  primary_meter_reading ownership_id folder_id vehicle_fuel_type_id assigned_to_contact_id is_archived
  doing_business_as website address_line_1 address_line_2 city province postal_code country_id tax_id
  tax_type_id primary_contact_id body body_text relations entity_id entity_type description user
  related_entities action timestamp text container url filename client key type size`
  .trim()
  .split(/\s+/);

describe('snakeCase and camelCase', () => {
  test.each([
    ['id', 'id'],
    ['licensePlate', 'license_plate'],
    ['addressLine1', 'address_line_1'],
    ['assignedToContactId', 'assigned_to_contact_id'],
    ['isActive', 'is_active'],
    ['', ''],
  ])('%s is %s, and back', (camel, snake) => {
    expect(snakeCase(camel)).toBe(snake);
    expect(camelCase(snake)).toBe(camel);
  });

  test('give every field of the data model its column, and back', () => {
    expect(fields.length).toBeGreaterThan(150);
    expect(fields.map(([field]) => snakeCase(field))).toEqual(fields.map(([, column]) => column));
    expect(fields.map(([, column]) => camelCase(column))).toEqual(fields.map(([field]) => field));
  });

  test('give every member of the contract its field, and back', () => {
    for (const member of members) {
      expect(snakeCase(camelCase(member))).toBe(member);
      expect(camelCase(member)).toMatch(/^[a-z]+([A-Z][a-z]*|\d)*$/);
    }
  });

  test('give back any name in camel case', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]+[A-Za-z0-9]*$/), (name) => {
        expect(camelCase(snakeCase(name))).toBe(name);
        expect(snakeCase(name)).toMatch(/^[a-z0-9_]*$/);
      }),
    );
  });

  test('are inverse for any snake case name whose words have two or more letters', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.option(fc.integer({ min: 0, max: 9 })),
        (words, digit) => {
          const name = [...words, ...(digit === null ? [] : [digit])].join('_');
          expect(snakeCase(camelCase(name))).toBe(name);
        },
      ),
    );
  });

  test('never give two fields the same column', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]+([A-Z][a-z]+)*\d?$/), { maxLength: 20 });
    fc.assert(fc.property(names, (all) => new Set(all.map(snakeCase)).size === all.length));
  });
});
