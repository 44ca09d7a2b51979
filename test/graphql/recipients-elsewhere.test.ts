import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { smtpError } from '../mail/smtp.support.js';
import { anna, decide, makeItem, sendAll, setSteps } from '../reminders/told.support.js';
import { testTime, useFreshGateway } from '../support/gateway.js';
import { ask } from './support.js';

/** An address of a contact in a workspace that members do not see. */
const hidden = 'hidden.person@elsewhere.example';
const somebody = 'somebody of another workspace';

const gateway = useFreshGateway();
let itemId: string;
beforeEach(async () => {
  const { organizationId, otherTeamId, teamId, database } = gateway;
  const contactId = newId();
  await database.prisma.contact.create({
    data: { id: contactId, organizationId, teamId: otherTeamId, email: hidden, name: 'Hidden Person' },
  });
  await setSteps(gateway, teamId, [
    { offsetDays: -30, recipients: ['MAIN_CONTACT', 'ADDRESSES'], addresses: [anna] },
  ]);
  itemId = await makeItem(gateway, gateway, { contactId });
  expect(await decide(gateway)).toBe(1);
});

const everything = `query ($deliveries: DeliveryFilter, $order: [DeliveryOrder!]) {
  deliveries(first: 9, filter: $deliveries, orderBy: $order) { totalCount nodes { id address lastError reminders(first: 2) {
    nodes { id targets { address delivery { address lastError } } } } } }
  reminders(first: 9) { nodes { targets { address reason } } }
  expirationItem(id: "${'{item}'}") { reminders(first: 9) { nodes { targets { address } } } }
  upcomingReminders(days: 90) { nodes { recipients { address } } }
  eventLogs(first: 20) { nodes { description details } }
}`;

const as = (token: string, variables: object = {}) =>
  ask(gateway, everything.replace('{item}', itemId), variables, token);

const addressesIn = (answer: { deliveries: { nodes: { address: string }[] } }) =>
  answer.deliveries.nodes.map(({ address }) => address);

/** Expects that a member, in neither door, is told anything of the address. */
async function expectUntold(): Promise<void> {
  for (const token of [gateway.member, gateway.viewer]) {
    const answer = await as(token);
    expect(JSON.stringify(answer)).not.toMatch(/hidden|elsewhere/i);
    expect(addressesIn(answer)).toContain(somebody);
    const { text } = await gateway.send('GET', '/v1/deliveries', { token });
    expect(text).toContain(somebody);
    expect(text).not.toMatch(/hidden|elsewhere/i);
    expect((await gateway.send('GET', '/v1/eventlogs', { token })).text).not.toMatch(/hidden|elsewhere/i);
  }
}

test('an address of a contact out of sight is somebody’s; who sees the contact sees it', async () => {
  await expectUntold();
  const whole = await as(gateway.admin);
  expect(addressesIn(whole).sort()).toEqual([anna, hidden]);
  expect(whole.reminders.nodes[0].targets.map(({ address }: { address: string }) => address)).toEqual([
    anna,
    hidden,
  ]);
});

test('nobody finds or orders by an address that they do not see', async () => {
  for (const filter of [
    { term: 'hidden' },
    { term: 'elsewhere.example' },
    { address: hidden.toUpperCase() },
  ]) {
    expect((await as(gateway.admin, { deliveries: filter })).deliveries.totalCount).toBe(1);
    expect((await as(gateway.member, { deliveries: filter })).deliveries.totalCount).toBe(0);
    const not = { not: filter };
    const others = await as(gateway.member, { deliveries: not });
    expect(addressesIn(others).sort()).toEqual([anna, somebody]);
    expect(others).toEqual(await as(gateway.member, { deliveries: { not: { address: 'zz@example.org' } } }));
  }
  // Whatever it is called, it comes last, as rows without a value do.
  for (const email of ['a@elsewhere.example', 'z@elsewhere.example']) {
    const where = { homeTeamId: { not: null } };
    await gateway.database.prisma.delivery.updateMany({ where, data: { address: email } });
    const order = [{ field: 'ADDRESS', direction: 'ASC' }];
    expect(addressesIn(await as(gateway.member, { order }))).toEqual([anna, somebody]);
  }
  const sorted = await gateway.send('GET', '/v1/deliveries?sort=address', { token: gateway.member });
  expect(addressesIn({ deliveries: { nodes: sorted.json.deliveries } })).toEqual([anna, somebody]);
});

test('neither the server’s refusal nor the event log names it', async () => {
  await sendAll(gateway, 2, {
    onRcptTo: ({ address }, _session, callback) =>
      callback(address === hidden ? smtpError(550, `5.1.1 <${hidden}> is not here`) : null),
  });
  await expectUntold();
  const { deliveries, eventLogs } = await as(gateway.admin);
  const failed = deliveries.nodes.find(({ address }: { address: string }) => address === hidden);
  expect(failed.lastError).toContain('is not here');
  const said = eventLogs.nodes.map(({ description }: { description: string }) => description);
  expect(said).toContain(`Reminder of "Trade licence" could not be sent to ${somebody}`);
  expect(said).toContain(`Reminder of "Trade licence" was sent to ${anna}`);
});

test('a resent reminder does not name it, even after its step was deleted', async () => {
  await sendAll(gateway, 2);
  const resend = 'mutation ($id: ID!) { resendReminder(id: $id) { id targets { address } } }';
  let { id } = await gateway.database.prisma.reminder.findFirstOrThrow();
  // The second one is of a step that no policy has.
  for (const minutes of [2, 4]) {
    gateway.clock.now = new Date(testTime.getTime() + minutes * 60_000);
    const { resendReminder } = await ask(gateway, resend, { id }, gateway.member);
    expect(resendReminder.targets.map((target: { address: string }) => target.address)).toEqual([
      anna,
      somebody,
    ]);
    id = resendReminder.id;
    await sendAll(gateway, 2, { at: gateway.clock.now });
    await expectUntold();
  }
});

test('an address that somebody here has as well is shown', async () => {
  const { database, userId, teamId, organizationId } = gateway;
  await database.prisma.user.update({ where: { id: userId }, data: { email: hidden } });
  await setSteps(gateway, teamId, [{ offsetDays: -30, recipients: ['MAIN_CONTACT', 'ADMINS'] }]);
  await makeItem(gateway, { organizationId, teamId }, { contactId: null, assignedToId: userId });
  await makeItem(
    gateway,
    { organizationId, teamId },
    {
      contactId: (await database.prisma.contact.findFirstOrThrow()).id,
    },
  );
  await database.prisma.delivery.deleteMany();
  await decide(gateway);
  expect(addressesIn(await as(gateway.member))).toContain(hidden);
});
