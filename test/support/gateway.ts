import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { type App, type AppOptions, createApp } from '../../src/app.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import type { DatabaseOptions, SentStatement } from '../../src/db/connection/pool.js';
import { installRoleAndPolicies } from '../../src/db/row-security/policies.js';
import type { Role } from '../../src/domain/caller.js';
import { newId } from '../../src/domain/rules.js';
import type { LiveLimits } from '../../src/live/live.js';
import { createPasswordHasher } from '../../src/sign-in/password-hasher.js';
import { execute, templateDatabase, urlOf } from './database.js';
import { addressesOf, postgresUrl } from './postgres.js';
import { sendAs } from './send.js';
import { tenantInTemplate, tenantTemplate } from './tenant-template.js';

/** A migrated database for one test file. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  drop(): Promise<void>;
}

/** Creates a fresh database, which is empty unless another template is given. */
export async function createDatabase(
  onStatement?: (statement: SentStatement) => void,
  options?: Partial<Pick<DatabaseOptions, 'files' | 'patience' | 'poolSize' | 'rowSecurity'>>,
  template = templateDatabase,
): Promise<TestDatabase> {
  const server = postgresUrl;
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files takes half as long as PostgreSQL's usual way, which writes each page to the log.
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = urlOf(server, name);
  if (options?.rowSecurity) await installRoleAndPolicies(url);
  const database = openDatabase({
    ...addressesOf(url),
    poolSize: 10,
    onStatement,
    onError: () => {},
    ...options,
  });
  return {
    url,
    database,
    drop: async () => {
      await database.close();
      await execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** An organization with two workspaces, a user in both, and the user's tokens. */
export interface Tenant {
  readonly organizationId: string;
  readonly teamId: string;
  readonly otherTeamId: string;
  readonly userId: string;
  readonly admin: string;
  /** A user's token that reaches only `teamId`. */
  readonly member: string;
  readonly viewer: string;
  readonly uploader: string;
}

/** The time in tests, unless they move it. */
export const testTime = new Date('2026-11-20T09:30:00.000Z');

/** Creates a tenant. */
export async function createTenant(database: Database, name = 'Acme'): Promise<Tenant> {
  const [organizationId, teamId, otherTeamId, userId, memberId] = [
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
  ];
  const { prisma } = database;
  const times = { created: testTime, modified: testTime };
  await prisma.organization.create({ data: { id: organizationId, name, ...times } });
  await prisma.team.createMany({
    data: [
      { id: teamId, organizationId, name: `${name} Main`, ...times },
      { id: otherTeamId, organizationId, name: `${name} Other`, ...times },
    ],
  });
  await prisma.user.createMany({
    data: [
      { id: userId, organizationId, teamId, name: 'Ada Admin', email: 'ada@example.com', ...times },
      { id: memberId, organizationId, teamId, name: 'Max Member', email: 'max@example.com', ...times },
    ],
  });
  await prisma.membership.createMany({
    data: [
      { userId, teamId },
      { userId, teamId: otherTeamId },
      { userId: memberId, teamId },
    ],
  });
  const token = async (role: Role, owner: string) =>
    (
      await createToken(
        database,
        { organizationId, userId: owner, name: role, role, expiresAt: null },
        testTime,
      )
    ).token;
  return {
    organizationId,
    teamId,
    otherTeamId,
    userId,
    admin: await token('ADMIN', userId),
    member: await token('MEMBER', memberId),
    viewer: await token('VIEWER', memberId),
    uploader: await token('UPLOADER', memberId),
  };
}

/** Returns the tenant of the database that those with a tenant are copied from. */
const inTemplate = () =>
  tenantInTemplate(async () => {
    const { url, database } = await createDatabase();
    const tenant = await createTenant(database);
    await database.close();
    return { url, tenant };
  });

/** Options of a request to a test's gateway. */
export interface TestRequest {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent as is, instead of `body` as JSON. */
  readonly raw?: BodyInit;
  readonly headers?: Record<string, string>;
}

/** An answer with its body. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
  readonly json: any;
}

/** A gateway that listens on a free port, with its own database. */
export interface TestGateway extends Tenant {
  readonly url: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly app: App;
  /** The time that requests see. */
  readonly clock: { now: Date };
  /** Returns the SQL of everything that `work` sends, in order, including the ends of transactions. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  /** Returns the same statements, with their names and parameters. */
  sentStatements(work: () => Promise<unknown>): Promise<SentStatement[]>;
  /** Returns the names of the same statements; `prisma` for those of Prisma Client. */
  statementNames(work: () => Promise<unknown>): Promise<string[]>;
  /** Sends a request, as the admin unless told otherwise. */
  send(method: string, path: string, request?: TestRequest): Promise<TestResponse>;
  /** Sends a GraphQL operation. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
  graphql(query: string, variables?: object, token?: string): Promise<any>;
  close(): Promise<void>;
}

/** Limits or tenants other than the usual ones. */
type Bounds = Pick<
  AppOptions,
  'wire' | 'admission' | 'memory' | 'settleInterval' | 'uptime' | 'routes' | 'consoleFolder' | 'hasher'
> &
  Partial<Pick<AppOptions, 'log'>> &
  Partial<Pick<DatabaseOptions, 'files' | 'patience' | 'poolSize'>> & {
    /** Creates the tenant. By default, all gateways of a run have the same one, each in its own database. */
    readonly makeTenant?: (database: Database) => Promise<Tenant>;
  };

/**
 * Tests that are not about rate limits disable them: the clock stands still, because exchanging counts is a
 * statement.
 */
export const unlimited = { RATE_LIMIT: 'off', RATE_LIMIT_FAILURES: 'off' };

/** Settings of all gateways from the tests' environment: the same tests must pass with row-level security. */
const switched: Record<string, string> = process.env.ROW_SECURITY
  ? { ROW_SECURITY: process.env.ROW_SECURITY }
  : {};

/** Starts a gateway. */
export async function startGateway(
  env: Record<string, string> = {},
  live?: Partial<LiveLimits>,
  { patience, poolSize, files, log = pino({ level: 'silent' }), makeTenant, ...bounds }: Bounds = {},
): Promise<TestGateway> {
  let sent: SentStatement[] = [];
  const given = { ...switched, ...env };
  // What is done beside the requests, at an arbitrary time, is left out of their statements: storing the last use, and
  // looking for large organizations.
  const record = (statement: SentStatement) => {
    if (!/\.note_use$|^pg_stats\.large$/.test(statement.name)) sent.push(statement);
  };
  if (!makeTenant) await inTemplate();
  const options = {
    rowSecurity: given.ROW_SECURITY === 'on',
    ...(patience && { patience }),
    ...(poolSize && { poolSize }),
    files,
  };
  const test = await createDatabase(record, options, makeTenant ? templateDatabase : tenantTemplate);
  const config: Config = readConfig({ DATABASE_URL: test.url, ...unlimited, CONSOLE: 'off', ...given });
  const clock = { now: testTime };
  // Uptime is monotonic even if a test sets its clock back, because quotas depend on it.
  let latest = 0;
  const uptime = () => {
    latest = Math.max(latest, clock.now.getTime());
    return latest;
  };
  const tenant = await (makeTenant ?? inTemplate)(test.database);
  const app = createApp({
    database: test.database,
    config,
    log,
    clock: () => clock.now,
    uptime,
    live,
    // A test that signs in cannot afford the recommended cost.
    hasher: createPasswordHasher({ ln: 4 }),
    ...bounds,
  });
  const { url } = await app.listen('127.0.0.1', 0);

  const send = sendAs(url, tenant.admin);

  return {
    ...tenant,
    url,
    databaseUrl: test.url,
    database: test.database,
    app,
    clock,
    statements: async (work) => {
      sent = [];
      await work();
      return sent.map(({ query }) => query);
    },
    sentStatements: async (work) => {
      sent = [];
      await work();
      return sent;
    },
    statementNames: async (work) => {
      sent = [];
      await work();
      return sent.map(({ name }) => name);
    },
    send,
    graphql: async (query, variables, token = tenant.admin) =>
      (await send('POST', '/graphql', { token, body: { query, variables } })).json,
    close: async () => {
      await app.close();
      await test.drop();
    },
  };
}

/** Returns a gateway that a hook starts, and that has nothing in it until then. */
function startedBy(before: typeof beforeAll, settings: Parameters<typeof startGateway>): TestGateway {
  const gateway = {} as TestGateway;
  before(async () => {
    Object.assign(gateway, await startGateway(...settings));
  });
  return gateway;
}

/** Starts a gateway before the tests of a file or a group, and closes it after them. */
export function useGateway(...settings: Parameters<typeof startGateway>): TestGateway {
  const gateway = startedBy(beforeAll, settings);
  afterAll(() => gateway.close());
  return gateway;
}

/** Starts a gateway before each test, and closes it after it. */
export function useFreshGateway(...settings: Parameters<typeof startGateway>): TestGateway {
  const gateway = startedBy(beforeEach, settings);
  afterEach(() => gateway.close());
  return gateway;
}
