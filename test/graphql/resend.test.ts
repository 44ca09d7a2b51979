import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { smtpError } from '../mail/smtp.support.js';
import { anna, decide, makeItem, sendAll, setSteps, to } from '../reminders/told.support.js';
import { testTime, useFreshGateway } from '../support/gateway.js';
import { ask } from './support.js';

const gateway = useFreshGateway();
let itemId: string;
beforeEach(async () => {
  await setSteps(gateway, gateway.teamId, [to(anna)]);
  itemId = await makeItem(gateway, gateway);
  expect(await decide(gateway)).toBe(1);
});

const resend = `mutation ($id: ID!) { resendReminder(id: $id) { id state targets { address } } }`;

const codeOf = async (query: string, variables: object, token?: string) => {
  const { errors } = await gateway.graphql(query, variables, token);
  return errors?.[0].extensions.code;
};

test('a reminder is resent after it was sent, with a separate mail', async () => {
  const reminder = await gateway.database.prisma.reminder.findFirstOrThrow();
  const { id } = reminder;
  expect(await codeOf(resend, { id })).toBe('CONFLICT');
  const [first] = await sendAll(gateway);
  expect(await codeOf(resend, { id }, gateway.viewer)).toBe('FORBIDDEN');
  gateway.clock.now = new Date(testTime.getTime() + 60_000);
  const answers = await Promise.all([
    gateway.graphql(resend, { id }, gateway.member),
    gateway.graphql(resend, { id }, gateway.member),
  ]);
  const done = answers.filter(({ errors }) => !errors);
  expect(done).toHaveLength(1);
  expect(done[0].data.resendReminder).toMatchObject({ state: 'PENDING', targets: [{ address: anna }] });
  const [second] = await sendAll(gateway, 1, { at: gateway.clock.now });
  expect(second?.mail.subject).toBe(first?.mail.subject);
  expect(second?.mail.messageId).not.toBe(first?.mail.messageId);
  const query = `{ expirationItem(id: "${itemId}") { reminders(first: 1) { totalCount nodes { id state } pageInfo { hasNextPage } } } }`;
  expect((await ask(gateway, query)).expirationItem.reminders).toEqual({
    totalCount: 2,
    nodes: [{ id: done[0].data.resendReminder.id, state: 'TOLD' }],
    pageInfo: { hasNextPage: true },
  });
});

test('a second press sends nothing, also when the mail of the first has left', async () => {
  const { prisma } = gateway.database;
  const { id } = await prisma.reminder.findFirstOrThrow();
  const at = (seconds: number) => {
    gateway.clock.now = new Date(testTime.getTime() + seconds * 1_000);
    return gateway.clock.now;
  };
  const press = () => gateway.graphql(resend, { id }, gateway.member);
  await sendAll(gateway);
  at(59);
  expect((await press()).errors[0].message).toBe('A reminder for this date was sent less than a minute ago.');
  at(60);
  const presses = await Promise.all(Array.from({ length: 5 }, press));
  expect(presses.filter(({ errors }) => !errors)).toHaveLength(1);
  expect(await sendAll(gateway, 1, { at: at(61) })).toHaveLength(1);
  for (const seconds of [62, 120]) {
    at(seconds);
    // Neither the first reminder nor the one that was made of it.
    for (const known of await prisma.reminder.findMany())
      expect(await codeOf(resend, { id: known.id }, gateway.member)).toBe('CONFLICT');
  }
  at(121);
  expect((await press()).errors).toBeUndefined();
  expect(await prisma.delivery.count()).toBe(3);
});

test('a second press sends nothing, also when the mail of the first has left late', async () => {
  const { id } = await gateway.database.prisma.reminder.findFirstOrThrow();
  const at = (seconds: number) => new Date(testTime.getTime() + seconds * 1_000);
  await sendAll(gateway, 1, { at: at(300) });
  gateway.clock.now = at(301);
  expect(await codeOf(resend, { id }, gateway.member)).toBe('CONFLICT');
  gateway.clock.now = at(360);
  expect(await codeOf(resend, { id }, gateway.member)).toBeUndefined();
});

test.each([
  ['archived', { isActive: false }],
  ['renewed', { expirationDate: new Date('2027-12-20') }],
  ['off', { reminderMode: 'OFF' as const }],
  ['missing', { isMissing: true }],
])('nothing is resent for an item that is %s', async (_, data) => {
  const { id } = await gateway.database.prisma.reminder.findFirstOrThrow();
  await sendAll(gateway);
  await gateway.database.prisma.expirationItem.update({ where: { id: itemId }, data });
  expect(await codeOf(resend, { id })).toBe('CONFLICT');
  for (const id of ['no id', newId()]) expect(await codeOf(resend, { id })).toBe('NOT_FOUND');
});

test('a reminder is resent though it was acknowledged, unless all of its date were ended', async () => {
  const { id } = await gateway.database.prisma.reminder.findFirstOrThrow();
  await sendAll(gateway);
  await ask(gateway, `mutation { acknowledgeExpirationItem(id: "${itemId}") { id } }`);
  gateway.clock.now = new Date(testTime.getTime() + 60_000);
  expect(await codeOf(resend, { id })).toBeUndefined();
  expect(await sendAll(gateway, 1, { at: gateway.clock.now })).toHaveLength(1);
  gateway.clock.now = new Date(testTime.getTime() + 120_000);
  await ask(gateway, `mutation { acknowledgeExpirationItem(id: "${itemId}", silence: true) { id } }`);
  expect(await codeOf(resend, { id })).toBe('CONFLICT');
});

test('a recipient with a pending mail of the date gets no second one', async () => {
  const bert = 'bert@example.org';
  const { prisma } = gateway.database;
  await prisma.delivery.deleteMany();
  await prisma.reminder.deleteMany();
  await prisma.reminderStep.updateMany({ data: { addresses: [anna, bert] } });
  expect(await decide(gateway)).toBe(1);
  const { id } = await prisma.reminder.findFirstOrThrow();
  const taken = await sendAll(gateway, 2, {
    onRcptTo: ({ address }, _session, callback) =>
      callback(address === bert ? smtpError(450, 'Later') : null),
  });
  expect(taken.map(({ to: [address] }) => address)).toEqual([anna]);
  gateway.clock.now = new Date(testTime.getTime() + 60_000);
  const { resendReminder } = await ask(gateway, resend, { id });
  expect(resendReminder.targets).toEqual([{ address: anna }]);
  expect(await prisma.delivery.count({ where: { address: bert } })).toBe(1);
  await prisma.delivery.updateMany({
    where: { address: anna },
    data: { state: 'SENT', settledAt: testTime },
  });
  await prisma.reminder.updateMany({ data: { state: 'TOLD' } });
  await prisma.reminderStep.updateMany({ data: { addresses: [bert] } });
  const { errors } = await gateway.graphql(resend, { id });
  expect(errors[0]).toMatchObject({
    message: 'A reminder for this date is already on its way to all recipients.',
    extensions: { code: 'CONFLICT' },
  });
});
