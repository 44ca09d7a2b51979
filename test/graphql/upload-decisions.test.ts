import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem } from '../rest/items.support.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import {
  countAll,
  eventsAbout,
  heldFinder,
  settled,
  startWorkerOn,
  storedUpload,
  withWorker,
} from '../uploads/support.js';
import { expectRefusal, refusal } from './support.js';
import { confirm, expectUnchanged, make, settle } from './upload-settling.support.js';

const gateway = useGateway();
let foreign: Tenant;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
});

describe('a decision that cannot be is refused, naming its member', () => {
  const itemOf = async (token: string, teamId?: string) => ({
    expirationItemId: (await createItem(gateway, { teamId }, token)).id,
  });

  test.each<[what: string, input: () => object | Promise<object>, field: string, message: RegExp]>([
    ['no item', () => ({ expirationItemId: newId() }), 'expirationItemId', /names no expiration item/],
    ['another organization’s item', () => itemOf(foreign.admin), 'expirationItemId', /names no expir/],
    [
      'another workspace’s item',
      () => itemOf(gateway.admin, gateway.otherTeamId),
      'expirationItemId',
      /names no expiration item/,
    ],
    ['a long name', () => ({ name: 'x'.repeat(256) }), 'name', /255/],
    ['a blank name', () => ({ name: ' ' }), 'name', /empty/],
    ['a name with NUL', () => ({ name: 'a\0' }), 'name', /NUL/],
    ['no workspace', () => ({ teamId: 'x' }), 'teamId', /workspace/],
    ['another workspace', () => ({ teamId: gateway.otherTeamId }), 'teamId', /workspace/],
    ['another organization’s workspace', () => ({ teamId: foreign.teamId }), 'teamId', /workspace/],
  ])('%s', async (_what, input, field, message) => {
    const decision = { expirationDate: null, ...(await input()) };
    for (const state of ['RECEIVED', 'IGNORED'] as const) {
      const id = await make(gateway, state);
      const refused = () => refusal(gateway, confirm, { id, input: decision }, gateway.member);
      await expectUnchanged(gateway, id, () => expectRefusal(refused(), 'BAD_REQUEST', field, message));
    }
  });

  test.each(['soon', '2031-02-29', 5, ''])('the date %j', async (expirationDate) => {
    const id = await make(gateway, 'FAILED');
    await expectUnchanged(gateway, id, async () => {
      const { errors } = await gateway.graphql(confirm, { id, input: { expirationDate } });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
      expect(errors[0].message).toMatch(/expirationDate.*YYYY-MM-DD/);
    });
  });

  test('of a filed one, too', async () => {
    const id = await make(gateway, 'FILED');
    await expectUnchanged(gateway, id, async () => {
      const refused = (input: object) => refusal(gateway, confirm, { id, input }, gateway.member);
      await expectRefusal(refused({ name: 'x'.repeat(256) }), 'BAD_REQUEST', 'name', /255/);
      await expectRefusal(refused({ teamId: gateway.otherTeamId }), 'BAD_REQUEST', 'teamId', /workspace/);
    });
  });
});

describe('at the same time', () => {
  test('as others, a confirmation files once; later ones get a conflict', async () => {
    const id = await make(gateway, 'FAILED');
    const before = await countAll(gateway);
    const names = Array.from({ length: 6 }, (_, index) => `Decision ${index}`);
    const answers = await Promise.all(
      names.map((name) => gateway.graphql(confirm, { id, input: { name, expirationDate: null } })),
    );
    const errors = answers.flatMap((answer) => answer.errors ?? []);
    const codes = errors.map(({ extensions }) => extensions.code);
    expect(codes.filter((code) => code !== 'CONFLICT')).toEqual([]);
    expect(codes.length).toBeLessThan(names.length);
    const after = await countAll(gateway);
    expect([after.items, after.attachments]).toEqual([before.items + 1, before.attachments + 1]);
    expect((await eventsAbout(gateway, id)).filter(({ typeId }) => typeId === 11)).toHaveLength(1);
  });

  test("as a worker's attempt, the confirmation counts", async () => {
    const id = await make(gateway, 'RECEIVED', { name: 'The worker’s' });
    const before = await countAll(gateway);
    const { findFile, release, asked } = heldFinder();
    const worker = startWorkerOn(gateway, { findFile });
    await expect.poll(asked).toBe(1);
    const { expirationItem } = await settle(gateway, id, { name: 'The person’s' });
    release();
    await worker.stop();
    expect(await storedUpload(gateway, id)).toMatchObject({
      state: 'FILED',
      expirationItemId: expirationItem.id,
    });
    const after = await countAll(gateway);
    expect([after.items, after.attachments]).toEqual([before.items + 1, before.attachments + 1]);
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 11]);
  });

  test('as a worker, each of 20 is filed once, by the one or the other', async () => {
    const before = await countAll(gateway);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => make(gateway, 'RECEIVED', { name: 'Worker' })),
    );
    const answers = await withWorker(gateway, {}, async () => {
      const confirmed = ids.map((id) => gateway.graphql(confirm, { id, input: { name: 'Person' } }));
      const [given] = await Promise.all([Promise.all(confirmed), settled(gateway, ...ids)]);
      return given;
    });
    for (const { errors } of answers) {
      if (errors) expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
    }
    const after = await countAll(gateway);
    expect([after.items, after.attachments]).toEqual([before.items + 20, before.attachments + 20]);
    const { prisma } = gateway.database;
    const filed = { typeId: 11, entities: { some: { entityId: { in: ids } } } };
    expect(await prisma.eventLog.count({ where: filed })).toBe(20);
    // Whoever's answer was no conflict has had their way: the item is theirs.
    const uploads = await prisma.uploadNotification.findMany({ where: { id: { in: ids } } });
    const items = { id: { in: uploads.map(({ expirationItemId }) => String(expirationItemId)) } };
    const named = await prisma.expirationItem.count({ where: { ...items, name: 'Person' } });
    expect(named).toBe(answers.filter(({ errors }) => !errors).length);
  });
});
