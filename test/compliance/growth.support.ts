import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import { pagesOf, pagesRead } from '../db/growth.support.js';
import { type TestGateway, useGateway } from '../support/gateway.js';

/** Papers of a vehicle. */
const papers = 4;

/** Locations, of which there are few. */
const places = 20;

/** SQL for the id of the n-th record of a kind. */
const id = (kind: string, number = 'g') => `md5('${kind} ' || ${number})::uuid`;

/**
 * Fills a database with vehicles that have four papers each, half as many people without any, and some locations. A fifth
 * paper is asked of each tenth vehicle, which has none. Each day, papers of every 250th vehicle expire.
 */
async function fill(client: pg.Client, gateway: TestGateway, vehicles: number): Promise<void> {
  const owner = `'${gateway.organizationId}'::uuid, '${gateway.teamId}'::uuid`;
  const series = (count: number, name = 'g') => `generate_series(1, ${count}) AS ${name}`;
  const old = `TIMESTAMPTZ '2026-01-01 09:30Z'`;
  const rule = (number: number, kind: string, applies = '{}') =>
    `(${id('rule', String(number))}, ${owner}, 'Rule ${number}', '${kind}', '${applies}', ARRAY[${id('type', String(number))}])`;
  const own = (kind: string, table: string) => `
    INSERT INTO holder_compliances (organization_id, team_id, kind, holder_id, ${kind}_id)
    SELECT organization_id, team_id, '${kind.toUpperCase()}', id, id FROM ${table}`;
  await client.query(`
    SET session_replication_role = replica; SET synchronous_commit = off;
    INSERT INTO categories (id, organization_id, team_id, name) SELECT ${id('type')}, ${owner}, 'Type ' || g FROM ${series(5)};
    INSERT INTO vehicles (id, organization_id, team_id, name, year, created)
    SELECT ${id('vehicle')}, ${owner}, 'Truck ' || g, CASE WHEN g % 10 = 0 THEN 2025 ELSE 2015 END, ${old} FROM ${series(vehicles)};
    INSERT INTO contacts (id, organization_id, team_id, name, email, created)
    SELECT ${id('contact')}, ${owner}, 'Person ' || g, 'person' || g || '@example.com', ${old} FROM ${series(vehicles / 2)};
    INSERT INTO locations (id, organization_id, team_id, name) SELECT ${id('location')}, ${owner}, 'Yard ' || g FROM ${series(places)};
    INSERT INTO expiration_items (id, organization_id, team_id, name, category_id, expiration_date, notify_on)
    SELECT ${id('item', "g || ' ' || t")}, ${owner}, 'Paper ' || g, ${id('type', 't')}, day, day - 30
    FROM ${series(vehicles)}, ${series(papers, 't')}, LATERAL (SELECT DATE '2026-12-24' + (g * 7 + t * 250) % 1000 AS day) AS due;
    INSERT INTO item_holders (item_id, kind, holder_id, vehicle_id, position)
    SELECT ${id('item', "g || ' ' || t")}, 'VEHICLE', ${id('vehicle')}, ${id('vehicle')}, 0
    FROM ${series(vehicles)}, ${series(papers, 't')};
    INSERT INTO requirements (id, organization_id, team_id, name, holder_kind, applies, any_of) VALUES
      ${[1, 2, 3, 4].map((number) => rule(number, 'vehicle')).join(', ')},
      ${rule(5, 'vehicle', '{"year":{"gte":2020}}')}, ${rule(6, 'contact')}, ${rule(7, 'location')};
    ${own('vehicle', 'vehicles')}; ${own('contact', 'contacts')}; ${own('location', 'locations')};
    INSERT INTO compliance_turns (organization_id, team_id, kind) VALUES
      (${owner}, 'VEHICLE'), (${owner}, 'CONTACT'), (${owner}, 'LOCATION');
    SET session_replication_role = origin`);
}

