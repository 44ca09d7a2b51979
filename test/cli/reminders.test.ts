import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { notSetUp } from '../../src/reminders/mail-server.js';
import { createDatabase, createTenant, type Tenant, type TestDatabase } from '../support/gateway.js';
import { execute, jsonOf } from './support.js';

let { database, drop, url } = {} as TestDatabase;
let tenant: Tenant;
const mail = { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'expiry@example.com' };
const gateway = (...argv: string[]) => execute({ DATABASE_URL: url, ...mail }, ...argv);
const day = 86_400_000;
const today = new Date(new Date().toISOString().slice(0, 10));

beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
  tenant = await createTenant(database);
  const { organizationId, teamId } = tenant;
  const { prisma } = database;
  const { reminderPolicyId: policyId } = await prisma.team.findUniqueOrThrow({ where: { id: teamId } });
  await prisma.reminderStep.deleteMany();
  await prisma.reminderStep.create({
    data: {
      ...{ id: newId(), policyId: policyId ?? '', position: 0, offsetDays: -10 },
      ...{ recipients: ['ADDRESSES'], addresses: ['anna@example.org'] },
    },
  });
  const categoryId = newId();
  await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
  const item = { id: newId(), organizationId, teamId, categoryId, name: 'Trade licence' };
  await prisma.expirationItem.create({
    data: { ...item, expirationDate: new Date(today.getTime() + 15 * day) },
  });
});
afterAll(() => drop());

describe('reminders preview', () => {
  it('lists what would be sent, to whom and why', async () => {
    const [row, ...others] = jsonOf(await gateway('reminders', 'preview', '--json'));
    expect(others).toEqual([]);
    expect(row).toEqual({
      at: new Date(today.getTime() + 5 * day + day / 3).toISOString(),
      ...{ workspace: 'Acme Main', item: 'Trade licence', to: 'anna@example.org', not: null },
      expires: new Date(today.getTime() + 15 * day).toISOString().slice(0, 10),
      why: expect.stringMatching(/^10 days before, by ".+"$/),
    });
    const { stdout, exitCode } = await gateway('reminders', 'preview', '--organization', 'Acme', '--plain');
    expect(exitCode).toBe(0);
    expect(stdout.split('\t')).toContain('anna@example.org');
    expect(await database.prisma.delivery.count()).toBe(0);
  });

  it('says that there is nothing, and that mail is not set up', async () => {
    const { stdout, stderr } = await execute({ DATABASE_URL: url }, 'reminders', 'preview', '--days', '2');
    expect(stdout).toBe('');
    expect(stderr).toBe(`No reminders are due in the next 2 days.\n${notSetUp}\n`);
  });

  it.each(['0', '91', 'x', '-1', '1.5'])('refuses %s days', async (days) => {
    const { exitCode, stderr } = await gateway('reminders', 'preview', `--days=${days}`);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('a number from 1 to 90')]);
  });
});

describe('reminders run', () => {
  it('decides once what came due until a moment', async () => {
    const { prisma } = database;
    const back = new Date(today.getTime() - 3 * day);
    await prisma.expirationItem.updateMany({ data: { expirationDate: new Date(today.getTime() + 8 * day) } });
    await prisma.reminderCheck.deleteMany();
    await prisma.reminderMark.updateMany({ data: { through: back, nextAt: back } });
    const until = new Date(today.getTime() - day).toISOString();
    expect(jsonOf(await gateway('reminders', 'run', '--until', until, '--json'))).toEqual({ until, told: 1 });
    expect(await prisma.delivery.findMany()).toMatchObject([
      { address: 'anna@example.org', state: 'QUEUED' },
    ]);
    const { stdout } = await gateway('reminders', 'run');
    expect(stdout).toMatch(/^Decided everything due until .+: 0 reminders will be sent\.\n$/);
    expect(await prisma.delivery.count()).toBe(1);
  });

  it('decides nothing while mail is not set up', async () => {
    const { exitCode, stderr } = await execute({ DATABASE_URL: url }, 'reminders', 'run');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Mail is not set up')]);
  });

  it.each(['2999-01-01', 'yesterday', '5d'])('refuses %s', async (until) => {
    expect((await gateway('reminders', 'run', '--until', until)).exitCode).toBe(2);
  });
});
