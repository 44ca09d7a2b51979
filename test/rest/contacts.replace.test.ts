import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { blank, email, full, path } from './contacts.support.js';
import { made } from './records.js';
import { eventsOf } from './support.js';

const gateway = useGateway();

const put = ({ id }: { id: string }, body: unknown, token?: string) =>
  gateway.send('PUT', `${path}/${id}`, { body, ...(token && { token }) });

describe(`PUT ${path}/{id}`, () => {
  test('200: a member left out returns to its default, a list to []', async () => {
    const contact = await made(gateway, path, { ...(await full(gateway)), email: email() });
    const address = email();
    const response = await put(contact, { email: address });
    expect(response.status, response.text).toBe(200);
    expect(response.json).toStrictEqual({
      ...blank,
      id: contact.id,
      email: address,
      team_id: gateway.teamId,
      modified: '2026-11-20T09:30:00.001Z',
    });
    const [, event, ...others] = await eventsOf(gateway, contact);
    expect(others).toEqual([]);
    // Back in use, so not only an update.
    expect(event).toMatchObject({ typeId: 6 });
    expect(JSON.parse(event?.details ?? '')).toMatchObject({
      email: { before: contact.email, after: address },
      custom_fields: { before: contact.custom_fields, after: [] },
    });
  });
});

test('a write looks each reference up once, and nothing else', async () => {
  const body = { ...(await full(gateway)), email: email() };
  const lookups = ['users.find', 'contact_types.find', 'locations.find'];
  expect(await namesOf(gateway, () => made(gateway, path, body))).toEqual([
    ...lookups,
    'contacts.insert + users',
    'COMMIT',
  ]);
  const contact = await made(gateway, path, { email: email() });
  expect(await namesOf(gateway, () => put(contact, { email: email() }))).toEqual([
    'contacts.lock',
    'contacts.update + users',
    'COMMIT',
  ]);
});
