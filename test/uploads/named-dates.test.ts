import { describe, expect, test } from 'vitest';
import { findSuggestion } from '../../src/uploads/worker/worker.js';
import { ask } from '../graphql/support.js';
import { useGateway } from '../support/gateway.js';
import { receive, settled, storedUpload, withWorker } from './support.js';

const gateway = useGateway();

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Lets a worker file or read an upload. */
const work = (id: string) =>
  withWorker(
    gateway,
    {
      findFile: async (_upload, _signal, locale, stored) =>
        stored
          ? findSuggestion(stored, { ocr: 'off', ocrCommand: '', locale, today: gateway.clock.now })
          : {},
    },
    () => settled(gateway, id),
  );

/** The doors through which files come. Each gives the id of the upload. */
const doors: Readonly<Record<string, (filename: string, tags?: object, text?: string) => Promise<string>>> = {
  'the receiver': (filename, upload_Tags = {}) => receive(gateway, { filename, upload_Tags }),
  'POST /v1/uploads': async (file_name, tags = {}, text = 'A photo.') => {
    const body = { file_name, content_type: 'text/plain', content: base64(text), ...tags };
    return (await gateway.send('POST', '/v1/uploads', { body })).json.id;
  },
  addUpload: async (fileName, { trust_scan }: { trust_scan?: boolean } = {}) => {
    const input = { fileName, content: base64('A photo.'), ...(trust_scan && { trustScan: true }) };
    const document = 'mutation ($input: AddUploadInput!) { addUpload(input: $input) { id } }';
    return (await ask(gateway, document, { input })).addUpload.id;
  },
  'resumable uploads': async (filename, tags = {}) => {
    const tus = { 'Tus-Resumable': '1.0.0' };
    const path = '/v1/resumable-uploads';
    const about = { 'Upload-Length': '8', 'Upload-Metadata': `filename ${base64(filename)}` };
    const { json } = await gateway.send('POST', path, { headers: { ...tus, ...about } });
    const type = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
    await gateway.send('PATCH', `${path}/${json.id}`, { raw: 'A photo.', headers: { ...tus, ...type } });
    const body = { resumable_upload_id: json.id, ...tags };
    return (await gateway.send('POST', '/v1/uploads', { body })).json.id;
  },
};

const read = `query ($id: ID!) {
  uploadNotification(id: $id) {
    state needsReview suggestedExpirationDate
    suggestions { field value confidence source page words reason }
    expirationItem { id name expirationDate status }
  }
}`;

const readUpload = async (id: string) => (await ask(gateway, read, { id })).uploadNotification;

async function file(door: string, filename: string, tags?: object, text?: string) {
  const id = (await doors[door]?.(filename, tags, text)) ?? '';
  await work(id);
  return { id, ...(await readUpload(id)) };
}

const dateOf = ({ suggestions }: { suggestions: { field: string; value: string }[] }) =>
  suggestions.filter(({ field }) => field === 'EXPIRATION_DATE').map(({ value }) => value);

describe.each(Object.keys(doors))('a date in the name of a file that comes through %s', (door) => {
  test('files the item if it has a label', async () => {
    const upload = await file(door, 'Trade licence valid-until 2031-07-15.pdf');
    expect(upload).toMatchObject({ state: 'FILED', needsReview: false, suggestions: [] });
    expect(upload.expirationItem).toMatchObject({
      name: 'Trade licence valid-until 2031-07-15',
      expirationDate: '2031-07-15',
    });
  });

  test('is suggested to a person if it has none, and trust_scan does not believe it', async () => {
    for (const tags of [{}, { trust_scan: true }]) {
      const upload = await file(door, 'Trade licence 2031-07-15.pdf', tags);
      expect(upload).toMatchObject({ needsReview: true, suggestedExpirationDate: '2031-07-15' });
      expect(upload.expirationItem).toMatchObject({ expirationDate: null, status: 'NO_DATE' });
      expect(upload.suggestions).toEqual([
        {
          ...{
            field: 'EXPIRATION_DATE',
            value: '2031-07-15',
            confidence: 50,
            source: 'FILE_NAME',
            page: null,
          },
          words: 'Trade licence 2031-07-15.pdf',
          reason: "The file's name has this date: “Trade licence 2031-07-15.pdf”.",
        },
      ]);
    }
  });

  test('counts for nothing if a device gave it, and the item waits for a person', async () => {
    const day = gateway.clock.now.toISOString().slice(0, 10);
    for (const name of [
      `${day} 03.12.pdf`,
      `IMG_${day.replaceAll('-', '')}_031200.jpg`,
      'Scan 2031-07-15.pdf',
    ]) {
      const upload = await file(door, name, { trust_scan: true });
      expect(upload).toMatchObject({ needsReview: true, suggestedExpirationDate: null, suggestions: [] });
      expect(upload.expirationItem.expirationDate).toBeNull();
    }
  });
});

