import { expect, test } from 'vitest';
import type { EnumOf } from '../../src/db/sql/conditions.js';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

/** Puts a mail into a state. */
async function deliver(
  state: EnumOf<'DeliveryState'>,
  address: string,
  values: object = {},
): Promise<string> {
  const { organizationId, teamId, clock } = gateway;
  const id = newId();
  const data = {
    ...{
      id,
      organizationId,
      teamId,
      kind: 'MAIL' as const,
      dedupeKey: id,
      subjectKind: 'item',
      state,
      address,
    },
    ...{ created: clock.now, modified: clock.now, ...values },
  };
  await gateway.database.prisma.delivery.create({ data });
  return id;
}

const list = (query: string, token = gateway.admin) =>
  gateway.send('GET', `/v1/deliveries?${query}`, { token });

test('lists by state in any letter case, and by a part of the address', async () => {
  const [sent, failed] = [
    await deliver('SENT', 'ann@list.example'),
    await deliver('FAILED', 'bob@list.example'),
  ];
  const ids = async (query: string) =>
    (await list(`term=list.example&${query}`)).json.deliveries.map(({ id }: { id: string }) => id);
  expect(await ids('state=Sent')).toEqual([sent]);
  expect(await ids('state=failed')).toEqual([failed]);
  expect(await ids('state=')).toHaveLength(2);
  expect(await ids('sort=address&sortDirection=desc')).toEqual([failed, sent]);
  expectBadRequest(
    await list('state=lost'),
    /^state: must be one of queued, sent, failed, suppressed, cancelled/,
  );
  expectBadRequest(await list(`state=${encodeURIComponent('sent\0')}`), /^state/);
});

test('one that was given up is tried again once, of its version', async () => {
  const id = await deliver('FAILED', 'carl@example.com', { lastError: 'Busy', statusCode: 421, attempts: 9 });
  const read = await gateway.send('GET', `/v1/deliveries/${id}`);
  expect(read.json).toMatchObject({ state: 'failed', kind: 'mail', attempts: 9, expiration_item_id: null });
  expect(read.json.last_error).toContain('Busy');
  const retry = (headers = {}) => gateway.send('POST', `/v1/deliveries/${id}/retry`, { headers });
  expectError(await retry({ 'If-Match': '"stale-1"' }), 412, 'PRECONDITION_FAILED');
  const answers = await Promise.all([retry(), retry(), retry()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const done = answers.find(({ status }) => status === 200);
  expect(done?.json).toMatchObject({ id, state: 'queued', last_error: null, settled_at: null });
  expect(done?.headers.get('etag')).not.toBe(read.headers.get('etag'));
});
