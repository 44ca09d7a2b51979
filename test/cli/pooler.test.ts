import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { urlOf } from '../support/database.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { type PoolerOptions, startPooler } from '../support/pooler.js';
import { execute, start } from './support.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createDatabase();
});
afterAll(() => test.drop());

async function pooled(options: PoolerOptions): Promise<string> {
  const pooler = await startPooler(test.url, options);
  onTestFinished(pooler.close);
  return pooler.url;
}

const advisoryLocks = `
  SELECT objid FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('a pooler in transaction mode', () => {
  it.each([
    ['one connection', { size: 1 }],
    ['two connections, the last first', { size: 2 }],
    ['two connections, in turn', { size: 2, order: 'longest' }],
    ['three connections, in turn', { size: 3, order: 'longest' }],
    ['twenty connections, in turn', { size: 20, order: 'longest' }],
  ] as const)('with %s is refused in a sentence, and no lock is left', async (_, options) => {
    const url = await pooled({ mode: 'transaction', ...options });
    for (const command of [['migrate'], ['migrate']]) {
      const { exitCode, stderr } = await execute({ DATABASE_URL: url }, ...command);
      expect(stderr).toMatch(/^error: .*pooler in transaction mode.*set DATABASE_POOLING=transaction.*\.\n$/);
      expect(exitCode).toBe(1);
    }
    expect(await test.database.sql(advisoryLocks, [])).toEqual([]);
  });

  it.each([['serve'], ['worker'], ['token', 'list'], ['backup', '/tmp/never-written.backup']])(
    'is refused by %s, too',
    async (...command) => {
      const url = await pooled({ mode: 'transaction', size: 4 });
      const { exitCode, stderr } = await execute({ DATABASE_URL: url, PORT: '0' }, ...command);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('DATABASE_POOLING=transaction')]);
    },
  );
});

describe('a direct address', () => {
  it('that leads through a pooler in transaction mode is refused', async () => {
    const url = await pooled({ mode: 'transaction', size: 4 });
    const { exitCode, stderr } = await execute(
      { DATABASE_URL: test.url, DATABASE_DIRECT_URL: url },
      'migrate',
    );
    expect(stderr).toMatch(
      /^error: DATABASE_DIRECT_URL leads .*pooler in transaction mode.*set it to PostgreSQL itself\.\n$/,
    );
    expect(exitCode).toBe(1);
  });

  it('of another database is refused', async () => {
    const { exitCode, stderr } = await execute(
      { DATABASE_URL: test.url, DATABASE_DIRECT_URL: urlOf(test.url, 'postgres') },
      'backup',
      '/tmp/never-written.backup',
    );
    expect(stderr).toMatch(/^error: DATABASE_DIRECT_URL leads to another server or database.*\n$/);
    expect(exitCode).toBe(1);
  });

  it('that nobody listens at is named', async () => {
    const { stderr } = await execute(
      { DATABASE_URL: test.url, DATABASE_DIRECT_URL: 'postgresql://a@127.0.0.1:9/b' },
      'token',
      'list',
    );
    expect(stderr).toMatch(/^error: DATABASE_DIRECT_URL: no connection .*correct DATABASE_DIRECT_URL\.\n$/);
  });
});

it.each(['session', 'transaction'] as const)('a pooler in %s mode is used', async (mode) => {
  const url = await pooled({ mode, size: 30 });
  const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: test.url, DATABASE_POOLING: mode, PORT: '0' };
  const running = start(env, 'serve');
  await expect.poll(running.stdout, { timeout: 30_000 }).toContain('"ready"');
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect((await running.outcome).exitCode).toBe(0);
});

it('a direct address that is pooled by transaction is refused beside the pooler itself', async () => {
  const url = await pooled({ mode: 'transaction', size: 4 });
  const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATABASE_POOLING: 'transaction' };
  const { exitCode, stderr } = await execute(env, 'migrate');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('set it to PostgreSQL itself.')]);
});

it('a pooler in statement mode is refused', hasPgBouncer, async () => {
  const { url, close } = await startPgBouncer(test.url, 'statement');
  onTestFinished(close);
  const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: test.url, DATABASE_POOLING: 'transaction' };
  const { exitCode, stderr } = await execute(env, 'migrate');
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/transaction blocks? not allowed in statement pooling mode/),
  ]);
});
