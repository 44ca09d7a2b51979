import { expect, test } from 'vitest';
import { erasePerson } from '../../src/personal-data/erase.js';
import { findPerson } from '../../src/personal-data/person.js';
import { operatorOf } from '../../src/setup/accounts.js';
import { ask } from '../graphql/support.js';
import { eventually } from '../support/eventually.js';
import { useGateway } from '../support/gateway.js';
import { dumpOf } from './support.js';

const gateway = useGateway();
const erase = 'mutation ($id: ID!) { erasePerson(id: $id) { contactId userId erased } }';
const dump = (...texts: string[]) => dumpOf(gateway.database, texts);
const erasures = async () => {
  const rows = await gateway.database.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM event_logs WHERE type_id = 31',
  );
  return rows[0]?.count ?? 0;
};

async function addContact(word: string): Promise<string> {
  const body = { name: `${word} Person`, email: `${word}@unique.example`, phone: '+49 171 5550987321' };
  return (await gateway.send('POST', '/v1/contacts', { body })).json.id;
}

async function addUser(word: string): Promise<string> {
  const input = { email: `${word}@unique.example`, name: `${word} Person`, role: 'MEMBER' };
  const query = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { user { id } } }';
  return (await ask(gateway, query, { input })).inviteUser.user.id;
}

const changeUser = (id: string, word: string) =>
  ask(
    gateway,
    'mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { id } }',
    {
      id,
      input: { email: `${word}@unique.example`, name: `${word} Person` },
    },
  );

/** Holds the event with a text, so that an erasure stops there until `work` is done. */
async function whileHeld(text: string, erasing: () => Promise<unknown>, work: () => Promise<unknown>) {
  const { database } = gateway;
  let erased: Promise<unknown> | undefined;
  await database.prisma.$transaction(
    async (tx) => {
      const pattern = `%${text}%`;
      await tx.$queryRaw`SELECT id FROM event_logs WHERE description ILIKE ${pattern} FOR UPDATE`;
      erased = erasing();
      await eventually(async () => {
        const [waiting] = await database.sql<{ count: number }>(
          "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        expect(waiting?.count).toBe(1);
      });
      await work();
    },
    { timeout: 60_000 },
  );
  return erased;
}

test('what an update writes during an erasure is erased as well: a contact', async () => {
  const id = await addContact('mirabel');
  const answer = await whileHeld(
    'mirabel',
    () => gateway.graphql(erase, { id }),
    async () => {
      const body = [
        { op: 'replace', path: '/name', value: 'Osgood Meanwhile' },
        { op: 'replace', path: '/email', value: 'osgood@meanwhile.example' },
        { op: 'replace', path: '/phone', value: '+49 171 6660987321' },
      ];
      expect((await gateway.send('PATCH', `/v1/contacts/${id}`, { body })).status).toBe(200);
      const again = [{ op: 'replace', path: '/email', value: 'thrice@meanwhile.example' }];
      expect((await gateway.send('PATCH', `/v1/contacts/${id}`, { body: again })).status).toBe(200);
    },
  );
  expect(answer).toMatchObject({ data: { erasePerson: { contactId: id } } });
  expect(await dump('mirabel', 'osgood', 'meanwhile', '0987321')).toEqual([]);
});

test('what an update writes during an erasure is erased as well: a user, and one who gets access again', async () => {
  const id = await addUser('ottoline');
  const { database, organizationId, clock } = gateway;
  const token = 'mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { token } }';
  const person = await findPerson(database, organizationId, id);
  const work = { database, caller: await operatorOf(database, organizationId), now: clock.now };
  await whileHeld(
    'ottoline',
    () => erasePerson(work, person),
    async () => {
      await changeUser(id, 'peregrine');
      await changeUser(id, 'quillon');
      await ask(
        gateway,
        'mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { id } }',
        {
          id,
          input: { isActive: true },
        },
      );
      await ask(gateway, token, { input: { name: 'Phone', role: 'VIEWER', userId: id } });
    },
  );
  expect(await dump('ottoline', 'peregrine', 'quillon')).toEqual([]);
  expect(await database.prisma.accessToken.count({ where: { userId: id } })).toBe(0);
  expect(await database.prisma.user.findUnique({ where: { id } })).toMatchObject({
    isActive: false,
    email: '',
  });
});

test('what is deleted during an erasure is erased in the bin', async () => {
  const id = await addContact('philippa');
  await whileHeld(
    'philippa',
    () => gateway.graphql(erase, { id }),
    async () => expect((await gateway.send('DELETE', `/v1/contacts/${id}`)).status).toBe(200),
  );
  expect(await dump('philippa', '0987321')).toEqual([]);
});

test('a user is erased with all addresses from before', async () => {
  const id = await addUser('aurelia');
  for (const word of ['benedicta', 'cordelia', 'dorothea']) await changeUser(id, word);
  expect((await ask(gateway, erase, { id })).erasePerson.userId).toBe(id);
  expect(await dump('aurelia', 'benedicta', 'cordelia', 'dorothea')).toEqual([]);
});

test('several erasures at once do the same as one, and say so once', async () => {
  const id = await addContact('ludovica');
  await addUser('ludovica');
  const before = await erasures();
  const answers = await Promise.all(Array.from({ length: 6 }, () => gateway.graphql(erase, { id })));
  for (const { data, errors } of answers) {
    expect(errors).toBeUndefined();
    expect(data.erasePerson.contactId).toBe(id);
  }
  expect(await dump('ludovica', '0987321')).toEqual([]);
  expect(await erasures()).toBe(before + 1);
});

test('updates at the same time are done before, or refused after, and a second erasure finds what is left', async () => {
  const id = await addContact('wilhelmina');
  // Who meets the erasure too often is told to try again.
  const send = (number: number) =>
    eventually(async () => {
      const update = await gateway.send('PATCH', `/v1/contacts/${id}`, {
        body: [{ op: 'replace', path: '/mobile', value: `+49 171 77709873${10 + number}` }],
      });
      expect(update.status).not.toBe(503);
      return update;
    });
  const [answer, ...updates] = await Promise.all([
    gateway.graphql(erase, { id }),
    ...Array.from({ length: 8 }, (_, number) => send(number)),
  ]);
  expect(answer.errors).toBeUndefined();
  // An erased contact has no address, and takes changes only together with one.
  const told = updates.map(({ status, json }) => (status === 200 ? 'changed' : json.message));
  for (const one of told) expect(['changed', 'email: must be an e-mail address']).toContain(one);
  expect((await gateway.graphql(erase, { id })).errors).toBeUndefined();
  expect(await dump('wilhelmina', '77709873')).toEqual([]);
});