/** Evaluates all records whose turn it is. */
async function settle({ database, clock }: TestGateway): Promise<void> {
  const waiting = () => database.prisma.complianceTurn.count({ where: { dueAt: { lte: new Date() } } });
  do await evaluateTurns(database, () => clock.now);
  while ((await waiting()) > 0);
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;

/** Counts records of a kind by their states. */
async function statesOf(client: pg.Client, kind: string): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query<{ state: string; count: number }>(
    'SELECT state::text AS state, count(*)::int AS count FROM holder_compliances WHERE kind = $1 GROUP BY state',
    [kind],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** The first pages that people and programs read, and of each the most pages of 8 kB that it may take. */
const firstPages = [
  ['of all, the worst first', '', 400],
  ['of vehicles', 'filter: { kind: VEHICLE }', 400],
  ['of vehicles that comply', 'filter: { kind: VEHICLE, state: COMPLIANT }', 400],
  ['of locations, of which there are few', 'filter: { kind: LOCATION }', 400],
] as const;

/** Returns the pages of 8 kB that the first page of the list takes. */
const pagesOfList = (gateway: TestGateway, client: pg.Client, args: string): Promise<number> =>
  pagesRead(
    gateway,
    client,
    `{ compliances(first: 50${args && `, ${args}`}) { nodes { name state until gapIds } } }`,
    gateway.admin,
  );

/** What a look at what is due has done. */
interface Look {
  readonly statements: number;
  /** How long it took. It is printed and never tested, because other programs may keep the machine busy. */
  readonly seconds: number;
  /** Records that were evaluated anew. */
  readonly evaluated: number;
  /** Pages of 8 kB that were read to find them, without their evaluation. */
  readonly pages: number;
}

/** Evaluates what is due by now. */
async function look(gateway: TestGateway, client: pg.Client): Promise<Look> {
  const { now } = gateway.clock;
  const { rows } = await client.query(
    'SELECT count(*)::int AS due FROM holder_compliances WHERE changes_at <= $1',
    [now],
  );
  const began = performance.now();
  const sent = await gateway.sentStatements(() => evaluateTurns(gateway.database, () => now));
  const seconds = secondsSince(began);
  const finding = sent.filter(({ name }) => name === 'holder_compliances.claim');
  return {
    ...{ statements: sent.length, seconds },
    evaluated: rows[0].due,
    pages: await pagesOf(client, finding.slice(-1)),
  };
}

/** Creates, changes and deletes a requirement for all vehicles, and returns the number of statements of each write. */
async function requireOfAll(gateway: TestGateway, client: pg.Client): Promise<number[]> {
  const send = async (method: string, path: string, body?: object) => {
    let text = '';
    const sent = await gateway.sentStatements(async () => {
      const answer = await gateway.send(method, path, body && { body });
      expect(answer.status, answer.text).toBeLessThan(300);
      text = answer.text;
    });
    const own = sent.filter(({ query }) => !/authenticate/.test(query));
    return { id: JSON.parse(text).id as string, statements: own };
  };
  const { rows } = await client.query(`SELECT ${id('type', '5')} AS id`);
  const body = { name: 'Of all', holder_kind: 'vehicle', any_of: [rows[0].id] };
  const created = await send('POST', '/v1/requirements', body);
  const path = `/v1/requirements/${created.id}`;
  const written = [created, await send('PUT', path, { valid_days: 7 }), await send('DELETE', path)];
  return written.map(({ statements }) => statements.length);
}

/** The most records that are evaluated in one transaction. */
const atOnce = 250;

/** Tests what compliance costs where there are so many vehicles. Bounds are of counts, never of times. */
export function testGrowth(vehicles: number): void {
  const gateway = useGateway();
  let client: pg.Client;
  const print = (what: string) => process.stdout.write(`Compliance of ${vehicles} vehicles: ${what}\n`);
  beforeAll(async () => {
    client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    await fill(client, gateway, vehicles);
    await client.query('VACUUM ANALYZE');
    const began = performance.now();
    const sent = await gateway.sentStatements(() => settle(gateway));
    print(`all ${1.5 * vehicles + places} evaluated, ${sent.length} statements, ${secondsSince(began)} s`);
    await client.query('VACUUM ANALYZE holder_compliances');
  }, 3_600_000);
  afterAll(() => client.end());

  test('all are evaluated', async () => {
    expect(await statesOf(client, 'CONTACT')).toEqual({ NON_COMPLIANT: vehicles / 2 });
    expect(await statesOf(client, 'LOCATION')).toEqual({ NON_COMPLIANT: places });
    expect((await statesOf(client, 'VEHICLE')).NON_COMPLIANT).toBe(vehicles / 10);
  });

  test.each(firstPages)('the first page %s costs what it shows', async (what, args, most) => {
    const pages = await pagesOfList(gateway, client, args);
    print(`the first page ${what}, ${pages} pages`);
    expect(pages).toBeLessThan(most);
  });

  describe('a new day', () => {
    test('costs nothing if nothing changes', async () => {
      gateway.clock.now = new Date('2026-11-20T21:00:00Z');
      const { statements, evaluated, pages, seconds } = await look(gateway, client);
      print(`a day without changes, ${statements} statements, ${pages} pages, ${seconds} s`);
      expect(evaluated).toBe(0);
      expect(statements).toBeLessThan(12);
      expect(pages).toBeLessThan(20);
    });

    test('costs what changes', async () => {
      gateway.clock.now = new Date('2026-11-24T12:00:00Z');
      const { statements, evaluated, pages, seconds } = await look(gateway, client);
      print(
        `a new day, ${evaluated} evaluated, ${statements} statements, ${pages} pages to find them, ${seconds} s`,
      );
      expect(evaluated).toBeGreaterThan(0);
      expect(evaluated).toBeLessThan(vehicles / 10);
      expect(statements).toBeLessThan(30 * (1 + Math.ceil(evaluated / atOnce)));
    });
  });

  test('a requirement for all is written at once, and leaves nothing behind', {
    timeout: 3_600_000,
  }, async () => {
    const before = await statesOf(client, 'VEHICLE');
    for (const statements of await requireOfAll(gateway, client)) expect(statements).toBeLessThan(25);
    expect(await gateway.database.prisma.complianceTurn.count()).toBeLessThan(8);
    const began = performance.now();
    await settle(gateway);
    print(`a requirement for all, created, changed and deleted, evaluated in ${secondsSince(began)} s`);
    expect(await statesOf(client, 'VEHICLE')).toEqual(before);
  });
}
