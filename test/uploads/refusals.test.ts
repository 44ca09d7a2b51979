import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeToken } from '../../src/access/tokens.js';
import { newId } from '../../src/domain/rules.js';
import type { UploadReason } from '../../src/domain/uploads/upload.js';
import type { Worker } from '../../src/uploads/worker/worker.js';
import { createItem, readItem } from '../rest/items.support.js';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import { countAll, eventsAbout, receiveTagged, settled, startWorkerOn } from './support.js';

let gateway: TestGateway;
let foreign: Tenant;
let worker: Worker;
beforeAll(async () => {
  gateway = await startGateway();
  foreign = await createTenant(gateway.database, 'Globex');
  worker = startWorkerOn(gateway);
});
afterAll(async () => {
  await worker.stop();
  await gateway.close();
});

/** Expects that an upload fails at its first try, with this reason and one event of it, and leaves nothing. */
async function expectFailure(
  tags: object,
  code: UploadReason,
  reason: RegExp,
  token = gateway.uploader,
): Promise<void> {
  const before = await countAll(gateway);
  const id = await receiveTagged(gateway, tags, token);
  const { state, error, errorCode, attempts, attachmentId, filedAt } = await settled(gateway, id);
  expect([state, errorCode, attempts, attachmentId, filedAt]).toEqual(['FAILED', code, 1, null, null]);
  expect(error).toMatch(reason);
  const events = await eventsAbout(gateway, id);
  expect(events.map(({ typeId }) => typeId)).toEqual([10, 12]);
  expect(events[1]).toMatchObject({
    description: `Upload notification "Scan" could not be filed: ${error}`,
    entities: [[12, id]],
  });
  expect(await countAll(gateway)).toEqual({ ...before, events: before.events + 2 });
}

describe('fails at once, by the name of what is wrong', () => {
  test.each<[tags: object, code: UploadReason, reason: RegExp]>([
    [{ expiration_item_id: 'x' }, 'TAG_INVALID', /^upload_Tags\.expiration_item_id: must be a UUID$/],
    [
      { expiration_item_id: newId() },
      'ITEM_NOT_FOUND',
      /^upload_Tags\.expiration_item_id: names no expiration item/,
    ],
    [{ name: 'x'.repeat(256) }, 'NAME_INVALID', /^upload_Tags\.name: .*255/],
    [
      { expiration_date: '2031-02-29' },
      'DATE_INVALID',
      /^upload_Tags\.expiration_date: must be a date, YYYY-MM-DD$/,
    ],
    [{ category: 'x'.repeat(256) }, 'TYPE_INVALID', /^upload_Tags\.category: .*255/],
    [
      { contact_email: 'nobody' },
      'CONTACT_INVALID',
      /^upload_Tags\.contact_email: must be an e-mail address$/,
    ],
    [{ team_id: 'Main' }, 'WORKSPACE_INVALID', /^upload_Tags\.team_id: must be a UUID$/],
    [{ team_id: newId() }, 'WORKSPACE_INVALID', /team_?id/i],
    [{ vehicle_vin: 'x'.repeat(256) }, 'HOLDER_INVALID', /^upload_Tags\.vehicle_vin: .*255/],
    [
      { license_plate: 'NO 1' },
      'HOLDER_INVALID',
      /^upload_Tags\.license_plate: there is no vehicle with the licence plate "NO 1"\.$/,
    ],
    [{ vehicle_vin: 'NONE' }, 'HOLDER_INVALID', /^upload_Tags\.vehicle_vin: there is no vehicle/],
    [{ holder_email: 'no@example.com' }, 'HOLDER_INVALID', /^upload_Tags\.holder_email: there is no contact/],
    [{ company_tax_id: 'DE 0' }, 'HOLDER_INVALID', /^upload_Tags\.company_tax_id: there is no company/],
    [{ company_id: newId() }, 'HOLDER_INVALID', /^upload_Tags\.company_id: names nothing that exists$/],
    [{ holder_id: newId() }, 'HOLDER_INVALID', /^upload_Tags\.holder_id: names nothing that exists$/],
    [{ holder_id: 'Truck' }, 'HOLDER_INVALID', /^upload_Tags\.holder_id: must be a UUID$/],
    [{ trust_scan: 'perhaps' }, 'TAG_INVALID', /^upload_Tags\.trust_scan: must be true or false$/],
  ])('%j', expectFailure);

  test('an item of another organization', async () => {
    const { data } = await gateway.graphql(
      'mutation { createExpirationItem(input: {name: "Theirs", expirationDate: "2030-01-01"}) { id } }',
      {},
      foreign.admin,
    );
    const tags = { expiration_item_id: data.createExpirationItem.id };
    await expectFailure(
      tags,
      'ITEM_NOT_FOUND',
      /^upload_Tags\.expiration_item_id: names no expiration item that exists$/,
    );
    const { attachments } = (
      await gateway.graphql(
        `{ expirationItem(id: "${data.createExpirationItem.id}") { attachments { nodes { id } } } }`,
        {},
        foreign.admin,
      )
    ).data.expirationItem;
    expect(attachments.nodes).toEqual([]);
  });

  test('an item of a workspace that the sender does not see, unless an admin sends it', async () => {
    const item = await createItem(gateway, { teamId: gateway.otherTeamId });
    const tags = { expiration_item_id: item.id };
    for (const token of [gateway.uploader, gateway.member]) {
      await expectFailure(
        tags,
        'ITEM_NOT_FOUND',
        /^upload_Tags\.expiration_item_id: names no expiration item/,
        token,
      );
    }
    const id = await receiveTagged(gateway, tags, gateway.admin);
    expect(await settled(gateway, id)).toMatchObject({ state: 'FILED', expirationItemId: item.id });
  });

  test('a workspace that is not the sender’s, even another organization’s', async () => {
    await expectFailure({ team_id: gateway.otherTeamId }, 'WORKSPACE_INVALID', /team_?id.*workspace/i);
    await expectFailure(
      { team_id: foreign.teamId },
      'WORKSPACE_INVALID',
      /team_?id.*workspace/i,
      gateway.admin,
    );
  });

  test('an item with the maximum number of attachments', async () => {
    const attachments = Array.from({ length: 100 }, (_, index) => ({ name: `${index}`, content: '' }));
    const item = await createItem(gateway, { attachments });
    await expectFailure(
      { expiration_item_id: item.id },
      'TOO_MANY_FILES',
      /attachments: must have at most 100 entries/,
    );
    expect((await readItem(gateway, item)).attachments).toHaveLength(100);
  });
});

