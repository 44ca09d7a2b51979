import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { aroundStatements } from '../../src/cli/process/tracing.js';
import { readConfig } from '../../src/config/config.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';
import { Lines } from '../support/lines.js';

let made: TestDatabase;
let database: Database;
let tenant: Tenant;
let app: App;
let url: string;
const lines = new Lines();
beforeAll(async () => {
  made = await createDatabase();
  tenant = await createTenant(made.database);
  const config = readConfig({ DATABASE_URL: made.url, LOG_LEVEL: 'trace' });
  const log = pino({ level: config.logLevel }, lines);
  database = openDatabase({
    url: made.url,
    poolSize: 5,
    aroundStatement: aroundStatements(config, log, undefined),
    onError: () => {},
  });
  app = createApp({ database, config, log, clock: () => testTime });
  ({ url } = await app.listen('127.0.0.1', 0));
});
afterAll(async () => {
  await app.close();
  await database.close();
  await made.drop();
});
beforeEach(() => {
  lines.text = '';
});

/** Returns the statements that are logged. */
const statements = () =>
  lines.text.split('\n').flatMap((line) => (line.includes('"statement"') ? [JSON.parse(line)] : []));

async function send(method: string, path: string, body?: unknown) {
  const headers = { Authorization: `Bearer ${tenant.admin}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response;
}

test('LOG_LEVEL=trace logs statements by name with their time and the request, never values', async () => {
  const response = await send('GET', '/v1/vehicles?term=secret-term');
  const id = response.headers.get('x-request-id');
  const logged = statements();
  expect(logged.map(({ statement }) => statement)).toContain('vehicles.search + users');
  for (const line of logged) {
    expect(line).toMatchObject({ level: 10, statement: expect.any(String), ms: expect.any(Number), id });
    expect(line.ms).toBeGreaterThan(0);
  }
  await send('POST', '/v1/companies', { name: 'secret-name' });
  expect(statements().map(({ statement }) => statement)).toContain('companies.insert + users');
  for (const secret of ['secret-term', 'secret-name', tenant.admin, tenant.organizationId]) {
    expect(lines.text).not.toContain(secret);
  }
});

test('a statement that fails is logged as such', async () => {
  await expect(database.sql('SELECT 1 / $1::int AS never FROM vehicles_of_nobody', [0])).rejects.toThrow();
  // Requests before may have something to say still, by other names.
  const own = statements().filter(({ statement }) => statement === 'administration');
  expect(own).toMatchObject([{ statement: 'administration', failed: true }]);
});

test('at any other level statements pass through nothing', () => {
  const config = readConfig({ DATABASE_URL: made.url, LOG_LEVEL: 'debug' });
  expect(aroundStatements(config, pino({ level: 'debug' }, lines), undefined)).toBeUndefined();
});
