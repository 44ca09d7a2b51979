// Failing tests of faults found in the upload pipeline. They run from test/graphql/ or any other folder of test/.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { failUpload, fileUpload } from '../../src/data/upload-filing.js';
import { claimUploads } from '../../src/data/upload-queue.js';
import { FetchFailure } from '../../src/jobs/fetch-file.js';
import { receiveTagged, settled, startWorkerOn, storedUpload, withWorker } from '../jobs/support.js';
import { createItem, readItem } from '../rest/items.support.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';
import { confirm, make, retry, settle, work } from './upload-settling.support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.database.prisma.uploadNotification.deleteMany());

const refused = (id: string, input: object) => refusal(gateway, confirm, { id, input });

test('B1: a token that may only send uploads reads nothing of the items that they are filed under', async () => {
  const item = await createItem(gateway, {
    details: 'secret',
    attachments: [{ name: 'passport', content: 'aGVsbG8=' }],
  });
  const send = `mutation ($id: BigInt!, $tags: JSON!) {
    receiveUpload(input: { id: $id, action: "fp.upload", text: { uploadTags: $tags } }) {
      id expirationItem { name details contacts { email } attachments { name content } }
    }
  }`;
  const variables = { id: '77', tags: { expiration_item_id: item.id } };
  await gateway.graphql(send, variables, gateway.uploader);
  const [upload] = await gateway.database.prisma.uploadNotification.findMany();
  await work(gateway, String(upload?.id));
  const answer = await gateway.graphql(send, variables, gateway.uploader);
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(JSON.stringify(answer)).not.toContain('aGVsbG8=');
});

describe('B2: an item id that is no UUID is refused, not a fault of ours', () => {
  test.each(['x', '5', ''])('%j', async (expirationItemId) => {
    const id = await make(gateway, 'FAILED');
    const input = { expirationItemId, expirationDate: null };
    await expectRefusal(refused(id, input), 'BAD_REQUEST', 'expirationItemId', /UUID/);
  });
});

describe('B3: what is wrong with a decision is named as its input names it', () => {
  test.each([
    [{ contactEmail: 'nobody' }, 'contactEmail'],
    [{ contactEmail: '' }, 'contactEmail'],
    [{ contactEmail: `${'x'.repeat(250)}@y.com` }, 'contactEmail'],
    [{ category: 'x'.repeat(256) }, 'category'],
  ])('%j', async (decision, field) => {
    for (const state of ['FAILED', 'FILED'] as const) {
      const id = await make(gateway, state);
      const input = { expirationDate: null, ...decision };
      await expectRefusal(refused(id, input), 'BAD_REQUEST', field);
    }
  });
});

test('B4: a workspace that is not the sender’s is told by its tag', async () => {
  const id = await receiveTagged(gateway, { team_id: gateway.otherTeamId }, gateway.uploader);
  expect((await work(gateway, id)).error).toMatch(/^upload_Tags\.team_id: /);
});

test('B5: what the document tells of is kept also when the upload cannot be filed', async () => {
  const id = await receiveTagged(gateway, { contact_email: 'x' });
  const suggestion = { date: new Date('2033-01-31'), from: 'valid until 31.1.2033' };
  const findFile = async () => ({ suggestion });
  const upload = await withWorker(gateway, { findFile }, () => settled(gateway, id));
  expect(upload).toMatchObject({ state: 'FAILED', suggestedFrom: 'valid until 31.1.2033' });
});

