import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

test.each([undefined, null, '', '  ', '\u200b\u2060', '\u00ad\u3164'])(
  'no tag gets the name %j',
  async (name) => {
    const body = name === undefined ? {} : { name };
    const made = await gateway.send('POST', '/v1/tags', { body });
    expect([made.status, made.json.message]).toEqual([400, expect.stringMatching(/^name: /)]);
    expect(await gateway.database.prisma.tag.count()).toBe(0);
  },
);

test('a tag keeps a visible name', async () => {
  const { json } = await gateway.send('POST', '/v1/tags', { body: { name: 'fleet' } });
  const patch = [{ op: 'remove', path: '/name' }];
  for (const [method, body] of [
    ['PUT', { name: ' ' }],
    ['PATCH', patch],
  ] as const) {
    expect((await gateway.send(method, `/v1/tags/${json.id}`, { body })).status).toBe(400);
  }
  expect((await gateway.send('GET', `/v1/tags/${json.id}`)).json.name).toBe('fleet');
});
