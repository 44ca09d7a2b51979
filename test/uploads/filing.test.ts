import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Worker } from '../../src/uploads/worker/worker.js';
import { ask } from '../graphql/support.js';
import { createItem, put } from '../rest/items.support.js';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import { eventsAbout, receive, receiveTagged, settled, startWorkerOn } from './support.js';

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

const read = `query ($id: ID!) {
  uploadNotification(id: $id) {
    state error attempts filedAt
    attachment { id name contentType contentLength sourceUrl content created }
    expirationItem {
      id name expirationDate status teamId category { name teamId } contacts { email teamId }
      attachments { nodes { id name } }
    }
  }
}`;

/** Waits until an upload is filed, and reads what became of it. */
async function filed(id: string, token?: string) {
  const { state, error } = await settled(gateway, id);
  expect([state, error]).toEqual(['FILED', null]);
  return (await ask(gateway, read, { id }, token)).uploadNotification;
}

/** Has an upload filed, of which only the tags matter. */
const file = async (tags: object, token?: string) => filed(await receiveTagged(gateway, tags, token));

const scan = {
  filename: 'Trade licence',
  url: 'https://cdn.example.com/abc',
  type: 'application/pdf',
  size: 158_584,
};

describe('a new item', () => {
  test("is created from the file's name, without a date, with the file attached", async () => {
    const id = await receive(gateway, scan, gateway.uploader);
    const upload = await filed(id);
    const { attachment, expirationItem: item, ...rest } = upload;
    const at = gateway.clock.now.toISOString();
    expect(rest).toEqual({ state: 'FILED', error: null, attempts: 1, filedAt: at });
    expect(attachment).toEqual({
      id: expect.any(String),
      name: 'Trade licence',
      contentType: 'application/pdf',
      contentLength: '158584',
      sourceUrl: 'https://cdn.example.com/abc',
      content: null,
      created: at,
    });
    expect(item).toEqual({
      id: expect.any(String),
      name: 'Trade licence',
      expirationDate: null,
      status: 'NO_DATE',
      teamId: gateway.teamId,
      category: { name: 'Generic', teamId: gateway.teamId },
      contacts: [],
      attachments: { nodes: [{ id: attachment.id, name: 'Trade licence' }] },
    });
  });

  test('has an event for each step: received, item created, filed', async () => {
    const id = await receive(gateway, scan, gateway.uploader);
    const { expirationItem: item, attachment } = await filed(id);
    const by = { teamId: gateway.teamId, userName: 'Max Member' };
    expect(await eventsAbout(gateway, id)).toEqual([
      {
        ...by,
        typeId: 10,
        description: 'Upload notification "Trade licence" was received',
        entities: [[12, id]],
      },
      {
        ...by,
        typeId: 11,
        description: 'Upload notification "Trade licence" was filed under expiration item "Trade licence"',
        entities: [
          [12, id],
          [1, item.id],
          [11, attachment.id],
        ],
      },
    ]);
    const ofItem = await eventsAbout(gateway, item.id);
    expect(ofItem.map(({ typeId, userName }) => [typeId, userName])).toEqual([
      [1, 'Max Member'],
      [11, 'Max Member'],
    ]);
  });

  test('has the name and the labelled date that the file’s name tells, unless the tags tell others', async () => {
    const filename = 'inbox/Trade licence exp 2031-07-15.pdf';
    const told = await filed(await receive(gateway, { filename }));
    expect(told.attachment.name).toBe(filename);
    expect(told.expirationItem).toMatchObject({
      name: 'Trade licence exp 2031-07-15',
      expirationDate: '2031-07-15',
    });
    const upload_Tags = { name: 'Permit', expiration_date: '2032-01-31' };
    const { expirationItem } = await filed(await receive(gateway, { filename, upload_Tags }));
    expect(expirationItem).toMatchObject({ name: 'Permit', expirationDate: '2032-01-31' });
  });

  test('is made as all tags say', async () => {
    const tags = {
      Name: 'Permit 7',
      expiration_date: '2031-07-15',
      category: 'Permit',
      contact_email: 'bo@example.com',
      team_id: gateway.otherTeamId,
    };
    const { expirationItem } = await file(tags);
    const teamId = gateway.otherTeamId;
    expect(expirationItem).toMatchObject({
      name: 'Permit 7',
      expirationDate: '2031-07-15',
      status: 'CURRENT',
      teamId,
      category: { name: 'Permit', teamId },
      contacts: [{ email: 'bo@example.com', teamId }],
    });
  });

  test('takes the document type and the contact that are there, in any letter case', async () => {
    const item = await createItem(gateway, {
      category: { name: 'Insurance' },
      contacts: [{ email: 'Ann@Example.com' }],
    });
    const { expirationItem } = await file({ category: 'INSURANCE', contact_email: 'ann@example.COM' });
    expect(expirationItem).toMatchObject({
      category: { name: 'Insurance' },
      contacts: [{ email: item.contacts[0].email }],
    });
    expect(await gateway.database.prisma.category.count({ where: { name: 'INSURANCE' } })).toBe(0);
  });

  test('without a name anywhere is an upload', async () => {
    const id = await receive(gateway, {});
    const { attachment, expirationItem } = await filed(id);
    expect(expirationItem.name).toBe('Upload');
    expect(attachment).toMatchObject({ name: null, contentType: null, contentLength: '0', sourceUrl: null });
  });

  test.each([
    [0, '0'],
    [-5, '0'],
    [null, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('of a file whose sender declares %j bytes has an attachment of %s', async (size, contentLength) => {
    const { attachment } = await filed(await receive(gateway, { filename: 'Sized', size }));
    expect(attachment.contentLength).toBe(contentLength);
  });

  test('30 at once with the same new document type and contact share them', async () => {
    const before = await gateway.database.prisma.category.count();
    const tags = { category: 'Shared type', contact_email: 'shared@example.com' };
    const sent = Array.from({ length: 30 }, (_, index) => {
      // Without `name`, the letter case is all that differs.
      const category = index % 2 ? tags.category : tags.category.toUpperCase();
      return receiveTagged(gateway, { ...tags, category });
    });
    const ids = await Promise.all(sent);
    await settled(gateway, ...ids);
    const { prisma } = gateway.database;
    expect(await prisma.uploadNotification.count({ where: { id: { in: ids }, state: 'FILED' } })).toBe(30);
    expect(await prisma.category.count()).toBe(before + 1);
    expect(await prisma.contact.count({ where: { email: 'shared@example.com' } })).toBe(1);
    const made = { typeId: 1, description: { contains: 'shared', mode: 'insensitive' as const } };
    expect(await prisma.eventLog.count({ where: made })).toBe(2);
    const linked = { contacts: { some: { contact: { email: 'shared@example.com' } } } };
    expect(await prisma.expirationItem.count({ where: linked })).toBe(30);
  });
});

describe('an item that is there', () => {
  test('gets the file as its last attachment, and keeps everything else', async () => {
    const item = await createItem(gateway, {
      contacts: [{ email: 'kept@example.com' }],
      tags: [{ name: 'kept' }],
      attachments: [{ name: 'first.txt', content: 'aGVsbG8=' }],
    });
    const tags = { expiration_item_id: item.id.toUpperCase(), name: 'Not this', category: 'Nor this' };
    const { expirationItem, attachment } = await file(tags, gateway.uploader);
    expect(expirationItem).toMatchObject({ id: item.id, name: 'Licence', expirationDate: '2027-06-01' });
    expect(expirationItem.attachments.nodes).toEqual([
      { id: item.attachments[0].id, name: 'first.txt' },
      { id: attachment.id, name: 'Scan' },
    ]);
    expect(expirationItem.contacts).toMatchObject([{ email: 'kept@example.com' }]);
    expect((await eventsAbout(gateway, item.id)).map(({ typeId }) => typeId)).toEqual([1, 2, 11]);
    expect(await gateway.database.prisma.category.count({ where: { name: 'Nor this' } })).toBe(0);
  });

  test('gets every file of many that come at once', async () => {
    const { id: expiration_item_id } = await createItem(gateway);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => receiveTagged(gateway, { expiration_item_id })),
    );
    await settled(gateway, ...ids);
    const { expirationItem } = await filed(ids[0] as string);
    expect(expirationItem.attachments.nodes).toHaveLength(20);
    expect(new Set(expirationItem.attachments.nodes.map(({ id }: { id: string }) => id)).size).toBe(20);
  });

  test('keeps it when the item is replaced by PUT, named by its id or not', async () => {
    const { expirationItem: item, attachment } = await filed(await receive(gateway, scan));
    const kept = [
      {
        id: attachment.id,
        name: 'Trade licence',
        content_type: 'application/pdf',
        content: null,
        content_legth: 158_584,
        created: gateway.clock.now.toISOString(),
      },
    ];
    expect((await put(gateway, item)).json).toMatchObject({ status: 'current', attachments: kept });
    const whole = { name: 'Renamed', attachments: [{ id: attachment.id }] };
    expect((await put(gateway, item, whole)).json.attachments).toEqual(kept);
    const { sourceUrl } = await gateway.database.prisma.attachment.findUniqueOrThrow({
      where: { id: attachment.id },
    });
    expect(sourceUrl).toBe(scan.url);
  });

  test('without a date can be changed and still has none', async () => {
    const { expirationItem: item } = await file({ name: 'Undated' });
    const change = `mutation ($id: ID!) {
      updateExpirationItem(id: $id, input: { details: "In the safe" }) { status expirationDate details }
    }`;
    expect((await ask(gateway, change, { id: item.id })).updateExpirationItem).toEqual({
      status: 'NO_DATE',
      expirationDate: null,
      details: 'In the safe',
    });
  });
});

test('each organization’s uploads are filed in it', async () => {
  const [ours, theirs] = [
    await file({ category: 'Same name' }, gateway.uploader),
    await filed(await receiveTagged(gateway, { category: 'Same name' }, foreign.uploader), foreign.admin),
  ];
  expect(ours.expirationItem.category.teamId).toBe(gateway.teamId);
  expect(theirs.expirationItem).toMatchObject({
    teamId: foreign.teamId,
    category: { name: 'Same name', teamId: foreign.teamId },
  });
});

test('a notification that needs no filing is left alone', async () => {
  const { prisma } = gateway.database;
  for (const body of [{}, { action: 'fp.delete', text: scan }]) {
    expect((await gateway.send('POST', '/v1/bulkscan/receive', { body })).status).toBe(204);
  }
  await file({});
  const ignored = await prisma.uploadNotification.findMany({ where: { state: 'IGNORED' } });
  expect(ignored).toHaveLength(2);
  for (const upload of ignored)
    expect(upload).toMatchObject({ attempts: 0, dueAt: null, attachmentId: null });
});