test('B6: a lease that is extended while a failure is being kept does not take the place of the wait', async () => {
  const id = await receiveTagged(gateway, {});
  const { prisma } = gateway.database;
  let fail = () => {};
  const failing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const findFile = async () => {
    await failing;
    throw new FetchFailure('not now', { final: false });
  };
  const leaseMs = 600; // extended every 200
  const worker = startWorkerOn(gateway, { findFile, leaseMs });
  try {
    await vi.waitFor(async () => expect((await storedUpload(gateway, id)).attempts).toBe(1));
    await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM upload_notifications WHERE id = ${id}::uuid FOR UPDATE`;
      fail();
      await vi.waitFor(async () => {
        const waiting = await tx.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(waiting).toHaveLength(2);
      }, 5_000);
    });
    await vi.waitFor(async () => expect((await storedUpload(gateway, id)).error).toBe('not now'));
  } finally {
    await worker.stop();
  }
  const wait = Number((await storedUpload(gateway, id)).dueAt) - gateway.clock.now.getTime();
  expect(wait).toBeGreaterThanOrEqual(2_500);
});

test('B7: a try that began before retryUpload cannot end one that began after it', async () => {
  const id = await receiveTagged(gateway, {});
  const { database, clock } = gateway;
  const take = async () => {
    const [claimed] = await claimUploads(database, 1, clock.now, new Date(clock.now.getTime() + 15_000));
    if (!claimed) throw new Error('Nothing is due.');
    return { session: claimed.session, attempt: { id, attempts: claimed.upload.attempts } };
  };
  const old = await take();
  await ask(gateway, retry, { id });
  const young = await take();
  await failUpload(old.session, old.attempt, 'too late', null);
  expect((await storedUpload(gateway, id)).state).toBe('RECEIVED');
  await fileUpload(young.session, young.attempt, {});
  expect((await storedUpload(gateway, id)).state).toBe('FILED');
});

test('B8: an upload is filed when it is filed, not when it was taken up', async () => {
  const id = await receiveTagged(gateway, {});
  const later = new Date(gateway.clock.now.getTime() + 30_000);
  const findFile = async () => {
    gateway.clock.now = later;
    return {};
  };
  const worker = { findFile, leaseMs: 3_600_000 };
  expect((await withWorker(gateway, worker, () => settled(gateway, id))).filedAt).toEqual(later);
});

test('B9: a contact that is confirmed does not take the place of the item’s others', async () => {
  const contacts = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
  const item = await createItem(gateway, { contacts });
  const id = await make(gateway, 'FILED', { expiration_item_id: item.id });
  await settle(gateway, id, { contactEmail: 'c@example.com' });
  const emails = (await readItem(gateway, item)).contacts.map(({ email }: { email: string }) => email);
  expect(emails).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
});

test('B10: the item that an upload is filed under is that in any letter case', async () => {
  const id = await make(gateway, 'FILED');
  const { expirationItemId } = await storedUpload(gateway, id);
  const upload = await settle(gateway, id, { expirationItemId: String(expirationItemId).toUpperCase() });
  expect(upload.state).toBe('FILED');
});

describe('B11: a tag that is no text is not told to be missing', () => {
  test.each(['name', 'category', 'contact_email'])('%s', async (tag) => {
    const id = await receiveTagged(gateway, { [tag]: { a: 1 } });
    const { error } = await work(gateway, id);
    expect(error).toMatch(new RegExp(`^upload_Tags\\.${tag}: must be `));
  });
});

test('B12: an upload that nobody can stand for does not cost the others their tries', async () => {
  const empty = await createTenant(gateway.database, 'Empty');
  const [id] = [await receiveTagged(gateway, {}), await receiveTagged(gateway, {}, empty.uploader)];
  const { prisma } = gateway.database;
  const where = { organizationId: empty.organizationId };
  await prisma.accessToken.deleteMany({ where });
  await prisma.membership.deleteMany({ where: { team: where } });
  await prisma.user.deleteMany({ where });
  const upload = await withWorker(gateway, {}, () => settled(gateway, id));
  expect(upload).toMatchObject({ state: 'FILED', attempts: 1 });
});

test('B13: a size beyond 2^53 is kept', async () => {
  const body = '{"id": 13, "action": "fp.upload", "text": {"size": 9007199254740993}}';
  const headers = { 'Content-Type': 'application/json' };
  await gateway.send('POST', '/v1/bulkscan/receive', { raw: body, headers });
  const [upload] = await gateway.database.prisma.uploadNotification.findMany();
  await work(gateway, String(upload?.id));
  const [attachment] = await gateway.database.prisma.attachment.findMany({
    where: { uploadNotifications: { some: {} } },
  });
  expect(attachment?.contentLength).toBe(9_007_199_254_740_993n);
});

test('B14: the event of the filing tells a workspace nothing of another’s item', async () => {
  const item = await createItem(gateway, { name: 'Hidden name', teamId: gateway.otherTeamId });
  await work(gateway, await receiveTagged(gateway, { expiration_item_id: item.id }, gateway.admin));
  const list = '{ eventLogs(filter: {term: "was filed"}) { nodes { description } } }';
  expect(JSON.stringify(await ask(gateway, list, {}, gateway.member))).not.toContain('Hidden name');
});
