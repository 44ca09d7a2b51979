import { beforeEach, describe, expect, test } from 'vitest';
import { purgeExpired } from '../../src/db/bin/bin.js';
import { newId } from '../../src/domain/rules.js';
import { createItem, readItem } from '../rest/items.support.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, testTime, useGateway } from '../support/gateway.js';
import { startWorkerOn } from '../uploads/support.js';
import { everything, listBin, make, remove, restore, restoring } from './bin.support.js';
import { ask, expectRefusal, refusal } from './support.js';

const day = 86_400_000;

const gateway = useGateway();
beforeEach(async () => {
  gateway.clock.now = testTime;
  await gateway.database.prisma.binEntry.deleteMany();
});

const makeGone = async (type: string, input: object, token?: string): Promise<string> => {
  const { id } = await make(gateway, type, input, token);
  await remove(gateway, type, id, token);
  return id;
};

const purge = 'mutation ($id: ID!) { purged: purgeBinEntry(id: $id) { id name } }';

describe('bin', () => {
  test('lists deleted records, newest first', async () => {
    const first = await makeGone('Vehicle', { name: 'Old van' });
    gateway.clock.now = new Date(testTime.getTime() + 1);
    const second = await makeGone('Contact', { email: `${newId()}@example.com` }, gateway.member);
    const { totalCount, nodes } = await listBin(gateway);
    expect(totalCount).toBe(2);
    expect(nodes).toMatchObject([
      { kind: 'CONTACT', recordId: second, name: expect.stringContaining('@') },
      {
        ...{ kind: 'VEHICLE', recordId: first, name: 'Old van', team: { id: gateway.teamId } },
        ...{ deletedAt: testTime.toISOString(), deletedBy: { id: gateway.userId } },
        expiresAt: new Date(testTime.getTime() + 30 * day).toISOString(),
      },
    ]);
    const { node } = await ask(gateway, 'query ($id: ID!) { node(id: $id) { __typename id } }', nodes[0]);
    expect(node).toEqual({ __typename: 'BinEntry', id: nodes[0].id });
  });

  test('is narrowed by kind, name, record, workspace and user, and read in pages', async () => {
    const van = await makeGone('Vehicle', { name: 'Straße van' });
    await makeGone('Vehicle', { name: 'Truck' });
    await makeGone('Tag', { name: 'van' });
    const found = async (filter: string) =>
      (await listBin(gateway, `(filter: ${filter})`)).nodes.map(({ name }: { name: string }) => name).sort();
    expect(await found('{ kinds: [VEHICLE] }')).toEqual(['Straße van', 'Truck']);
    expect(await found('{ kinds: [] }')).toEqual(['Straße van', 'Truck', 'van']);
    expect(await found('{ term: "VAN" }')).toEqual(['Straße van', 'van']);
    expect(await found(`{ recordId: "${van}" }`)).toEqual(['Straße van']);
    expect(await found(`{ teamId: "${gateway.otherTeamId}" }`)).toEqual([]);
    expect(await found(`{ deletedById: "${gateway.userId}", term: "truck" }`)).toEqual(['Truck']);
    expect(await found(`{ modifiedSince: "2099-01-01T00:00:00Z" }`)).toEqual([]);
    const query = `query ($after: String) { bin(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
    const one = (await ask(gateway, query)).bin;
    const two = (await ask(gateway, query, { after: one.pageInfo.endCursor })).bin;
    const ids = [...one.nodes, ...two.nodes].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(two.pageInfo.hasNextPage).toBe(false);
  });

  test('shows, restores and purges nothing of others', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const id = await makeGone('Tag', { name: 'hidden', teamId: gateway.otherTeamId });
    const [entry] = (await listBin(gateway)).nodes;
    for (const token of [gateway.member, foreign.admin]) {
      expect(await listBin(gateway, '', token)).toEqual({ totalCount: 0, nodes: [] });
      await expectRefusal(refusal(gateway, restoring('Tag'), { id }, token), 'NOT_FOUND');
    }
    await expectRefusal(refusal(gateway, purge, { id: entry.id }, foreign.admin), 'NOT_FOUND');
    await expectRefusal(refusal(gateway, purge, { id: entry.id }, gateway.member), 'FORBIDDEN');
    await expectRefusal(refusal(gateway, restoring('Tag'), { id }, gateway.viewer), 'FORBIDDEN');
    await expectRefusal(refusal(gateway, restoring('Vehicle'), { id }), 'NOT_FOUND', undefined, /no vehicle/);
    for (const wrong of ['', 'no-uuid', newId(), 'x'.repeat(100_000)]) {
      await expectRefusal(refusal(gateway, restoring('Tag'), { id: wrong }), 'NOT_FOUND');
      await expectRefusal(refusal(gateway, purge, { id: wrong }), 'NOT_FOUND');
    }
    await restore(gateway, 'Tag', id);
  });

  test('members do not restore a workspace', async () => {
    const id = await makeGone('Team', { name: 'Admins only' });
    await expectRefusal(refusal(gateway, restoring('Team'), { id }, gateway.member), 'FORBIDDEN');
    await restore(gateway, 'Team', id);
    const input = { name: 'New here', teamId: id };
    expect((await make(gateway, 'Tag', input)).id).toBeTruthy();
  });
});

describe('what expires', () => {
  const files = () => gateway.database.prisma.attachmentContent.count();

  test('is not restored any more, and deleted for good by the worker, with its files', async () => {
    const before = await files();
    const attachments = [{ content: 'eA==' }];
    const item = await createItem(gateway, { attachments });
    const stays = await createItem(gateway, { attachments });
    await remove(gateway, 'ExpirationItem', item.id);
    gateway.clock.now = new Date(testTime.getTime() + day);
    await remove(gateway, 'ExpirationItem', stays.id);
    gateway.clock.now = new Date(testTime.getTime() + 30 * day);
    await expectRefusal(refusal(gateway, restoring('ExpirationItem'), item), 'NOT_FOUND');
    expect((await listBin(gateway)).totalCount).toBe(1);
    expect(await files()).toBe(before + 2);
    const worker = startWorkerOn(gateway, { purgeMs: 10 });
    await eventually(async () => expect(await files()).toBe(before + 1));
    await worker.stop();
    expect(await gateway.database.prisma.binEntry.count()).toBe(1);
    await restore(gateway, 'ExpirationItem', stays.id);
    expect(await files()).toBe(before + 1);
  });

  test('is deleted once by several at once, however many there are', async () => {
    const { organizationId, teamId, database } = gateway;
    const times = { deletedAt: testTime, expiresAt: testTime };
    const entry = { organizationId, teamId, typeId: 3, ...times };
    const data = Array.from({ length: 57 }, () => ({ ...entry, id: newId(), recordId: newId() }));
    await database.prisma.binEntry.createMany({ data });
    const now = new Date(testTime.getTime() + 1);
    const purged = await Promise.all([1, 2, 3].map(() => purgeExpired(database, now)));
    expect(purged.reduce((sum, one) => sum + one)).toBe(57);
  });

  test('purgeBinEntry deletes at once and for good, with an event', async () => {
    const before = await files();
    const item = await createItem(gateway, { name: 'Secret', attachments: [{ content: 'eA==' }] });
    await remove(gateway, 'ExpirationItem', item.id);
    const [{ id }] = (await listBin(gateway)).nodes;
    expect((await ask(gateway, purge, { id })).purged).toEqual({ id, name: 'Secret' });
    expect(await files()).toBe(before);
    expect(await gateway.database.prisma.binRow.count()).toBe(0);
    await expectRefusal(refusal(gateway, restoring('ExpirationItem'), item), 'NOT_FOUND');
    const query =
      'query ($id: ID!) { eventLogs(filter: { entityId: $id }, first: 1) { nodes { type description details } } }';
    expect((await ask(gateway, query, item)).eventLogs.nodes).toEqual([
      { type: 'DELETED', description: 'Expiration item "Secret" was deleted from the bin', details: null },
    ]);
  });

  test('an entry of a deleted workspace can be purged', async () => {
    const team = await make(gateway, 'Team', { name: 'Closed' });
    await makeGone('Tag', { name: 'left', teamId: team.id });
    await remove(gateway, 'Team', team.id);
    const [{ id, team: shown }] = (await listBin(gateway, '(filter: { kinds: [TAG] })')).nodes;
    expect(shown).toBeNull();
    expect((await ask(gateway, purge, { id })).purged.name).toBe('left');
  });
});

test('with BIN_DAYS=0 a deletion is for good at once', async () => {
  const direct = await startGateway({ BIN_DAYS: '0' });
  try {
    const item = await createItem(direct, { attachments: [{ content: 'eA==' }] });
    await remove(direct, 'ExpirationItem', item.id);
    await expectRefusal(refusal(direct, restoring('ExpirationItem'), item), 'NOT_FOUND');
    expect((await listBin(direct)).totalCount).toBe(0);
    const rows = await everything(direct);
    expect([rows.attachments, rows.attachment_contents, rows.expiration_items]).toEqual([[], [], []]);
  } finally {
    await direct.close();
  }
});

test('row-level security lets files into the bin, and out of it', async () => {
  const secured = await startGateway({ ROW_SECURITY: 'on' });
  try {
    for (const token of [secured.admin, secured.member]) {
      const item = await createItem(secured, { attachments: [{ content: 'eA==' }] });
      await remove(secured, 'ExpirationItem', item.id, token);
      await restore(secured, 'ExpirationItem', item.id, token);
      expect((await readItem(secured, item)).attachments).toEqual(item.attachments);
    }
  } finally {
    await secured.close();
  }
});
