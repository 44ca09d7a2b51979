import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { audience, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { receiveTagged, settled, withWorker } from './support.js';

let issuer: TestIssuer;
let gateway: TestGateway;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  issuer = await startIssuer();
  const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, OIDC_ROLE_CLAIM: 'role' };
  gateway = await startGateway(env);
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
  vi.useRealTimers();
});

/** Returns what becomes of an upload for the workspace that the sender is no member of. */
async function fileElsewhere(own: 'ADMIN' | 'MEMBER', email = 'max@example.com') {
  const { prisma } = gateway.database;
  await prisma.user.updateMany({ where: { email }, data: { role: own } });
  const token = await issuer.token('max', { email, email_verified: true, role: 'admin' });
  const id = await receiveTagged(gateway, { team_id: gateway.otherTeamId }, token);
  return withWorker(gateway, {}, async () => (await settled(gateway, id)).state);
}

test("an upload that came with an issuer's token is filed with what its user is here", async () => {
  expect(await fileElsewhere('ADMIN')).toBe('FILED');
  expect(await fileElsewhere('MEMBER')).toBe('FAILED');
});

test('one of a deleted user is filed without rights, whoever stands in', async () => {
  const { prisma } = gateway.database;
  await prisma.user.updateMany({ data: { role: 'ADMIN' } });
  const token = await issuer.token('max', { role: 'admin' });
  const id = await receiveTagged(gateway, { team_id: gateway.otherTeamId }, token);
  await prisma.uploadNotification.update({ where: { id }, data: { userId: null } });
  await withWorker(gateway, {}, async () => {
    expect((await settled(gateway, id)).state).toBe('FAILED');
  });
});
