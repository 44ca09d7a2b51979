import { beforeAll, describe, expect, test } from 'vitest';
import type { EnumOf } from '../../src/db/sql/conditions.js';
import { newId } from '../../src/domain/rules.js';
import { createItem } from '../rest/items.support.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import {
  countAll,
  eventsAbout,
  heldFinder,
  receiveTagged,
  settled,
  startWorkerOn,
} from '../uploads/support.js';
import { ask, expectRefusal, refusal } from './support.js';
import { confirm, expectUnchanged, make, retry, work } from './upload-settling.support.js';

const gateway = useGateway();
let foreign: Tenant;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
});

const states: EnumOf<'UploadState'>[] = ['RECEIVED', 'FAILED', 'FILED', 'IGNORED'];

describe.each(states)('of an upload that is %s', (state) => {
  let id: string;
  beforeAll(async () => {
    id = await make(gateway, state);
  });

  test.each([
    ['a viewer', () => gateway.viewer, 'FORBIDDEN'],
    ['an uploader', () => gateway.uploader, 'FORBIDDEN'],
    ['another organization’s admin', () => foreign.admin, 'NOT_FOUND'],
    ['another organization’s member', () => foreign.member, 'NOT_FOUND'],
  ] as const)('%s can neither retry nor confirm it', async (_who, token, code) => {
    await expectUnchanged(gateway, id, async () => {
      await expectRefusal(refusal(gateway, retry, { id }, token()), code);
      await expectRefusal(refusal(gateway, confirm, { id, input: {} }, token()), code);
      await expectRefusal(refusal(gateway, confirm, { id, input: { name: 'X' } }, token()), code);
    });
  });

  test('a member of another workspace can do neither', async () => {
    const { prisma } = gateway.database;
    await prisma.uploadNotification.update({ where: { id }, data: { teamId: gateway.otherTeamId } });
    await expectUnchanged(gateway, id, async () => {
      await expectRefusal(refusal(gateway, retry, { id }, gateway.member), 'NOT_FOUND');
      await expectRefusal(refusal(gateway, confirm, { id, input: {} }, gateway.member), 'NOT_FOUND');
    });
    await prisma.uploadNotification.update({ where: { id }, data: { teamId: gateway.teamId } });
  });
});

test.each(['x', '', newId()])('of %j, which names none, there is nothing to settle', async (id) => {
  await expectRefusal(refusal(gateway, retry, { id }), 'NOT_FOUND', undefined, /upload notification/);
  await expectRefusal(refusal(gateway, confirm, { id, input: {} }), 'NOT_FOUND', undefined, /upload notif/);
});

describe('retryUpload', () => {
  test.each([
    ['an admin', () => gateway.admin],
    ['a member', () => gateway.member],
  ] as const)('by %s has one that failed tried again from the beginning', async (_who, token) => {
    const id = await make(gateway, 'FAILED');
    const { upload } = await ask(gateway, retry, { id }, token());
    expect(upload).toMatchObject({ state: 'RECEIVED', error: null, attempts: 0, expirationItem: null });
    // What was wrong with it is as wrong as before.
    expect(await work(gateway, id)).toMatchObject({ state: 'FAILED', attempts: 1 });
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 12, 12]);
  });

  test('files it, once what stood in its way is gone', async () => {
    const item = await createItem(gateway, { teamId: gateway.otherTeamId });
    const id = await receiveTagged(gateway, { expiration_item_id: item.id }, gateway.member);
    expect((await work(gateway, id)).state).toBe('FAILED');
    const move = `mutation ($id: ID!, $teamId: ID!) {
      updateExpirationItem(id: $id, input: { teamId: $teamId }) { id }
    }`;
    await ask(gateway, move, { id: item.id, teamId: gateway.teamId });
    await ask(gateway, retry, { id });
    expect(await work(gateway, id)).toMatchObject({ state: 'FILED', error: null, expirationItemId: item.id });
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 12, 11]);
  });

  test('retries a waiting one at once', async () => {
    const id = await make(gateway, 'RECEIVED');
    const later = new Date(gateway.clock.now.getTime() + 3_600_000);
    const data = { dueAt: later, attempts: 9, error: 'not yet' };
    await gateway.database.prisma.uploadNotification.update({ where: { id }, data });
    await ask(gateway, retry, { id });
    expect(await work(gateway, id)).toMatchObject({ state: 'FILED', attempts: 1 });
  });

  test.each(['FILED', 'IGNORED'] as const)('of one that is %s is a conflict', async (state) => {
    const id = await make(gateway, state);
    await expectUnchanged(gateway, id, () => expectRefusal(refusal(gateway, retry, { id }), 'CONFLICT'));
  });

  test('while a worker has it under way files it once', async () => {
    const id = await make(gateway, 'RECEIVED');
    const before = await countAll(gateway);
    const { findFile, release, asked } = heldFinder();
    const worker = startWorkerOn(gateway, { findFile });
    await expect.poll(asked).toBe(1);
    await ask(gateway, retry, { id });
    // The worker takes it again only once it has left the first attempt, which then counts for nothing.
    release();
    await settled(gateway, id);
    await worker.stop();
    const after = await countAll(gateway);
    expect([after.items, after.attachments]).toEqual([before.items + 1, before.attachments + 1]);
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 11]);
  });
});
