import { describe, expect, test } from 'vitest';
import { ReaderEnded } from '../../src/uploads/reading/reader-process.js';
import { createFileFinder, type ReadUpload } from '../../src/uploads/worker/worker.js';
import { useGateway } from '../support/gateway.js';
import { pdf, pdfOf, plain, show, stream } from './pdf.support.js';
import { failedTries, longLease, pass, receive, settled, withWorker } from './support.js';

const gateway = useGateway();

const finder = createFileFinder({
  ...{ ocr: 'off', ocrCommand: '', hosts: [], clock: () => gateway.clock.now },
  fetchFile: () => Promise.reject(new Error('No host is listed.')),
});

/** Sends a file, which is filed at once. */
async function send(content: Uint8Array | string, file_name: string): Promise<string> {
  const body = { file_name, content: Buffer.from(content).toString('base64') };
  const { status, json } = await gateway.send('POST', '/v1/uploads', { body });
  expect([status, json.state]).toEqual([201, 'filed']);
  return json.id;
}

/** Returns the reason as both APIs have it. */
async function reasonOf(id: string): Promise<unknown> {
  const document = 'query ($id: ID!) { uploadNotification(id: $id) { unreadReason } }';
  const { unreadReason } = (await gateway.graphql(document, { id })).data.uploadNotification;
  const { json } = await gateway.send('GET', `/v1/uploads/${id}`);
  expect(json.unread_reason).toBe(unreadReason?.toLowerCase() ?? null);
  return unreadReason;
}

/** Lets a worker read an upload; returns what is told of it then. */
async function readReason(id: string, readFile: ReadUpload = finder.readFile): Promise<unknown> {
  await withWorker(gateway, { ...finder, readFile }, () => settled(gateway, id));
  return reasonOf(id);
}

const key = `<${'5a'.repeat(32)}>`;
const locked = pdfOf(
  [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>',
    stream(show([[72, 700, 'Expires 2031-07-15']])),
  ],
  `/Encrypt<</Filter/Standard/V 1/R 2/O ${key}/U ${key}/P -4>>/ID[${key}${key}]`,
);
const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
const picture = Buffer.from('\xff\xd8\xff\xe0', 'latin1');
const days = Array.from({ length: 101 }, (_, at) => new Date(1.9e12 + 864e5 * at).toISOString().slice(0, 10));
const stock = days.map((day) => `Expires ${day}\n`).join('');

describe('a document', () => {
  test.each<[string | null, string, Uint8Array | string]>([
    [null, 'read.txt', 'Valid until 2031-07-15'],
    [null, 'without a date.txt', 'A letter'],
    ['EMPTY', 'empty.txt', ' \n'],
    ['DAMAGED', 'damaged.pdf', '%PDF-1.7 and nothing else'],
    ['PROTECTED', 'locked.pdf', locked],
    ['HEIC', 'IMG_1.HEIC', heic],
    ['UNSUPPORTED', 'drawing.dwg', 'AC1027'],
    ['PICTURES_OFF', 'photo.jpg', picture],
    ['PICTURES_OFF', 'scan.pdf', pdf([stream('0 0 595 842 re f')])],
    [
      'TOO_LARGE',
      'long.pdf',
      pdf(Array.from({ length: 21 }, () => plain([[72, 700, 'A page with many words']]))),
    ],
    ['TOO_MANY_DATES', 'stock.csv', stock],
  ])('is told to be %s: %s', async (reason, name, content) => {
    expect(await readReason(await send(content, name))).toBe(reason);
  });

  test('without words in its picture is told, too', async () => {
    const read: ReadUpload = async () => ({ findings: [], problem: 'NO_WORDS' });
    expect(await readReason(await send(picture, 'dark.jpg'), read)).toBe('NO_WORDS');
  });

  test('waits until it is read', async () => {
    const id = await send('Valid until 2031-07-15', 'new.txt');
    expect(await reasonOf(id)).toBe('WAITING');
    expect(await readReason(id)).toBeNull();
  });

  test('whose reader is killed is told to be tried again, and in the end that it was not read', async () => {
    const id = await send('Valid until 2031-07-15', 'killed.txt');
    const readFile: ReadUpload = async () => {
      throw new ReaderEnded('Somebody else ended it.');
    };
    await withWorker(gateway, { ...finder, readFile, leaseMs: longLease }, async () => {
      await failedTries(gateway, id, 1);
      expect(await reasonOf(id)).toBe('INTERRUPTED');
      for (let attempt = 2; attempt < 10; attempt++) {
        pass(gateway, 3_600_000);
        await failedTries(gateway, id, attempt);
      }
      pass(gateway, 3_600_000);
      await settled(gateway, id);
    });
    expect(await reasonOf(id)).toBe('NEVER_FINISHED');
  });

  test('that nobody fetched is told to be elsewhere, unless its date is known', async () => {
    const file = { filename: 'scan.pdf', url: 'https://files.example.com/scan.pdf' };
    expect(await readReason(await receive(gateway, file))).toBe('NO_FILE');
    const upload_Tags = { expiration_date: '2031-07-15' };
    expect(await readReason(await receive(gateway, { ...file, upload_Tags }))).toBeNull();
  });
});
