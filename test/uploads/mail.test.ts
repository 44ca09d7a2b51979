import { beforeEach, describe, expect, test } from 'vitest';
import { readDocument } from '../../src/uploads/reading/read-document.js';
import { createFileFinder } from '../../src/uploads/worker/worker.js';
import { createItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import { settled, withWorker } from './support.js';

const gateway = useGateway();
beforeEach(() => gateway.database.prisma.uploadNotification.deleteMany());

/** A part of a mail. */
interface Part {
  readonly type: string;
  readonly name?: string;
  readonly content: string | Uint8Array;
  readonly more?: string;
}

/** Writes a part in base64, or a mail within as it is. */
function partOf({ type, name, content, more = '' }: Part): string {
  const disposition = name === undefined ? '' : `Content-Disposition: attachment; filename="${name}"\r\n`;
  const head = `Content-Type: ${type}\r\n${disposition}${more}`;
  if (type === 'message/rfc822') return `${head}\r\n${content}`;
  const coded = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
  return `${head}Content-Transfer-Encoding: base64\r\n\r\n${coded}`;
}

/** Writes a mail with parts. */
function mailOf(parts: readonly Part[], kind = 'mixed', limit = 'limit'): string {
  const head = `From: broker@example.com\r\nSubject: =?utf-8?q?Ihre_Unterlagen?=\r\nMIME-Version: 1.0\r\n`;
  const body = parts.map((part) => `--${limit}\r\n${partOf(part)}\r\n`).join('');
  return `${head}Content-Type: multipart/${kind}; boundary="${limit}"\r\n\r\n${body}--${limit}--\r\n`;
}

const words = (content: string): Part => ({ type: 'text/plain; charset=utf-8', content });
const file = (name: string, content: string | Uint8Array, type = 'text/plain'): Part => ({
  type,
  name,
  content,
});

const read = (mail: string, name = 'mail.eml') =>
  readDocument(
    { bytes: Buffer.from(mail), filename: name },
    { ocr: 'off', ocrCommand: '', today: new Date('2026-11-25T00:00:00Z') },
  );

/** Reads the names of a mail's files, and its problem. */
async function filesOf(mail: string) {
  const { files, problem } = await read(mail);
  return { names: files.map(({ name }) => name), problem };
}

describe('a mail', () => {
  test('has its words searched, and its files apart', async () => {
    const certificate = 'Certificate\nValid until 2031-07-15';
    const mail = mailOf([
      words('The permit is valid until 2030-03-31.'),
      file('Zertifikat.txt', certificate),
    ]);
    const { findings, files, pages } = await read(mail);
    expect(findings.map(({ value }) => value)).toEqual(['2030-03-31']);
    expect(pages[0]?.parts[0]?.[0]).toContain('Ihre Unterlagen');
    expect(files.map(({ bytes, ...about }) => ({ ...about, text: Buffer.from(bytes).toString() }))).toEqual([
      { name: 'Zertifikat.txt', type: 'text/plain', text: certificate },
    ]);
  });

  test('written as HTML is read as it is shown', async () => {
    const html = '<p style="display:none">Valid until 2032-01-01</p><p>Valid until <b>2030-03-31</b></p>';
    const mail = mailOf([{ type: 'text/html; charset=utf-8', content: html }, words('')]);
    expect((await read(mail)).findings.map(({ value }) => value)).toEqual(['2030-03-31']);
  });

  test('brings the files of a mail within it, whose words are read, too', async () => {
    const inner = mailOf([words('Valid until 2030-03-31'), file('inner.txt', 'A')], 'mixed', 'inner');
    const mail = mailOf([
      words('See below'),
      { type: 'message/rfc822', content: inner },
      file('forwarded.eml', inner, 'application/octet-stream'),
      file('outer.txt', 'B'),
    ]);
    expect(await filesOf(mail)).toEqual({ names: ['inner.txt', 'inner.txt', 'outer.txt'], problem: null });
    expect((await read(mail)).findings.map(({ value }) => value)).toEqual(['2030-03-31']);
  });

  test('brings no logo, signature or appointment', async () => {
    const picture = (size: number, id: string): Part => ({
      ...{ type: 'image/png', content: Buffer.alloc(size, 1), more: `Content-ID: <${id}>\r\n` },
      name: `${id}.png`,
    });
    const related = mailOf(
      [
        { type: 'text/html', content: '<img src="cid:logo">' },
        picture(2_000, 'logo'),
        picture(70_000, 'page'),
      ],
      'related',
    );
    expect((await filesOf(related)).names).toEqual(['page.png']);
    const signed = mailOf([
      words('Hello'),
      file('smime.p7s', 'x', 'application/pkcs7-signature'),
      file('invite.ics', 'BEGIN:VCALENDAR', 'text/calendar; method=REQUEST'),
    ]);
    expect((await filesOf(signed)).names).toEqual([]);
  });

  test('that is encrypted says so', async () => {
    const pgp = mailOf([file('encrypted.asc', 'x', 'application/octet-stream')], 'encrypted');
    expect(await filesOf(pgp)).toEqual({ names: [], problem: 'PROTECTED' });
    const smime = `Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n`;
    expect(await filesOf(smime)).toEqual({ names: [], problem: 'PROTECTED' });
  });

  test('names its files without paths', async () => {
    const mail = mailOf([words('Hello'), file('../../etc/passwd', 'x'), file('C:\\\\Temp\\\\a.txt', 'x')]);
    expect((await filesOf(mail)).names).toEqual(['passwd', 'a.txt']);
  });

  test('is a mail by its name, whatever kinds of files it contains', async () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    const mail = `${mailOf([words('Hello')])}\r\n${pem}`;
    expect(await filesOf(mail)).toEqual({ names: [], problem: null });
  });
});

