import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { anna, decide, makeItem, setSteps, to } from '../reminders/told.support.js';
import { useFreshGateway } from '../support/gateway.js';
import { ask } from './support.js';

const gateway = useFreshGateway();
let steps: string[];
beforeEach(async () => {
  steps = await setSteps(gateway, gateway.teamId, [
    to(anna),
    { ...to(anna), offsetDays: -7 },
    { ...to(anna), offsetDays: 1, repeatEveryDays: 7 },
  ]);
});

const query = `query ($days: Int!, $first: Int, $after: String, $teamId: ID) {
  upcomingReminders(days: $days, first: $first, after: $after, teamId: $teamId) {
    nodes { at itemName expirationDate occurrence isAfterSnooze step { id } policy { name }
      recipients { address reason isFallback } expirationItem { id } team { id } }
    pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}`;

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
const read = async (variables: object, token?: string): Promise<any> =>
  (await ask(gateway, query, { days: 90, ...variables }, token)).upcomingReminders;

const shortly = (nodes: { at: string; step: { id: string }; occurrence: number }[]) =>
  nodes.map(({ at, step, occurrence }) => `${at.slice(0, 16)} ${steps.indexOf(step.id)} #${occurrence}`);

const item = (expirationDate: string, values: object = {}) =>
  makeItem(gateway, gateway, { expirationDate: new Date(expirationDate), ...values });

const errorOf = async (variables: object, document = query, token?: string) =>
  (await gateway.graphql(document, variables, token)).errors?.[0];

