import { describe, expect, test } from 'vitest';
import { FileContent } from '../../src/domain/files.js';
import type { FoundFile } from '../../src/uploads/filed-uploads.js';
import { ask } from '../graphql/support.js';
import { put } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import { countAll, receive, receiveTagged, settled, withWorker } from './support.js';

const gateway = useGateway();

const read = `query ($id: ID!) {
  uploadNotification(id: $id) {
    state error suggestedExpirationDate suggestedFrom
    attachment { id contentType contentLength content }
    expirationItem { id expirationDate status attachments { nodes { content } } }
  }
}`;

/** Files uploads with what was found out about their files; answers what became of the first. */
async function fileWith(found: FoundFile, ...ids: string[]) {
  await withWorker(gateway, { findFile: async () => found }, () => settled(gateway, ...ids));
  return (await ask(gateway, read, { id: ids[0] })).uploadNotification;
}

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
const fetched = { content: new FileContent(bytes), contentType: 'application/pdf' };
const suggestion = { date: new Date('2033-01-31T00:00:00.000Z'), from: 'valid until 31 January 2033' };

describe('bytes that were fetched', () => {
  test('are the attachment’s, whatever size the sender declared', async () => {
    const id = await receive(gateway, { filename: 'Scan', size: 5 });
    const upload = await fileWith({ fetched }, id);
    const content = Buffer.from(bytes).toString('base64');
    expect(upload.attachment).toMatchObject({
      contentType: 'application/pdf',
      contentLength: '256',
      content,
    });
    expect(upload.expirationItem.attachments.nodes).toEqual([{ content }]);
    const { attachments } = (await put(gateway, upload.expirationItem)).json;
    expect(attachments).toMatchObject([{ content, content_legth: 256, content_type: 'application/pdf' }]);
  });

  test('have the media type that the sender declared, if any', async () => {
    const id = await receive(gateway, { filename: 'Scan', type: 'image/png' });
    expect((await fileWith({ fetched }, id)).attachment.contentType).toBe('image/png');
    const nameless = { content: fetched.content, contentType: null };
    const untyped = await fileWith({ fetched: nameless }, await receive(gateway, { filename: 'Scan' }));
    expect(untyped.attachment.contentType).toBeNull();
  });

  test('of an empty file are none, and not unknown', async () => {
    const empty = { content: new FileContent(new Uint8Array()), contentType: null };
    const upload = await fileWith({ fetched: empty }, await receive(gateway, { filename: 'Scan', size: 5 }));
    expect(upload.attachment).toMatchObject({ contentLength: '0', content: '' });
  });

  test('are not in the event log', async () => {
    const secret = new FileContent(new TextEncoder().encode('secret words'));
    const id = await receiveTagged(gateway, { name: 'Secret' });
    await fileWith({ fetched: { content: secret, contentType: null } }, id);
    const told = JSON.stringify(await gateway.database.prisma.eventLog.findMany());
    expect(told).toContain('Secret');
    expect(told).not.toContain('secret words');
    expect(told).not.toContain(Buffer.from('secret words').toString('base64'));
  });

  test('leave nothing behind when the upload cannot be filed', async () => {
    const before = await countAll(gateway);
    const upload = await fileWith({ fetched }, await receiveTagged(gateway, { contact_email: 'x' }));
    expect(upload.state).toBe('FAILED');
    expect(await countAll(gateway)).toEqual({ ...before, events: before.events + 2 });
  });
});

describe('a date that the document tells of', () => {
  test('is kept for a person to see, and is not the item’s', async () => {
    const upload = await fileWith({ suggestion }, await receiveTagged(gateway, {}));
    expect(upload).toMatchObject({
      state: 'FILED',
      suggestedExpirationDate: '2033-01-31',
      suggestedFrom: 'valid until 31 January 2033',
      expirationItem: { expirationDate: null, status: 'NO_DATE' },
    });
  });

  test('is the item’s when the sender trusts it, unless the sender tells one', async () => {
    const trusted = await fileWith({ suggestion }, await receiveTagged(gateway, { trust_scan: 'true' }));
    expect(trusted.expirationItem).toMatchObject({ expirationDate: '2033-01-31', status: 'CURRENT' });
    const tags = { trust_scan: 'true', expiration_date: '2031-07-15' };
    const told = await fileWith({ suggestion }, await receiveTagged(gateway, tags));
    // Its document is not even read.
    expect(told).toMatchObject({
      suggestedExpirationDate: null,
      expirationItem: { expirationDate: '2031-07-15' },
    });
  });

  test('never changes an existing item', async () => {
    const { expirationItem } = await fileWith(
      {},
      await receiveTagged(gateway, { expiration_date: '2031-07-15' }),
    );
    const tags = { expiration_item_id: expirationItem.id, trust_scan: 'true' };
    const upload = await fileWith({ suggestion }, await receiveTagged(gateway, tags));
    expect(upload).toMatchObject({
      suggestedExpirationDate: '2033-01-31',
      expirationItem: { id: expirationItem.id, expirationDate: '2031-07-15' },
    });
  });

  test('is null if none was found', async () => {
    const upload = await fileWith({}, await receiveTagged(gateway, { trust_scan: 'true' }));
    expect(upload).toMatchObject({ suggestedExpirationDate: null, suggestedFrom: null });
    expect(upload.expirationItem.status).toBe('NO_DATE');
  });
});