describe('a hostile mail ends in time', () => {
  test('with thousands of files, of which 20 are taken', async () => {
    const parts = Array.from({ length: 5_000 }, (_, at) => file(`${at}.txt`, 'x'));
    const { names, problem } = await filesOf(mailOf(parts));
    expect([names.length, problem]).toEqual([20, 'TOO_LARGE']);
  });

  test('with mails within mails, of which five are opened', async () => {
    let mail = mailOf([file('deepest.txt', 'x')], 'mixed', 'deepest');
    for (let depth = 0; depth < 30; depth += 1)
      mail = mailOf(
        [{ type: 'message/rfc822', content: mail }, file(`${depth}.txt`, 'x')],
        'mixed',
        `limit-${depth}`,
      );
    const { names, problem } = await filesOf(mail);
    expect([names.length, problem]).toEqual([5, 'TOO_LARGE']);
  });

  test('with parts within parts', async () => {
    let mail = 'Content-Type: text/plain\r\n\r\nHello\r\n';
    for (let depth = 0; depth < 3_000; depth += 1)
      mail = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${mail}\r\n--b${depth}--\r\n`;
    expect((await filesOf(mail)).problem).toBe('DAMAGED');
  });

  test.each([
    ['only of line breaks', '\n'.repeat(8_000_000)],
    ['of one long line', 'x'.repeat(8_000_000)],
    ['of headers without an end', 'X-Header: value\r\n'.repeat(500_000)],
    ['of boundaries', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n'.repeat(300_000)}`],
  ])('%s', async (_, mail) => {
    const { files } = await read(mail);
    expect(files).toEqual([]);
  });
});

const finder = createFileFinder({
  ...{ ocr: 'off', ocrCommand: '', hosts: [], clock: () => gateway.clock.now },
  fetchFile: () => Promise.reject(new Error('No host is listed.')),
});

describe('a mail that is sent', () => {
  const mail = mailOf([
    words('Please find the documents attached.'),
    file('Licence.txt', 'Licence\nValid until 2031-07-15'),
    file('Insurance.txt', 'Insurance\nExpires 2030-03-31'),
  ]);

  /** Sends the mail, and waits until it and its files are read. */
  async function send(tags: Readonly<Record<string, unknown>> = {}) {
    const body = { file_name: 'Documents.eml', content: Buffer.from(mail).toString('base64'), ...tags };
    const { status, json } = await gateway.send('POST', '/v1/uploads', { body });
    expect(status).toBe(201);
    const { prisma } = gateway.database;
    await withWorker(gateway, finder, async () => {
      await settled(gateway, json.id);
      await expect.poll(() => prisma.uploadNotification.count({ where: { dueAt: null } })).toBe(3);
    });
    return json.id as string;
  }

  const stored = () =>
    gateway.database.prisma.uploadNotification.findMany({
      select: { filename: true, state: true, unreadCode: true, expirationItemId: true, uploadTags: true },
      orderBy: { filename: 'asc' },
    });

  test('is filed, and each of its files as a document of its own', async () => {
    await send({ category: 'Vehicle papers', name: 'From the broker', trust_scan: true });
    const document = `{ uploadNotifications { nodes { filename suggestions { value } expirationItem {
      name expirationDate category { name } } } } }`;
    const { nodes } = (await gateway.graphql(document)).data.uploadNotifications;
    const seen = Object.fromEntries(
      nodes.map((node: { filename: string }) => [node.filename, { ...node, filename: undefined }]),
    );
    const item = (name: string, expirationDate: string | null) => ({
      ...{ name, expirationDate },
      category: { name: 'Vehicle papers' },
    });
    expect(seen).toMatchObject({
      'Documents.eml': { suggestions: [], expirationItem: item('From the broker', null) },
      'Licence.txt': { expirationItem: item('Licence', '2031-07-15') },
      'Insurance.txt': { expirationItem: item('Insurance', '2030-03-31') },
    });
  });

  test('brings its files to the item that it names', async () => {
    const { id } = await createItem(gateway);
    await send({ expiration_item_id: id });
    const uploads = await stored();
    expect(uploads.map(({ expirationItemId }) => expirationItemId)).toEqual([id, id, id]);
    const attached = await gateway.database.prisma.attachment.findMany({ where: { itemId: id } });
    expect(attached.map(({ name }) => name).toSorted()).toEqual([
      'Documents.eml',
      'Insurance.txt',
      'Licence.txt',
    ]);
  });

  test('brings its files once, however often it is read', async () => {
    const id = await send();
    const { prisma } = gateway.database;
    const again = { dueAt: gateway.clock.now, attempts: 0 };
    await prisma.uploadNotification.update({ where: { id }, data: again });
    await withWorker(gateway, finder, () => settled(gateway, id));
    expect((await stored()).map(({ filename }) => filename)).toEqual([
      'Documents.eml',
      'Insurance.txt',
      'Licence.txt',
    ]);
  });

  test('stays whole if its date is told', async () => {
    const body = { file_name: 'Documents.eml', content: Buffer.from(mail).toString('base64') };
    const { json } = await gateway.send('POST', '/v1/uploads', {
      body: { ...body, expiration_date: '2031-01-01' },
    });
    await withWorker(gateway, finder, () => settled(gateway, json.id));
    expect(await stored()).toHaveLength(1);
  });
});
