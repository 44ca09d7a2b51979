import { randomUUID as newId } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { noteSent } from '../../src/requests/mails.js';
import { ask } from '../graphql/support.js';
import { testTime } from '../support/gateway.js';
import { prepareKilling } from './killing.support.js';
import {
  closeRequests,
  linkTo,
  look,
  type Office,
  openOffice,
  pdf,
  queueRequestMails,
  request,
} from './support.js';

let office: Office;
let despiteKill: Awaited<ReturnType<typeof prepareKilling>>;
const categoryId = newId();
beforeAll(async () => {
  office = await openOffice();
  const { organizationId, teamId, database } = office.gateway;
  const place = { organizationId, teamId };
  await database.prisma.category.create({ data: { ...place, id: categoryId, name: 'Card' } });
  despiteKill = await prepareKilling(database);
});
afterAll(() => office.close());
beforeEach(() => {
  office.gateway.clock.now = testTime;
});

const prisma = () => office.gateway.database.prisma;
const later = (minutes: number) => {
  office.gateway.clock.now = new Date(office.gateway.clock.now.getTime() + minutes * 60_000);
  return office.gateway.clock.now;
};

/** Numbers of the events that steps write. */
const events = {
  ...{ created: 1, sent: 35, received: 36, accepted: 37, declined: 38, cancelled: 39, lapsed: 40 },
  ...{ opened: 43, resent: 44 },
};

/** Counts the events of a request, by their names. */
async function told(id: string) {
  const rows = await prisma().eventLog.findMany({
    where: { entities: { some: { entityId: id, position: 0 } } },
  });
  const names = Object.entries(events).map(([name, type]) => [
    name,
    rows.filter(({ typeId }) => typeId === type).length,
  ]);
  return Object.fromEntries(names.filter(([, count]) => count !== 0));
}

const act = (name: string, input = '') =>
  `mutation ($id: ID!) { ${name}DocumentRequest(id: $id${input && `, input: ${input}`}) { id } }`;
const decline = act('decline', '{ reason: "Blurred" }');
const accept = act('accept', '{ expirationDate: "2028-01-31" }');
const inState = (id: string, state: string) => async () => (await look(office, id)).state === state;
const file = (name: string) => [{ name, bytes: pdf(name) }];

test('what is killed at an arrow is done once, with one event, one mail and one file', async () => {
  const { gateway } = office;
  const { database } = gateway;
  const email = 'kill@example.org';
  const input = { id: newId(), categoryId, email };
  const { id } = input;
  const made = async () => (await prisma().documentRequest.count({ where: { id } })) === 1;
  await despiteKill({ on: 'INSERT', when: 'true' }, made, () => request(office, input));
  const now = later(2);
  const mails = () => prisma().delivery.count({ where: { address: email } });
  await despiteKill(
    { table: 'deliveries', on: 'INSERT', when: `NEW.address = '${email}'` },
    async () => (await mails()) === 1,
    () => queueRequestMails(database, now),
  );
  await queueRequestMails(database, now);
  expect(await mails()).toBe(1);
  // The mail was sent, and nobody was told so yet.
  const { deliveryId } = await prisma().documentRequest.findUniqueOrThrow({ where: { id } });
  const note = () => database.inTransaction((tx) => noteSent(tx, new Map([[deliveryId ?? '', now]])));
  await despiteKill({ when: "NEW.state = 'SENT'" }, inState(id, 'SENT'), note);
  await note();
  const before = office.post.sink.taken.length;
  await office.post.send(now.toISOString());
  const [{ mail } = { mail: undefined }] = office.post.sink.taken.slice(before);
  const link = /https:\S+\/asked\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? '';
  const open = () => office.answer(link, { opened: '1' });
  await despiteKill({ when: "NEW.state = 'OPENED'" }, inState(id, 'OPENED'), open);
  await open();
  const answer = (name: string) => () => office.answer(link, { request: id }, file(name));
  const received = inState(id, 'RECEIVED');
  await despiteKill({ when: "NEW.state = 'RECEIVED'" }, received, answer('front.pdf'));
  await answer('front.pdf')();
  expect((await look(office, id)).heldItem.attachments.nodes).toHaveLength(1);
  await despiteKill({ when: "NEW.state = 'OPEN'" }, inState(id, 'OPEN'), () => ask(gateway, decline, { id }));
  later(1);
  await despiteKill({ when: "NEW.state = 'RECEIVED'" }, received, answer('back.pdf'));
  await despiteKill({ when: "NEW.state = 'ACCEPTED'" }, inState(id, 'ACCEPTED'), () =>
    ask(gateway, accept, { id }),
  );
  const { item } = await look(office, id);
  expect(await prisma().attachment.count({ where: { itemId: item.id } })).toBe(1);
  expect(await prisma().expirationItem.count({ where: { categoryId, isActive: true } })).toBe(1);
  expect(await told(id)).toEqual({ created: 1, sent: 1, opened: 1, received: 2, declined: 1, accepted: 1 });
});

test('what is killed as it ends, or is sent again, is done once', async () => {
  const { gateway } = office;
  const { id } = await request(office, { categoryId, email: 'end@example.org' });
  await linkTo(office, 'end@example.org');
  await expect.poll(inState(id, 'SENT')).toBe(true);
  const now = later(40 * 24 * 60);
  const close = () => closeRequests(gateway.database, now);
  await despiteKill({ when: "NEW.state = 'LAPSED'" }, inState(id, 'LAPSED'), close);
  await close();
  await despiteKill({ when: "NEW.state = 'OPEN'" }, inState(id, 'OPEN'), () =>
    ask(gateway, act('resend'), { id }),
  );
  await despiteKill({ when: "NEW.state = 'CANCELLED'" }, inState(id, 'CANCELLED'), () =>
    ask(gateway, act('cancel'), { id }),
  );
  expect(await told(id)).toEqual({ created: 1, sent: 1, lapsed: 1, resent: 1, cancelled: 1 });
});

test('of several who decide at once, one does', async () => {
  const { gateway } = office;
  const asked = async (email: string) => {
    const { id } = await request(office, { categoryId, email });
    const link = await linkTo(office, email);
    await office.answer(link, { request: id }, file(email));
    return { id, link };
  };
  const deciding = [accept, decline, act('cancel'), accept, decline, act('cancel')];
  for (const n of [1, 2, 3]) {
    const { id } = await asked(`race${n}@example.org`);
    const answers = await Promise.all(deciding.map((document) => gateway.graphql(document, { id })));
    // Whoever sends an answer back lets it be ended afterwards.
    const { accepted = 0, declined = 0, cancelled = 0 } = await told(id);
    expect([accepted + declined, accepted + cancelled]).toSatisfy(
      ([first = 0, last = 0]) => first <= 1 && last <= 1 && first + last > 0,
    );
    expect(accepted + declined + cancelled).toBe(answers.filter(({ errors }) => !errors).length);
  }
  const { id, link } = await asked('close@example.org');
  await ask(gateway, decline, { id });
  later(60 * 24 * 60);
  const { now } = gateway.clock;
  await prisma().documentRequestLink.updateMany({ data: { expiresAt: now } });
  await Promise.all([1, 2, 3].map(() => closeRequests(gateway.database, now)));
  expect((await office.open(link)).status).toBe(404);
  expect(await told(id)).toMatchObject({ declined: 1, lapsed: 1 });
});
