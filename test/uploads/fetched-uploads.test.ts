import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFileFinder } from '../../src/uploads/worker/worker.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type FileHost, startFileHost } from './fetch.support.js';
import { pdf, plain } from './pdf.support.js';
import { failedTries, longLease, receive, settled, storedUpload, withWorker } from './support.js';

const permit = Buffer.from(pdf([plain([[72, 700, 'Work permit. Valid until: 15 July 2031']])]));
const reader = { ocr: 'off', ocrCommand: '', clock: () => new Date('2026-11-20') } as const;
let asked: string[] = [];
let gateway: TestGateway;
let host: FileHost;

beforeAll(async () => {
  gateway = await startGateway();
  host = await startFileHost({
    '/permit.pdf': (_request, response) => {
      asked.push('/permit.pdf');
      response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': permit.length });
      response.end(permit);
    },
    '/gone.pdf': (_request, response) => void response.writeHead(404, { 'Content-Length': 0 }).end(),
    '/busy.pdf': (_request, response) => void response.writeHead(503, { 'Content-Length': 0 }).end(),
  });
});
afterAll(async () => {
  await host.close();
  await gateway.close();
});

/** Files an upload with a worker that fetches from the test's host. */
async function file(text: { url: string; upload_Tags?: object; type?: string }) {
  asked = [];
  const hosts = [`files.example.com:${host.port}`];
  const finder = createFileFinder({ hosts, fetchFile: host.fetcher({ hosts }), ...reader });
  const id = await receive(gateway, { filename: 'permit.pdf', ...text });
  return withWorker(gateway, finder, () => settled(gateway, id));
}

const upload = `query ($id: ID!) { uploadNotification(id: $id) {
  state error suggestedExpirationDate suggestedFrom
  expirationItem { expirationDate status } attachment { name contentType contentLength content sourceUrl }
} }`;

async function shown({ id }: { id: string }) {
  return (await gateway.graphql(upload, { id })).data.uploadNotification;
}

test('a fetched file is the content of its attachment, and its date a suggestion', async () => {
  const url = host.url('/permit.pdf');
  const filed = await shown(await file({ url }));
  expect(filed).toEqual({
    state: 'FILED',
    error: null,
    suggestedExpirationDate: '2031-07-15',
    suggestedFrom: expect.stringContaining('Valid until: 15 July 2031'),
    expirationItem: { expirationDate: null, status: 'NO_DATE' },
    attachment: {
      name: 'permit.pdf',
      contentType: 'application/pdf',
      contentLength: String(permit.length),
      content: permit.toString('base64'),
      sourceUrl: url,
    },
  });
});

test('the date is the item’s when the sender trusts the scan', async () => {
  const url = host.url('/permit.pdf');
  const { expirationItem } = await shown(await file({ url, upload_Tags: { trust_scan: 'true' } }));
  expect(expirationItem.expirationDate).toBe('2031-07-15');
});

test('a document is not read when a tag gives the date', async () => {
  const tags = { expiration_date: '2030-01-02', trust_scan: 'true' };
  const filed = await shown(await file({ url: host.url('/permit.pdf'), upload_Tags: tags }));
  expect(asked).toEqual(['/permit.pdf']);
  expect(filed.suggestedExpirationDate).toBeNull();
  expect(filed.expirationItem.expirationDate).toBe('2030-01-02');
});

test.each(['https://elsewhere.example.com/permit.pdf', 'http://127.0.0.1/permit.pdf', 'no url'])(
  'nothing is fetched from %s, and the upload is filed',
  async (url) => {
    const filed = await shown(await file({ url }));
    expect(asked).toEqual([]);
    expect(filed.state).toBe('FILED');
    expect(filed.attachment).toMatchObject({ content: null, sourceUrl: url });
  },
);

test('a missing file fails at once, with the reason', async () => {
  const failed = await file({ url: host.url('/gone.pdf') });
  expect(failed.attempts).toBe(1);
  expect(await shown(failed)).toMatchObject({
    state: 'FAILED',
    error: expect.stringContaining('404'),
    attachment: null,
  });
});

test('a host that cannot answer now is asked again', async () => {
  const hosts = [`files.example.com:${host.port}`];
  const finder = createFileFinder({ hosts, fetchFile: host.fetcher({ hosts }), ...reader });
  const id = await receive(gateway, { filename: 'permit.pdf', url: host.url('/busy.pdf') });
  await withWorker(gateway, { ...finder, leaseMs: longLease }, () => failedTries(gateway, id, 1));
  const { state, error, dueAt } = await storedUpload(gateway, id);
  expect([state, error]).toEqual(['RECEIVED', expect.stringContaining('503')]);
  expect(dueAt?.getTime()).toBeGreaterThan(gateway.clock.now.getTime());
});