describe('files all the same what was received', () => {
  /** Receives an upload while no worker is there, lets things happen, and has it filed. */
  async function meanwhile(tenant: Tenant, happen: () => Promise<unknown>, tags: object = {}) {
    await worker.stop();
    const id = await receiveTagged(gateway, tags, tenant.uploader);
    await happen();
    worker = startWorkerOn(gateway);
    return settled(gateway, id);
  }

  const tokenOf = (tenant: Tenant) =>
    gateway.database.prisma.accessToken.findFirstOrThrow({
      where: { organizationId: tenant.organizationId, role: 'UPLOADER' },
    });

  test('from a token that has been revoked or has expired since', async () => {
    const tenant = await createTenant(gateway.database, 'Revoked');
    const { id } = await tokenOf(tenant);
    const revoke = () => revokeToken(gateway.database, id, gateway.clock.now);
    expect((await meanwhile(tenant, revoke)).state).toBe('FILED');
    const other = await createTenant(gateway.database, 'Expired');
    const where = { id: (await tokenOf(other)).id };
    const expire = () =>
      gateway.database.prisma.accessToken.update({ where, data: { expiresAt: gateway.clock.now } });
    expect((await meanwhile(other, expire)).state).toBe('FILED');
  });

  test('from a deleted token', async () => {
    const tenant = await createTenant(gateway.database, 'Gone');
    const { id } = await tokenOf(tenant);
    const upload = await meanwhile(tenant, () =>
      gateway.database.prisma.accessToken.delete({ where: { id } }),
    );
    expect(upload).toMatchObject({ state: 'FILED', teamId: tenant.teamId, accessTokenId: null });
  });

  test('from a deleted user, in the workspace where it was received', async () => {
    const tenant = await createTenant(gateway.database, 'Departed');
    const { userId } = await tokenOf(tenant);
    const upload = await meanwhile(tenant, async () => {
      const { prisma } = gateway.database;
      await prisma.accessToken.deleteMany({ where: { userId } });
      await prisma.user.delete({ where: { id: userId } });
    });
    expect(upload).toMatchObject({ state: 'FILED', userId: null, accessTokenId: null });
    const item = { id: String(upload.expirationItemId) };
    expect(await gateway.database.prisma.expirationItem.findUnique({ where: item })).toMatchObject({
      teamId: tenant.teamId,
    });
  });

  test('from a user who has left the workspace, but no longer under its items elsewhere', async () => {
    const tenant = await createTenant(gateway.database, 'Left');
    const { userId } = await tokenOf(tenant);
    const { prisma } = gateway.database;
    await prisma.membership.create({ data: { userId, teamId: tenant.otherTeamId } });
    const leave = () => prisma.membership.deleteMany({ where: { userId } });
    expect(await meanwhile(tenant, leave)).toMatchObject({ state: 'FILED', teamId: tenant.teamId });
    const join = [tenant.teamId, tenant.otherTeamId].map((teamId) => ({ userId, teamId }));
    await prisma.membership.createMany({ data: join });
    const elsewhere = await meanwhile(tenant, leave, { team_id: tenant.otherTeamId });
    expect(elsewhere.state).toBe('FAILED');
    expect(elsewhere.error).toMatch(/workspace/);
  });
});

test('an item that was deleted after its file was received is not made anew', async () => {
  await worker.stop();
  const item = await createItem(gateway);
  const id = await receiveTagged(gateway, { expiration_item_id: item.id });
  await gateway.graphql('mutation ($id: ID!) { deleteExpirationItem(id: $id) { id } }', { id: item.id });
  worker = startWorkerOn(gateway);
  expect(await settled(gateway, id)).toMatchObject({
    state: 'FAILED',
    error: 'upload_Tags.expiration_item_id: names no expiration item that exists',
  });
});