describe('upcomingReminders', () => {
  test('lists future reminders with time, recipient and step', async () => {
    const id = await item('2026-12-21');
    const { nodes, pageInfo } = await read({ days: 60 });
    expect(shortly(nodes)).toEqual([
      '2026-11-21T08:00 0 #0',
      '2026-12-14T08:00 1 #0',
      '2026-12-22T08:00 2 #0',
      '2026-12-29T08:00 2 #1',
      '2027-01-05T08:00 2 #2',
      '2027-01-12T08:00 2 #3',
      '2027-01-19T08:00 2 #4',
    ]);
    expect(nodes[0]).toMatchObject({
      ...{ itemName: 'Trade licence', expirationDate: '2026-12-21', isAfterSnooze: false },
      ...{ expirationItem: { id }, team: { id: gateway.teamId } },
      recipients: [{ address: anna, reason: null, isFallback: false }],
    });
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  test('is what the evaluator then decides', async () => {
    await item('2026-12-21');
    const { nodes } = await read({ days: 60 });
    for (const { at } of nodes) await decide(gateway, new Date(at));
    const told = await gateway.database.prisma.reminder.findMany({
      where: { stepKey: { in: steps } },
      orderBy: { slot: 'asc' },
    });
    expect(told.map(({ slot, occurrence }) => [slot.toISOString(), occurrence])).toEqual(
      nodes.map(({ at, occurrence }: { at: string; occurrence: number }) => [at, occurrence]),
    );
  });

  test('is the same page by page', async () => {
    for (let n = 0; n < 9; n++) await item(`2026-12-2${n % 3}`);
    const whole = (await read({})).nodes;
    expect(whole.length).toBeGreaterThan(60);
    for (const first of [1, 7, 500]) {
      const found: object[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const { nodes, pageInfo } = await read({ first, after });
        expect(nodes.length).toBeLessThanOrEqual(first);
        expect(pageInfo.hasPreviousPage).toBe(after !== undefined);
        found.push(...nodes);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
        if (first === 1 && found.length === 12) break;
      }
      expect(found).toEqual(first === 1 ? whole.slice(0, 12) : whole);
    }
    expect(await read({ first: 0 })).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } });
  });

  test('omits held-back reminders, and includes the end of a snooze', async () => {
    const id = await item('2026-12-21');
    const acknowledge = (rest: string) =>
      ask(gateway, `mutation { acknowledgeExpirationItem(id: "${id}"${rest}) { id } }`);
    await acknowledge('');
    expect(shortly((await read({})).nodes)).toEqual([
      '2026-11-21T08:00 0 #0',
      '2026-12-14T08:00 1 #0',
      '2026-12-22T08:00 2 #0',
    ]);
    await acknowledge(', snoozeUntil: "2027-01-06"');
    const { nodes } = await read({ days: 60 });
    expect(shortly(nodes).slice(3)).toEqual([
      '2027-01-06T08:00 2 #0',
      '2027-01-12T08:00 2 #3',
      '2027-01-19T08:00 2 #4',
    ]);
    expect(nodes[3].isAfterSnooze).toBe(true);
    await acknowledge(', silence: true');
    expect((await read({})).nodes).toEqual([]);
  });

  test('goes on after a snooze with what it has held back', async () => {
    steps = await setSteps(gateway, gateway.teamId, [
      { ...to(anna), offsetDays: 1, repeatEveryDays: 7, onlyUnacknowledged: true },
    ]);
    const id = await item('2026-11-24');
    await ask(
      gateway,
      `mutation { acknowledgeExpirationItem(id: "${id}", input: {snoozeUntil: "2026-11-28"}) { id } }`,
    );
    for (const [at, ...expected] of [
      ['2026-11-20T09:30Z', '2026-12-02T08:00 0 #1', '2026-12-09T08:00 0 #2'],
      ['2026-11-27T09:30Z', '2026-12-02T08:00 0 #1', '2026-12-09T08:00 0 #2', '2026-12-16T08:00 0 #3'],
    ]) {
      gateway.clock.now = new Date(at ?? '');
      expect(shortly((await read({ days: 20 })).nodes)).toEqual(expected);
    }
    expect(await decide(gateway, new Date('2026-12-02T08:00Z'))).toBe(1);
  });

  test('repeats old reminders, but none that was never sent', async () => {
    const [told, untold] = [await item('2026-01-01'), await item('2026-01-02')];
    const { database, organizationId, teamId } = gateway;
    const reminder = { organizationId, teamId, itemId: told, itemName: 'old', stepKey: steps[2] ?? '' };
    const at = new Date('2026-01-02T08:00:00Z');
    await database.prisma.reminder.create({
      data: { ...reminder, expirationDate: new Date('2026-01-01'), slot: at, state: 'TOLD', decidedAt: at },
    });
    const { nodes } = await read({ days: 10 });
    expect(nodes.map((one: { expirationItem: { id: string } }) => one.expirationItem.id)).toEqual([told]);
    expect(untold).not.toBe(told);
  });

  test('omits items without reminders', async () => {
    await item('2026-12-21', { isActive: false });
    await item('2026-12-21', { isMissing: true });
    await item('2026-12-21', { reminderMode: 'OFF' });
    await item('2026-12-21', { expirationDate: null });
    expect((await read({})).nodes).toEqual([]);
  });

  test('shows who would not get one, and who would instead', async () => {
    await item('2026-12-21');
    const { organizationId } = gateway;
    await gateway.database.prisma.suppression.create({
      data: { organizationId, addressKey: anna, scope: 'ALL', reason: 'UNSUBSCRIBED' },
    });
    const { recipients } = (await read({})).nodes[0];
    expect(recipients).toContainEqual({
      ...{ address: anna, isFallback: false },
      reason: expect.stringContaining('was stopped'),
    });
    expect(recipients).toContainEqual({ address: 'ada@example.com', reason: null, isFallback: true });
  });

  test('shows who is told again by then', async () => {
    const { organizationId, database } = gateway;
    const until = new Date('2026-12-01T12:00:00Z');
    await item('2026-12-21');
    const toldOn = async () => {
      const { nodes } = await read({ days: 30 });
      return nodes.map(
        ({ at, recipients }: { at: string; recipients: { address: string; reason: null }[] }) => [
          at.slice(0, 10),
          ...recipients.filter(({ reason }) => reason === null).map(({ address }) => address),
        ],
      );
    };
    const expected = [
      ['2026-11-21', 'ada@example.com'],
      ['2026-12-14', anna],
    ];
    const key = { organizationId, recipientKey: `mail:${anna}` };
    await database.prisma.recipientSetting.create({ data: { ...key, mutedUntil: until } });
    expect(await toldOn()).toEqual(expected);
    await database.prisma.recipientSetting.deleteMany();
    await database.prisma.suppression.create({
      data: { organizationId, addressKey: anna, scope: 'ALL', reason: 'REFUSED', until },
    });
    expect(await toldOn()).toEqual(expected);
  });

  test('lists what days off move to one day once', async () => {
    steps = await setSteps(gateway, gateway.teamId, [{ ...to(anna), offsetDays: 0, repeatEveryDays: 1 }]);
    await gateway.database.prisma.reminderPolicy.updateMany({ data: { deliverOn: 'WORKING_DAYS' } });
    // A Thursday.
    await item('2026-11-26');
    const expected = [
      ...['2026-11-26T08:00 0 #0', '2026-11-27T08:00 0 #1', '2026-11-30T08:00 0 #4', '2026-12-01T08:00 0 #5'],
    ];
    const { nodes } = await read({ days: 11 });
    expect(shortly(nodes)).toEqual(expected);
    for (const { at } of nodes) await decide(gateway, new Date(at));
    const told = await gateway.database.prisma.reminder.findMany({
      where: { stepKey: { in: steps } },
      orderBy: { slot: 'asc' },
    });
    expect(told.map(({ slot, occurrence }) => `${slot.toISOString().slice(0, 16)} 0 #${occurrence}`)).toEqual(
      expected,
    );
  });

  test('omits what was decided today, if its time is moved', async () => {
    const id = await item('2026-12-20');
    await decide(gateway);
    expect(await gateway.database.prisma.reminder.count({ where: { itemId: id, occurrence: 0 } })).toBe(1);
    await gateway.database.prisma.expirationItem.update({ where: { id }, data: { timeOfDay: '18:00' } });
    expect(shortly((await read({ days: 30 })).nodes)).toEqual(['2026-12-13T18:00 1 #0']);
  });

  test('follows an item to the dates that it is renewed to by itself, until its renewals end', async () => {
    const { prisma } = gateway.database;
    const id = await item('2026-12-21', { renewalsLeft: 1, noticeDate: new Date('2026-12-20') });
    const autoRenew = {
      from: 'OLD_DATE',
      unit: 'MONTHS',
      every: 1,
      byPeople: false,
      requireAcknowledgement: false,
    };
    await prisma.category.updateMany({ data: { autoRenew } });
    const dated = (nodes: { at: string; about: string; expirationDate: string }[]) =>
      nodes.map(({ at, about, expirationDate }) => `${at.slice(0, 16)} ${about} ${expirationDate}`);
    const document = query.replace('at itemName', 'at about itemName');
    const { nodes } = (await ask(gateway, document, { days: 80 })).upcomingReminders;
    expect(dated(nodes)).toEqual([
      '2026-11-21T08:00 EXPIRATION 2026-12-21',
      '2026-12-13T08:00 NOTICE 2026-12-20',
      '2026-12-14T08:00 EXPIRATION 2026-12-21',
      '2026-12-21T08:00 NOTICE 2026-12-20',
      // At the midnight of the renewal, for 30 days before.
      '2026-12-22T00:00 NOTICE 2027-01-20',
      '2026-12-22T08:00 EXPIRATION 2027-01-21',
      '2027-01-13T08:00 NOTICE 2027-01-20',
      '2027-01-14T08:00 EXPIRATION 2027-01-21',
      '2027-01-21T08:00 NOTICE 2027-01-20',
    ]);
    await prisma.category.updateMany({ data: { autoRenew: { ...autoRenew, byPeople: true } } });
    expect((await read({ days: 80 })).nodes.length).toBeGreaterThan(12);
    await prisma.category.updateMany({ data: { autoRenew } });
    gateway.clock.now = new Date('2026-12-21T12:00Z');
    const next = `query { expirationItem(id: "${id}") { nextReminder { at about } } }`;
    expect((await ask(gateway, next)).expirationItem.nextReminder).toEqual({
      ...{ at: '2026-12-22T00:00:00.000Z', about: 'NOTICE' },
    });
  });

  test('says whose digest comes after the renewal', async () => {
    const { prisma } = gateway.database;
    const { organizationId } = gateway;
    await item('2026-12-21');
    await prisma.category.updateMany({ data: { autoRenew: { unit: 'YEARS', every: 1, byPeople: false } } });
    await setSteps(gateway, gateway.teamId, [{ ...to(anna), offsetDays: 0 }]);
    const reasons = async () =>
      (await read({ days: 40 })).nodes.flatMap((one: { recipients: { reason: string | null }[] }) =>
        one.recipients.map(({ reason }) => reason),
      );
    expect(await reasons()).toEqual([null]);
    await prisma.recipientSetting.create({
      data: { organizationId, recipientKey: `mail:${anna}`, mode: 'DAILY', digestTime: '07:00' },
    });
    expect(await reasons()).toEqual(['The item was renewed before it was sent.']);
  });

  test('shows a workspace, and members theirs', async () => {
    await item('2026-12-21');
    const { otherTeamId: teamId, organizationId } = gateway;
    await makeItem(gateway, { organizationId, teamId }, { expirationDate: new Date('2026-12-21') });
    await setSteps(gateway, teamId, [to('bert@example.org')]);
    const addresses = async (variables: object, token?: string) =>
      (await read({ days: 2, ...variables }, token)).nodes
        .flatMap((one: { recipients: { address: string }[] }) => one.recipients)
        .map(({ address }: { address: string }) => address)
        .sort();
    expect(await addresses({})).toEqual([anna, 'bert@example.org']);
    expect(await addresses({ teamId: teamId.toUpperCase() })).toEqual(['bert@example.org']);
    expect(await addresses({}, gateway.viewer)).toEqual([anna]);
    expect(await addresses({ teamId }, gateway.viewer)).toEqual([]);
  });

  test.each([
    [{ days: 0 }, 'days'],
    [{ days: 91 }, 'days'],
    [{ days: 1, first: -1 }, 'first'],
    [{ days: 1, first: 501 }, 'first'],
    [{ days: 1, after: 'x' }, 'after'],
    [
      { days: 1, after: Buffer.from('["at","asc",7,"x","UpcomingReminder"]').toString('base64url') },
      undefined,
    ],
    [
      { days: 1, after: Buffer.from('["at","asc","never","x","UpcomingReminder"]').toString('base64url') },
      'after',
    ],
  ])('refuses %j', async (variables, argument) => {
    const error = await errorOf(variables);
    if (argument) expect(error).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
    if (argument) expect(error.message).toContain(argument);
    expect(error?.extensions.code ?? 'BAD_REQUEST').toBe('BAD_REQUEST');
  });

  test('reads the items of the days that its page needs', async () => {
    for (let n = 0; n < 80; n++)
      await item(new Date(Date.parse('2026-11-01') + n * 86_400_000).toISOString().slice(0, 10));
    const sent = await gateway.sentStatements(() => read({ first: 1, teamId: gateway.teamId }));
    const client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    try {
      const counts: number[] = [];
      for (const { query: text, values } of sent.filter(({ name }) => name === 'reminders.upcoming'))
        counts.push((await client.query({ text, values: [...values] })).rows.length);
      expect(Math.max(...counts)).toBeGreaterThan(0);
      // Spans are of one day and of two, a weekend may add two, and there are three steps.
      expect(Math.max(...counts)).toBeLessThanOrEqual(15);
    } finally {
      await client.end();
    }
  });

  test('looks for one page no further than it must', async () => {
    for (let n = 0; n < 20; n++) await item('2026-12-21');
    const names = await gateway.statementNames(() => read({ first: 5 }));
    expect(names.filter((name) => name === 'reminders.upcoming')).toHaveLength(2);
    expect(names.filter((name) => name === 'reminders.workspace')).toHaveLength(1);
  });

  test('finds the recipients of all workspaces together, and only if they are asked for', async () => {
    const { organizationId, otherTeamId: teamId } = gateway;
    await setSteps(gateway, teamId, [
      to('bob@example.com'),
      { ...to('nobody'), recipients: ['CONTACTS'], offsetDays: -7 },
    ]);
    await gateway.database.prisma.team.update({
      where: { id: teamId },
      data: { reminderFallbackAddress: 'office@example.com' },
    });
    await item('2026-12-21');
    await makeItem(gateway, { organizationId, teamId }, { expirationDate: new Date('2026-12-21') });
    let told: string[] = [];
    const names = await gateway.statementNames(async () => {
      const { nodes } = await read({ first: 4 });
      told = nodes.map((one: { recipients: { address: string; isFallback: boolean }[] }) =>
        one.recipients.map(({ address, isFallback }) => `${address} ${isFallback}`).join(),
      );
    });
    expect(told.slice(0, 2).sort()).toEqual([`${anna} false`, 'bob@example.com false']);
    expect(told.slice(2).sort()).toEqual([`${anna} false`, 'office@example.com true']);
    // Whom the steps name, and whom else those reminders go to that would reach nobody.
    expect(names.filter((name) => name === 'reminders.targets')).toHaveLength(2);
    const without = '{ upcomingReminders(days: 90, first: 4) { nodes { at } } }';
    const few = await gateway.statementNames(() => ask(gateway, without));
    expect(few).not.toContain('reminders.targets');
  });

  test('is soon known to be empty, whatever times of day the items have', { timeout: 60_000 }, async () => {
    const id = await item('2029-01-01');
    await gateway.database.sql(
      `INSERT INTO expiration_items (id, organization_id, team_id, category_id, name, expiration_date, time_of_day, modified)
       SELECT gen_random_uuid(), organization_id, team_id, category_id, name, expiration_date,
         to_char(make_interval(mins => minute), 'HH24:MI'), modified
       FROM expiration_items, generate_series(0, 1439) AS minute WHERE id = $1::uuid`,
      [id],
    );
    expect((await read({ first: 5 })).nodes).toEqual([]);
  });
});

