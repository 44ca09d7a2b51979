import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays, formatDate } from '../../src/domain/dates.js';
import { newId } from '../../src/domain/rules.js';
import { type MailSink, startMailSink } from '../mail/smtp.support.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, createTenant, type TestDatabase } from '../support/gateway.js';
import { type Running, start } from './support.js';

let db: TestDatabase;
let sink: MailSink;
let env: Record<string, string>;
beforeEach(async () => {
  db = await createDatabase();
  sink = await startMailSink();
  env = {
    DATABASE_URL: db.url,
    PORT: '0',
    SECRET_KEY: '5e'.repeat(32),
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: 'Expiry <expiry@example.com>',
    PUBLIC_URL: 'https://gateway.example.com',
  };
});
afterEach(async () => {
  await sink.close();
  await db.drop();
});

/** Waits for a line of the log. */
const line = ({ stdout }: Running, wanted: string) =>
  eventually(() => {
    const lines = stdout().split('\n');
    const found = lines
      .map((text) => (text.startsWith('{') ? JSON.parse(text) : {}))
      .find(({ msg }) => msg === wanted);
    if (!found) throw new Error(`The log lacks "${wanted}": ${stdout()}`);
    return found;
  });

async function stop(running: Running): Promise<number> {
  running.signals.emit('SIGTERM', 'SIGTERM');
  return (await running.outcome).exitCode;
}

/** Creates an item that expires in some days, of which nobody but the admins can be told. */
async function makeItem(days: number): Promise<string> {
  const { organizationId, teamId } = await createTenant(db.database);
  const [id, categoryId] = [newId(), newId()];
  const { prisma } = db.database;
  await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
  const expirationDate = addDays(new Date(formatDate(new Date())), days);
  const values = { id, organizationId, teamId, categoryId, name: 'Trade licence', expirationDate };
  await prisma.expirationItem.create({ data: { ...values, modified: new Date() } });
  return id;
}

test('a worker sends due mails, and a gateway handles their links', async () => {
  const itemId = await makeItem(5);
  const worker = start(env, 'worker');
  expect(await line(worker, 'Reminders are sent by mail')).toMatchObject({
    server: '127.0.0.1',
    links: true,
  });
  await eventually(() => expect(sink.taken).toHaveLength(1));
  expect(await stop(worker)).toBe(0);
  const [taken] = sink.taken;
  expect(taken?.to).toEqual(['ada@example.com']);
  const [link = ''] = /\/r\/\S+/.exec(taken?.mail.text ?? '') ?? [];
  const gateway = start({ ...env, WORKER: 'off' }, 'serve');
  const { url } = await line(gateway, 'ready');
  expect((await fetch(url + link, { method: 'POST' })).status).toBe(200);
  expect(await db.database.prisma.acknowledgement.findMany()).toMatchObject([{ itemId, via: 'LINK' }]);
  expect(gateway.stdout()).not.toContain('Mail is not set up');
  expect(await stop(gateway)).toBe(0);
  expect(sink.taken).toHaveLength(1);
});

test('without a mail server nothing is decided, and the log says so', async () => {
  await makeItem(5);
  const { SMTP_URL: _url, MAIL_FROM: _from, ...without } = env;
  const gateway = start(without, 'serve');
  await line(gateway, 'Mail is not set up: no reminders are sent until it is (SMTP_URL, or the console)');
  await line(gateway, 'ready');
  expect(await stop(gateway)).toBe(0);
  expect(await db.database.prisma.reminder.count()).toBe(0);
});

test('a worker that lacks the key of serve sends no links, makes no key, and says so', async () => {
  await makeItem(5);
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-no-key-'));
  try {
    const { SECRET_KEY: _key, ...without } = env;
    const worker = start({ ...without, DATA_DIR: dataDir }, 'worker');
    await line(worker, 'Mails have no links, and invitations wait: set the same SECRET_KEY as for serve');
    await eventually(() => expect(sink.taken).toHaveLength(1));
    expect(await stop(worker)).toBe(0);
    expect(sink.taken[0]?.mail.text).not.toContain('https://gateway.example.com');
    expect(await readdir(dataDir)).not.toContain('secret.key');
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
