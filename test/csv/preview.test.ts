import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCsv } from '../../src/csv/columns.js';
import { processImport } from '../../src/csv/import/process.js';
import { Session } from '../../src/db/connection/session.js';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import { createImport, findImport, runImport } from '../../src/imports/imports.js';
import type { ListKind, NewImport } from '../../src/imports/options.js';
import { claimImports } from '../../src/imports/queue.js';
import { patience, seed, some } from '../fuzz/runs.js';
import { createTenant, startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { outcomesIn } from './outcomes.support.js';

let gateway: TestGateway;
let foreign: string;
let unseen: string;
beforeAll(async () => {
  gateway = await startGateway();
  const stranger = await createTenant(gateway.database, `Stranger ${newId()}`);
  const other = await gateway.send('POST', '/v1/contacts', {
    token: stranger.admin,
    body: { email: 'a@x.test' },
  });
  foreign = other.json.id;
  // Contacts and locations of a workspace that the caller does not see.
  const { prisma } = gateway.database;
  const { organizationId } = gateway;
  const team = await prisma.team.create({
    data: { id: newId(), organizationId, name: 'Unseen', modified: testTime },
  });
  unseen = newId();
  const base = { organizationId, teamId: team.id, modified: testTime };
  await prisma.contact.create({ data: { ...base, id: unseen, email: 'unseen@x.test' } });
  await prisma.location.create({ data: { ...base, id: newId(), name: 'Unseen' } });
  await prisma.vehicle.create({ data: { ...base, id: newId(), vin: 'UNSEEN' } });
});
afterAll(() => gateway.close());

const session = () => {
  const { database, organizationId, teamId, otherTeamId, userId } = gateway;
  const user = { id: userId, name: 'Ada Admin', email: 'ada@example.com', teamId };
  const teamIds = [teamId, otherTeamId];
  const caller = { tokenId: userId, role: 'MEMBER' as const, organizationId, teamIds, user };
  return new Session(database, { caller, now: testTime });
};

/** Processes the due import, as a worker does, in batches of three rows. */
async function work(minutes: number): Promise<void> {
  const { database } = gateway;
  const now = new Date(testTime.getTime() + minutes * 60_000);
  const [claimed] = await claimImports(database, {
    ...{ count: 1, now, leaseUntil: new Date(now.getTime() + 15_000) },
  });
  if (!claimed) throw new Error('Nothing is due.');
  const caller = session().caller;
  const own = { ...claimed, session: new Session(database, { caller, now }) };
  const options = { database, clock: () => now, schema, batchRows: 3 };
  await processImport(options, own, new AbortController().signal);
}

const ids = Array.from({ length: 6 }, () => newId());
const pick = (...values: string[]) => fc.constantFrom(...values);
const names = pick('', ' ', 'a', 'A', 'b', 'Straße', 'STRASSE', 'c ', 'x'.repeat(300), '\u200b', 'Unseen');
const addresses = ['a@x.test', 'A@x.test', 'b@x.test', 'c@x.test', 'unseen@x.test', 'no address'];
const emails = pick('', ...addresses);
const lists = fc.array(pick('a', 'A', 'b', 'c', '\u200b', 'Unseen', ids[0] ?? ''), { maxLength: 3 });
const joined = lists.map((entries) => entries.join(';'));
const someId = () =>
  fc.oneof({ weight: 3, arbitrary: pick('') }, pick(...ids, foreign, unseen, newId(), 'no id'));
const team = () => pick('', '', '', '', '', gateway.teamId, gateway.otherTeamId, newId());
const custom = pick('', 'x', 'y'.repeat(5_000));

/** The columns of each kind, with cells that often clash. */
const columns = (): Record<ListKind, Record<string, fc.Arbitrary<string>>> => ({
  ITEMS: {
    ...{
      id: someId(),
      name: pick('a', 'a', 'A', 'b', ''),
      expiration_date: pick('', '2030-01-31', '2030-02-30'),
    },
    ...{ category_name: pick('', 'a', 'A', 'b', '\u200b'), contact_email: pick('', '', ...addresses) },
    ...{ contacts: pick('', 'a@x.test', 'A@x.test; b@x.test', 'unseen@x.test;c@x.test'), tags: joined },
    ...{ locations: pick('', 'a', 'A;b', 'c'), contact_id: pick('', '', foreign, unseen, newId()) },
    ...{ team_id: team(), 'custom:N': custom, assigned_to: pick('', 'ada@example.com', 'x@y') },
  },
  CONTACTS: {
    id: someId(),
    name: names,
    email: emails,
    location_id: someId(),
    team_id: team(),
    'custom:N': custom,
  },
  VEHICLES: {
    id: someId(),
    name: names,
    vin: names,
    year: pick('', '1', 'x', '99999999999'),
    location_id: someId(),
  },
  LOCATIONS: {
    ...{ id: someId(), name: names, parent_location_id: someId(), team_id: team(), 'custom:N': custom },
    path: pick('', '', 'a', 'a / b', 'A/b / c', 'b / Straße', 'Unseen', 'Unseen / a', ' / '),
  },
  COMPANIES: { id: someId(), name: names, tax_id: names, primary_contact_id: someId(), team_id: team() },
  TYPES: { id: someId(), name: names, team_id: team(), custom_fields: joined },
});

const kinds = ['ITEMS', 'CONTACTS', 'VEHICLES', 'LOCATIONS', 'COMPANIES', 'TYPES'] as const;
const modes = pick('CREATE_ONLY', 'UPSERT', 'UPSERT', 'UPDATE_ONLY') as fc.Arbitrary<
  NonNullable<NewImport['mode']>
>;

test.each(kinds)(
  'a preview of %s tells what running the import does',
  async (kind) => {
    const cells = columns()[kind];
    const file = fc
      .subarray(Object.keys(cells), { minLength: 2 })
      .filter((headers) => headers.some((header) => header !== 'id'))
      .chain((headers) =>
        fc.tuple(
          fc.constant(headers),
          fc.array(fc.tuple(...headers.map((header) => cells[header] as fc.Arbitrary<string>)), {
            ...{ minLength: 1, maxLength: 12 },
          }),
        ),
      );
    let minute = 0;
    const acts = new Set<string>();
    await fc.assert(
      fc.asyncProperty(file, modes, async ([headers, rows], mode) => {
        const content = Buffer.from(writeCsv([headers, ...rows]));
        const { id } = await createImport(session(), { kind, mode, again: true }, content);
        await work(++minute);
        const { preview, state, rowCount } = await findImport(session(), id);
        if (state === 'FAILED') return;
        expect(state).toBe('READY');
        await runImport(session(), id);
        await work(++minute);
        const done = await findImport(session(), id);
        expect(done).toMatchObject({ state: 'DONE', doneCount: rowCount });
        const { createdCount: created, updatedCount: updated, unchangedCount: unchanged } = done;
        expect(preview).toMatchObject({ created, updated, unchanged, failed: done.failedCount });
        const results = await outcomesIn(session(), id);
        expect(preview?.rows.map(({ action }) => action)).toEqual(results.map(([action]) => action));
        // What all rows lack is told once, and so is a name that is asked about.
        const missing = preview?.missing ?? [];
        const isOnce = (part: string) =>
          /names (nobody who is known|several people)/.test(part) ||
          missing.some((column) => part === `${column}: is required`);
        const told = results.flatMap(([, , error]) => {
          const parts = (error ?? '').split('; ').filter((part) => part !== '' && !isOnce(part));
          return parts.length > 0 ? parts.join('; ') : [];
        });
        const foreseen = new Map<number, string[]>();
        for (const { row, column, message } of preview?.errors ?? [])
          if (!isOnce(`${column}: ${message}`))
            foreseen.set(row, [
              ...(foreseen.get(row) ?? []),
              column === null ? message : `${column}: ${message}`,
            ]);
        const expected = [...foreseen.values()].map((messages) => messages.join('; '));
        const withoutIds = (messages: string[]) =>
          messages.map((message) => message.replace(/[0-9a-f-]{36}/g, 'id'));
        expect(withoutIds(expected)).toEqual(withoutIds(told));
        for (const [action] of results) acts.add(action);
      }),
      { seed, numRuns: some(80) },
    );
    expect([...acts]).toEqual(expect.arrayContaining(['created', 'failed', 'updated']));
  },
  patience,
);

test('a preview does not show links to records that the caller does not see', async () => {
  const made = async (path: string, body: object) => (await gateway.send('POST', path, { body })).json.id;
  const item = await made('/v1/expirationitems', {
    ...{ name: 'Shown', expiration_date: '2027-01-01', contacts: [{ id: unseen }] },
  });
  const vehicle = await made('/v1/vehicles', { name: 'Shown', assigned_to_contact_id: unseen });
  const changes = async (kind: ListKind, header: string, cells: string, minute: number) => {
    const content = Buffer.from(`${header}\n${cells}\n`);
    const { id } = await createImport(session(), { kind, mode: 'UPDATE_ONLY' }, content);
    await work(minute);
    const { preview } = await findImport(session(), id);
    return preview?.rows.map((row) =>
      row.changes.map(({ column, before, after }) => [column, before, after]),
    );
  };
  expect(await changes('ITEMS', 'id,contacts', `${item},seen@x.test`, 10_000)).toEqual([
    [['contacts', null, 'seen@x.test']],
  ]);
  expect(await changes('VEHICLES', 'id,name,assigned_to_contact_id', `${vehicle},Changed,`, 10_001)).toEqual([
    [['name', 'Shown', 'Changed']],
  ]);
});

test('rows that look alike are each made once, though the worker dies between them', async () => {
  const content = Buffer.from(`name,expiration_date\n${'Alike,2027-01-01\n'.repeat(7)}`);
  const { id } = await createImport(session(), { kind: 'ITEMS', mode: 'CREATE_ONLY' }, content);
  await work(20_000);
  expect((await findImport(session(), id)).preview).toMatchObject({ created: 7, failed: 0 });
  await runImport(session(), id);
  const now = new Date(testTime.getTime() + 20_001 * 60_000);
  const claim = { count: 1, now, leaseUntil: new Date(now.getTime() + 15_000) };
  const [claimed] = await claimImports(gateway.database, claim);
  const dying = new AbortController();
  let batches = 0;
  const clock = () => {
    // The first batch is written, and the second is about to be.
    if (++batches === 2) dying.abort();
    return now;
  };
  const own = { ...claimed, session: new Session(gateway.database, { caller: session().caller, now }) };
  const options = { database: gateway.database, clock, schema, batchRows: 3 };
  await expect(processImport(options, own as never, dying.signal)).rejects.toThrow();
  const halfway = await findImport(session(), id);
  expect(halfway.state).toBe('RUNNING');
  expect([3, 6]).toContain(halfway.doneCount);
  await work(20_002);
  expect(await findImport(session(), id)).toMatchObject({ state: 'DONE', createdCount: 7, failedCount: 0 });
});
