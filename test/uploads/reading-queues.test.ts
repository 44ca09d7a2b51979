import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FetchFailure } from '../../src/uploads/worker/fetch.js';
import type { FetchUpload, ReadFile, ReadUpload } from '../../src/uploads/worker/worker.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { pass, receive, settled, startWorkerOn, storedUpload, withWorker } from './support.js';

const gateway = useGateway();

let other: Tenant;
beforeAll(async () => {
  other = await createTenant(gateway.database, 'Second');
});
beforeEach(() => gateway.database.prisma.uploadNotification.deleteMany());

const text = { bytes: new TextEncoder().encode('Valid until 2031-07-15'), contentType: 'text/plain' };
const picture = { bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), contentType: 'image/jpeg' };

/** Gives each upload a file by its name. */
const fetchFile: FetchUpload = async ({ filename }) =>
  filename?.startsWith('Picture') ? picture : filename?.startsWith('Text') ? text : undefined;

/** A reader that waits until it is released. It notes what it was asked to read, in order. */
function heldReader(isHeld: (name: string) => boolean) {
  const asked: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const readFile: ReadUpload = async ({ filename }) => {
    asked.push(filename ?? '');
    if (isHeld(filename ?? '')) await released;
    return { findings: [] };
  };
  return { readFile, release, asked };
}

/** Receives uploads of one sender, each a moment after the one before. */
async function send(count: number, filename: string, token?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push(await receive(gateway, { filename }, token));
    pass(gateway, 1);
  }
  return ids;
}

const statesOf = (ids: readonly string[]) =>
  gateway.database.prisma.uploadNotification
    .findMany({ where: { id: { in: [...ids] } } })
    .then((all) => all.map(({ state }) => state));

describe('while 100 documents of a person are read', () => {
  test('all of them are filed, and so is whatever the same person sends', async () => {
    const { readFile, release, asked } = heldReader(() => true);
    const worker = startWorkerOn(gateway, { fetchFile, readFile });
    try {
      const pictures = await send(50, 'Picture');
      const texts = await send(50, 'Text');
      await expect.poll(() => statesOf([...pictures, ...texts])).not.toContain('RECEIVED');
      const [id = ''] = await send(1, 'Note');
      expect(await settled(gateway, id)).toMatchObject({ state: 'FILED' });
      // None of the documents was read meanwhile: two texts are under way, and one picture.
      await expect.poll(() => asked.toSorted()).toEqual(['Picture', 'Text', 'Text']);
    } finally {
      release();
      await worker.stop();
    }
  });

  test('a text does not wait for pictures', async () => {
    const { readFile, release, asked } = heldReader((name) => name === 'Picture');
    const worker = startWorkerOn(gateway, { fetchFile, readFile });
    try {
      await send(20, 'Picture');
      await expect.poll(() => asked).toContain('Picture');
      const [id = ''] = await send(1, 'Text');
      expect(await settled(gateway, id)).toMatchObject({ state: 'FILED', suggestions: [] });
      expect(asked.filter((name) => name === 'Picture')).toHaveLength(1);
    } finally {
      release();
      await worker.stop();
    }
  });

  test.each(['Text', 'Picture'])('others take turns with a %s', async (kind) => {
    const { readFile, asked } = heldReader(() => false);
    // All are filed before the first is read.
    await send(100, `${kind} of one`);
    await send(2, `${kind} of another`, gateway.member);
    await send(2, `${kind} elsewhere`, other.admin);
    const { prisma } = gateway.database;
    const queue = kind === 'Text' ? 'TEXT' : 'PICTURES';
    const held = heldReader(() => true);
    const filing = startWorkerOn(gateway, { fetchFile, readFile: held.readFile });
    try {
      await expect.poll(() => prisma.uploadNotification.count({ where: { queue } })).toBe(104);
    } finally {
      held.release();
      await filing.stop();
    }
    await prisma.uploadNotification.updateMany({ data: { dueAt: gateway.clock.now } });
    await withWorker(gateway, { fetchFile, readFile, concurrency: 1 }, () =>
      expect.poll(() => asked.length).toBeGreaterThan(12),
    );
    // Each organization has every second turn, and each person of one every second of those.
    const first = asked.slice(0, 10);
    expect(first.filter((name) => name.endsWith('elsewhere'))).toHaveLength(2);
    expect(first.filter((name) => name.endsWith('another'))).toHaveLength(2);
  });
});

describe('a document', () => {
  const date: NonNullable<ReadFile['findings']>[number] = {
    field: 'expiration_date',
    value: '2031-07-15',
    confidence: 95,
    source: 'TEXT',
    page: 1,
    box: null,
    words: 'Valid until 2031-07-15',
  };

  test('with text and pictures goes on to the next queue, and its item waits for both', async () => {
    const seen: unknown[] = [];
    const readFile: ReadUpload = async ({ id, queue, attempts }): Promise<ReadFile> => {
      const { expirationItemId } = await storedUpload(gateway, id);
      const item = await gateway.database.prisma.expirationItem.findUniqueOrThrow({
        where: { id: expirationItemId ?? '' },
      });
      seen.push([queue, attempts, item.expirationDate]);
      return { findings: [date], hasMore: queue === 'TEXT' };
    };
    const id = await receive(gateway, { filename: 'Text', upload_Tags: { trust_scan: true } });
    const upload = await withWorker(gateway, { fetchFile, readFile }, () => settled(gateway, id));
    expect(seen).toEqual([
      ['TEXT', 1, null],
      ['PICTURES', 1, null],
    ]);
    const { prisma } = gateway.database;
    const where = { id: upload.expirationItemId ?? '' };
    expect((await prisma.expirationItem.findUniqueOrThrow({ where })).expirationDate).toEqual(
      new Date(date.value),
    );
  });

  test('of an upload that cannot be filed is read for who decides', async () => {
    const id = await receive(gateway, {
      filename: 'Text',
      upload_Tags: { expiration_item_id: other.teamId },
    });
    const readFile: ReadUpload = async () => ({ findings: [date] });
    const upload = await withWorker(gateway, { fetchFile, readFile }, () => settled(gateway, id));
    expect(upload).toMatchObject({ state: 'FAILED', errorCode: 'ITEM_NOT_FOUND', needsReview: false });
    expect(upload.suggestions).toMatchObject([{ value: date.value }]);
  });

  test('of a failed upload that is gone meanwhile leaves it as it was', async () => {
    let asked = 0;
    const gone: FetchUpload = async () => {
      if (++asked > 1) throw new FetchFailure('FILE_GONE', 'The file is no longer there.', { final: true });
      return text;
    };
    const id = await receive(gateway, {
      filename: 'Text',
      upload_Tags: { expiration_item_id: other.teamId },
    });
    const upload = await withWorker(gateway, { fetchFile: gone }, () => settled(gateway, id));
    expect(upload).toMatchObject({ state: 'FAILED', errorCode: 'ITEM_NOT_FOUND' });
    expect(asked).toBe(2);
  });
});
