import { describe, expect, test } from 'vitest';
import { createTenant, useGateway } from '../support/gateway.js';
import { email, path } from './contacts.support.js';
import { expectNoTrace, made } from './records.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const put = ({ id }: { id: string }, body: unknown, token?: string) =>
  gateway.send('PUT', `${path}/${id}`, { body, ...(token && { token }) });
const patch = ({ id }: { id: string }, operations: unknown) =>
  gateway.send('PATCH', `${path}/${id}`, { body: operations });

const wrong: [member: 'email' | 'timezone', value: string][] = [
  ...['', ' ', 'nobody', '@example.com', 'a@', 'a b@example.com', 'a@b@c', 'a@-b.com', 'a..b@c.de', 'a@b..c']
    .concat(['.a@b.c', 'a@b.c.', 'a\n@b.c', 'Grace <a@b.c>', 'a,b@c.d', `${'x'.repeat(250)}@b.com`])
    .concat(['"a b"@b.c', `${'x'.repeat(65)}@b.c`, 'a\u00a0b@c.d', 'a@b\u3000.c'])
    .map((value) => ['email', value] as ['email', string]),
  ...['', 'Mars/Olympus', '+02:00', 'GMT+2', 'PST', 'UTC ', 'Factory'].map(
    (value) => ['timezone', value] as ['timezone', string],
  ),
];

test.each(wrong)('400: a wrong %s (%#)', async (member, value) => {
  await expectNoTrace(gateway, async () => {
    const body = { email: email(), [member]: value };
    expectBadRequest(await gateway.send('POST', path, { body }), new RegExp(`^${member}\\b`));
  });
});

test.each([
  'user@localhost',
  "o'brien+tag&more@sub.example.co.uk",
  'jörg@münchen.example',
  '"quoted.local"@example.com',
  'x@[192.0.2.1]',
])('%s is an address', async (address) => {
  expect(await made(gateway, path, { email: address })).toMatchObject({ email: address });
});

test('white space around an address is cut, in every place that takes one', async () => {
  const [first, second] = [email(), email()];
  const contact = await made(gateway, path, { email: `\u3000 ${first}\u0085` });
  expect(contact.email).toBe(first);
  expect((await put(contact, { email: `\t${second}\n` })).json.email).toBe(second);
  const query = `mutation ($contacts: [ContactReference!]) {
    createExpirationItem(input: { name: "Permit", expirationDate: "2027-01-01", contacts: $contacts }) { contacts { id email } }
  }`;
  const nested = async (address: string) => {
    const variables = { contacts: [{ email: address }] };
    return (await gateway.send('POST', '/graphql', { body: { query, variables } })).json.data
      .createExpirationItem.contacts[0];
  };
  expect(await nested(`\u0085${second.toUpperCase()} `)).toEqual({ id: contact.id, email: second });
  const third = email();
  expect((await nested(`\u0085${third}\u2003`)).email).toBe(third);
});

test.each(['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'US/Pacific', 'EST5EDT', 'Etc/GMT-14'])(
  '%s is a time zone',
  async (timezone) => {
    expect(await made(gateway, path, { email: email(), timezone })).toMatchObject({ timezone });
  },
);

describe('one address is one contact in an organization', () => {
  test('409: in any spelling, from any workspace', async () => {
    const address = email();
    await made(gateway, path, { email: address, team_id: gateway.otherTeamId });
    const other = await made(gateway, path, { email: email() });
    const spelled = { email: ` ${address.toUpperCase()}\u00a0` };
    await expectNoTrace(gateway, async () => {
      const conflicts = [
        await gateway.send('POST', path, { body: spelled, token: gateway.member }),
        await put(other, spelled),
        await patch(other, [{ op: 'replace', path: '/email', value: spelled.email }]),
      ];
      for (const response of conflicts) expectError(response, 409, 'CONFLICT', /\bemail\b/);
    });
    const abroad = await createTenant(gateway.database, 'Umbrella');
    expect(await made(gateway, path, spelled, abroad.admin)).toMatchObject({ email: spelled.email.trim() });
  });

  test('20 creates at once: one is made, 19 conflict', async () => {
    const address = email();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const body = { email: i % 2 ? address : address.toUpperCase(), name: 'Racer' };
        return gateway.send('POST', path, { body });
      }),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectError(response, 409, 'CONFLICT', /^email\b/);
    }
    const { prisma } = gateway.database;
    expect(await prisma.contact.count({ where: { name: 'Racer' } })).toBe(1);
    expect(await prisma.eventLog.count({ where: { description: { contains: 'Racer' } } })).toBe(1);
  });
});

test('PATCH: the address cannot be removed', async () => {
  const contact = await made(gateway, path, { email: email() });
  await expectNoTrace(gateway, async () => {
    expectBadRequest(await patch(contact, [{ op: 'remove', path: '/email' }]), /\bemail\b/);
  });
});