describe('a date in a file’s name, and another in the document', () => {
  const door = 'POST /v1/uploads';
  const name = 'licence exp 2031-07-15.txt';

  test('are both suggested, and neither is taken', async () => {
    const upload = await file(door, name, {}, 'Valid until 31 January 2033');
    expect(upload).toMatchObject({ needsReview: true, expirationItem: { expirationDate: null } });
    expect(dateOf(upload)).toEqual(['2033-01-31', '2031-07-15']);
  });

  test('of which trust_scan takes that of the document', async () => {
    const upload = await file(door, name, { trust_scan: true }, 'Valid until 31 January 2033');
    expect(upload).toMatchObject({ needsReview: false, expirationItem: { expirationDate: '2033-01-31' } });
  });

  test('that are the same need nobody', async () => {
    const upload = await file(door, name, {}, 'Valid until 15 July 2031');
    expect(upload).toMatchObject({ needsReview: false, expirationItem: { expirationDate: '2031-07-15' } });
  });

  test('give no date before the document is read, and none afterwards', async () => {
    const id = (await doors[door]?.(name, {}, 'Valid until 31 January 2033')) ?? '';
    const { expirationItem } = await readUpload(id);
    expect(expirationItem.expirationDate).toBeNull();
    const change = 'mutation ($id: ID!) { updateExpirationItem(id: $id, input: { details: "seen" }) { id } }';
    await ask(gateway, change, { id: expirationItem.id });
    await work(id);
    const upload = await readUpload(id);
    expect(upload).toMatchObject({ needsReview: true, expirationItem: { expirationDate: null } });
  });

  test('do not matter once somebody has given the item a date', async () => {
    const id = (await doors[door]?.(name, {}, 'Valid until 31 January 2033')) ?? '';
    const { expirationItem } = await readUpload(id);
    const change =
      'mutation ($id: ID!) { updateExpirationItem(id: $id, input: { expirationDate: "2030-01-01" }) { id } }';
    await ask(gateway, change, { id: expirationItem.id });
    await work(id);
    const upload = await readUpload(id);
    expect(upload).toMatchObject({ needsReview: false, expirationItem: { expirationDate: '2030-01-01' } });
  });

  test('do not matter once somebody has confirmed the upload, which is not read any more', async () => {
    const id = (await doors[door]?.(name, {}, 'Valid until 31 January 2033')) ?? '';
    const confirm =
      'mutation ($id: ID!, $input: ConfirmUploadInput!) { confirmUpload(id: $id, input: $input) { id } }';
    await ask(gateway, confirm, { id, input: { expirationDate: '2031-07-15' } });
    expect((await storedUpload(gateway, id)).dueAt).toBeNull();
    const upload = await readUpload(id);
    expect(upload).toMatchObject({ needsReview: false, expirationItem: { expirationDate: '2031-07-15' } });
  });
});

test('a failed upload suggests the date in its name, which trust_scan does not believe later', async () => {
  const nowhere = '00000000-0000-4000-8000-000000000000';
  const tags = { expiration_item_id: nowhere, trust_scan: true };
  const id = await receive(gateway, { filename: 'licence 2031-07-15.pdf', upload_Tags: tags });
  await work(id);
  const failed = await readUpload(id);
  expect(failed).toMatchObject({ state: 'FAILED', suggestedExpirationDate: '2031-07-15' });
  const confirm = `mutation ($id: ID!, $input: ConfirmUploadInput!) {
    confirmUpload(id: $id, input: $input) { needsReview expirationItem { expirationDate } }
  }`;
  const { confirmUpload } = await ask(gateway, confirm, { id, input: { name: 'Licence' } });
  expect(confirmUpload).toEqual({ needsReview: false, expirationItem: { expirationDate: null } });
});
