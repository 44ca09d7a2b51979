import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../src/db/sql/models.js';
import { expirationItems } from '../../src/items/expiration-items.js';
import { findBlockers } from '../../src/records/delete.js';
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
import { createDatabase, type TestDatabase } from '../support/gateway.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const resources = [
  ...[expirationItems, categories, companies, contactTypes, contacts],
  ...[locations, notes, tags, teams, vehicles],
] as unknown as readonly Resource[];

/** Tables of what is in a workspace with its item or requirement, which is counted. */
const withOthers = ['attachments', 'renewals', 'exemptions'];

test.each(resources.map((resource) => [resource.noun, resource] as const))(
  '%s: its deletion is refused with the number of blocking records',
  async (_noun, resource) => {
    const { prisma } = database.database;
    // "restrict", or "no action", which is the same here.
    const found = await prisma.$queryRaw<{ table: string }[]>`
      SELECT conrelid::regclass::text AS table FROM pg_constraint
      WHERE confrelid = ${resource.table}::regclass AND contype = 'f' AND confdeltype IN ('r', 'a')`;
    const told = findBlockers(resource.rows.model).map(({ kind }) => tables[kind]);
    const inTheWay = found.map(({ table }) => table).filter((table) => !withOthers.includes(table));
    expect(told.sort()).toEqual(inTheWay.sort());
  },
);