describe('nextReminder', () => {
  const next = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ExpirationItem {
    nextReminder { on at step { id offsetDays } recipients { address } } } } }`;
  const nextOf = async (ids: readonly string[], token?: string) =>
    (await ask(gateway, next, { ids }, token)).nodes;

  test('is the first future reminder', async () => {
    await gateway.database.prisma.team.update({
      where: { id: gateway.teamId },
      data: { timezone: 'Pacific/Auckland' },
    });
    const ids = [await item('2026-12-25'), await item('2026-12-01'), await item('2020-01-01')];
    expect(await nextOf(ids)).toEqual([
      {
        nextReminder: {
          ...{ on: '2026-11-25', at: '2026-11-24T19:00:00.000Z', recipients: [{ address: anna }] },
          step: { id: steps[0], offsetDays: -30 },
        },
      },
      { nextReminder: expect.objectContaining({ on: '2026-11-24', step: { id: steps[1], offsetDays: -7 } }) },
      { nextReminder: null },
    ]);
  });

  test('takes as many statements for many items as for one', async () => {
    const ids = [await item('2026-12-25'), await item('2026-12-26'), await item('2026-12-27')];
    const names = (some: readonly string[]) => gateway.statementNames(() => nextOf(some));
    await names(ids);
    const one = await names(ids.slice(0, 1));
    expect(await names(ids)).toEqual(one);
    expect(one.filter((name) => name.startsWith('reminder'))).toEqual([
      ...['reminders.workspace', 'reminders.items', 'reminders.known', 'reminders.targets'],
    ]);
  });
});

describe('previewReminder', () => {
  const preview = `query ($itemId: ID!, $stepId: ID, $language: String) {
    previewReminder(itemId: $itemId, stepId: $stepId, language: $language) { subject text html } }`;
  const show = async (variables: object) => (await ask(gateway, preview, variables)).previewReminder;

  test('writes the mail as it is today, on the day of a step, and in a language', async () => {
    const itemId = await item('2026-12-21', { name: '<b>Licence</b>', details: 'Ask Eve.' });
    expect(await show({ itemId })).toMatchObject({
      subject: '<b>Licence</b> expires in 31 days (2026-12-21)',
      text: expect.stringContaining('Ask Eve.'),
      html: expect.stringContaining('&lt;b&gt;Licence&lt;/b&gt;'),
    });
    expect((await show({ itemId, stepId: steps[1] })).subject).toContain('expires in 7 days');
    expect((await show({ itemId, stepId: steps[2] })).subject).toContain('expired yesterday');
    expect((await show({ itemId, language: 'DE' })).subject).toContain('läuft in 31 Tagen ab');
    expect(await gateway.database.prisma.delivery.count()).toBe(0);
  });

  test('is rejected for unknown records and languages', async () => {
    const [itemId, undated] = [await item('2026-12-21'), await item('2026-12-21', { expirationDate: null })];
    const codeOf = async (variables: object) => (await errorOf(variables, preview))?.extensions.code;
    expect(await codeOf({ itemId: newId() })).toBe('NOT_FOUND');
    expect(await codeOf({ itemId: 'no id' })).toBe('NOT_FOUND');
    expect(await codeOf({ itemId, stepId: newId() })).toBe('NOT_FOUND');
    expect(await codeOf({ itemId, stepId: 'no id' })).toBe('NOT_FOUND');
    expect(await codeOf({ itemId: undated })).toBe('BAD_REQUEST');
    expect(await codeOf({ itemId, language: 'tlh' })).toBe('BAD_REQUEST');
  });
});
