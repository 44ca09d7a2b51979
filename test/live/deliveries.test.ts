import { afterEach, beforeAll, expect, test } from 'vitest';
import { smtpError } from '../mail/smtp.support.js';
import { anna, decide, makeItem, sendAll, setSteps, to } from '../reminders/told.support.js';
import { useGateway } from '../support/gateway.js';
import { nextData, quiet, type Results, streams, subscribe } from './support.js';

const gateway = useGateway();
const open: Results[] = [];
beforeAll(async () => {
  await setSteps(gateway, gateway.teamId, [to(anna)]);
  await setSteps(gateway, gateway.otherTeamId, [to('bert@example.org')]);
  await quiet(gateway);
});
afterEach(async () => {
  for (const results of open.splice(0)) await results.return?.();
  await streams(gateway, 0);
});

async function follow(query: string, token?: string): Promise<Results> {
  const results = await subscribe(gateway, { query, ...(token && { token }) });
  open.push(results);
  return results;
}

const settled = 'subscription { deliverySettled { address state lastError expirationItem { id } } }';

test('deliveries are streamed as they are sent, given up and cancelled, to those who see their workspace', async () => {
  const { organizationId, otherTeamId: teamId } = gateway;
  const [all, own] = [await follow(settled), await follow(settled, gateway.viewer)];
  // Entries of the log are no deliveries, nor are these entries of it.
  const events = await follow('subscription { eventLogged { type } }');
  await makeItem(gateway, { organizationId, teamId });
  await decide(gateway);
  await sendAll(gateway);
  expect(await nextData(all)).toMatchObject({
    deliverySettled: { address: 'bert@example.org', state: 'SENT', lastError: null },
  });
  expect(await nextData(events)).toEqual({ eventLogged: { type: 'REMINDER_SENT' } });

  const id = await makeItem(gateway, gateway);
  await decide(gateway);
  await gateway.database.prisma.expirationItem.update({ where: { id }, data: { isActive: false } });
  await sendAll(gateway);
  const cancelled = {
    deliverySettled: {
      ...{ address: anna, state: 'CANCELLED', expirationItem: { id } },
      lastError: 'The item was archived before it was sent.',
    },
  };
  expect(await nextData(all)).toEqual(cancelled);
  expect(await nextData(own)).toEqual(cancelled);

  await makeItem(gateway, gateway);
  await decide(gateway);
  await sendAll(gateway, 1, {
    onRcptTo: (_address, _session, callback) => callback(smtpError(550, 'No such user')),
  });
  const failed = { deliverySettled: { address: anna, state: 'FAILED' } };
  expect(await nextData(all)).toMatchObject(failed);
  expect(await nextData(own)).toMatchObject(failed);
});
