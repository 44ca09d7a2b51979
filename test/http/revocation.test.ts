import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { expectEnd, startFurther, subscribe } from '../live/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let further: Awaited<ReturnType<typeof startFurther>>;
beforeAll(async () => {
  gateway = await startGateway();
  further = await startFurther(gateway, { recheck: 50 });
});
afterAll(async () => {
  await further.close();
  await gateway.close();
});

const statusAt = async ({ url }: { url: string }, token: string) =>
  (await fetch(`${url}/v1/vehicles`, { headers: { Authorization: `Bearer ${token}` } })).status;

test('a token that one process revokes opens nothing at any other: at once, and its streams end', async () => {
  const { organizationId, userId, database, clock } = gateway;
  const given = { organizationId, userId, name: 'x', role: 'VIEWER', expiresAt: null } as const;
  const { id, token } = await createToken(database, given, clock.now);
  for (const one of [gateway, further]) expect(await statusAt(one, token)).toBe(200);
  const stream = await subscribe(further, { query: 'subscription { eventLogged { id } }', token });
  const revoke = 'mutation($id: ID!) { revokeAccessToken(id: $id) { revokedAt } }';
  expect((await gateway.graphql(revoke, { id })).errors).toBeUndefined();
  for (const one of [gateway, further]) expect(await statusAt(one, token)).toBe(401);
  await expectEnd(stream, 'UNAUTHORIZED', /expired or was revoked/);
});
