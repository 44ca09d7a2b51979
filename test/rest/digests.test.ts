import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const at = (id: string) => `/v1/digests/${id}`;
const get = (id: string, token?: string) => gateway.send('GET', at(id), token ? { token } : {});
const put = (id: string, body: unknown, token?: string) =>
  gateway.send('PUT', at(id), { body, ...(token && { token }) });
const remove = (id: string) => gateway.send('DELETE', at(id));

const makeContact = async (values: object): Promise<string> => {
  const body = { name: 'Bert', ...values };
  const { status, json, text } = await gateway.send('POST', '/v1/contacts', { body });
  expect(status, text).toBe(201);
  return json.id;
};
const none = {
  mode: 'single',
  weekday: 1,
  time: '08:00',
  all_is_well: false,
  what_is_missing: false,
  from: 'none',
};

test('the most specific setting applies whole, and the default again once it is removed', async () => {
  const id = await makeContact({ email: 'bert@example.org' });
  expect((await get(id)).json).toEqual({ id, ...none });
  const wants = async (owner: string, mode: string, time: string) => {
    const made = await put(owner, { mode, time });
    expect([made.status, made.json], made.text).toEqual([
      200,
      { id: owner, mode, weekday: 1, time, all_is_well: false, what_is_missing: false, from: 'own' },
    ]);
  };
  await wants('organization', 'weekly', '09:00');
  expect((await get(id)).json).toMatchObject({ mode: 'weekly', time: '09:00', from: 'organization' });
  await wants('contacts', 'daily', '10:00');
  expect((await get(id)).json).toMatchObject({ mode: 'daily', time: '10:00', from: 'contacts' });
  expect((await get('users')).json).toMatchObject({ mode: 'weekly', from: 'organization' });
  await wants(id, 'single', '08:00');
  expect((await get(id)).json).toMatchObject({ mode: 'single', from: 'own' });
  const removed = await remove(id);
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect((await get(id)).json).toMatchObject({ from: 'contacts' });
  for (const owner of ['contacts', 'organization']) expect((await remove(owner)).status).toBe(204);
  expect((await get(id)).json).toEqual({ id, ...none });
  expectError(await remove(id), 404, 'NOT_FOUND');
});

test('a contact who is also a user gets mails as users do', async () => {
  const { json } = await gateway.graphql('{ me { user { email } } }');
  const id = await makeContact({ email: json?.data?.me?.user?.email ?? 'admin@example.com' });
  await put('contacts', { mode: 'daily' });
  expect((await get(id)).status).toBe(200);
  await remove('contacts');
});

test('everybody has their own setting, and only admins those of others', async () => {
  const id = await makeContact({ email: 'carl@example.org' });
  for (const token of [gateway.member, gateway.viewer]) {
    const made = await put(
      'me',
      { mode: 'weekly', weekday: 5, time: '17:30', all_is_well: true, what_is_missing: true },
      token,
    );
    expect([made.status, made.json], made.text).toEqual([
      ...[
        200,
        {
          id: 'me',
          mode: 'weekly',
          weekday: 5,
          time: '17:30',
          all_is_well: true,
          what_is_missing: true,
          from: 'own',
        },
      ],
    ]);
    expect((await get('me', token)).json).toEqual(made.json);
    for (const other of [id, 'users', 'organization', 'nobody']) {
      expectError(await get(other, token), 403, 'FORBIDDEN');
      expectError(await put(other, { mode: 'daily' }, token), 403, 'FORBIDDEN');
    }
  }
  expectError(await get('me', gateway.uploader), 403, 'FORBIDDEN');
});

test('a contact without an address has no setting', async () => {
  const id = await makeContact({ email: 'erased@example.org' });
  // As older versions could store it.
  await gateway.database.prisma.contact.update({ where: { id }, data: { email: '' } });
  for (const answer of [await get(id), await put(id, { mode: 'daily' }), await remove(id)])
    expectError(answer, 400, 'BAD_REQUEST');
});

test('what nobody has is not found, and bad values name their member', async () => {
  for (const id of ['nobody', '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40', 'toString', '%00']) {
    expectError(await get(id), 404, 'NOT_FOUND');
    expectError(await put(id, { mode: 'daily' }), 404, 'NOT_FOUND');
    expectError(await remove(id), 404, 'NOT_FOUND');
  }
  for (const body of [
    ...[{}, { mode: 'hourly' }, { mode: null }, { mode: 'daily', time: '25:00' }, { mode: 'daily', time: 8 }],
    ...[
      { mode: 'weekly', weekday: 0 },
      { mode: 'weekly', weekday: 8 },
      { mode: 'weekly', weekday: 1.5 },
      { mode: 'weekly', all_is_well: 'yes' },
    ],
  ])
    expectBadRequest(await put('me', body));
});
