import { describe, expect, test } from 'vitest';
import { Session } from '../../src/db/connection/session.js';
import { gatewayCaller } from '../../src/domain/caller.js';
import type { DocumentFinding } from '../../src/domain/documents/finding.js';
import { selectSuggestions, suggestionOf } from '../../src/domain/uploads/suggestions.js';
import { autoRenewItem } from '../../src/items/renewals.js';
import { ask } from '../graphql/support.js';
import { useGateway } from '../support/gateway.js';
import { receiveTagged, settled, storedUpload, withWorker } from './support.js';

const gateway = useGateway();

const date: DocumentFinding = {
  field: 'expiration_date',
  value: '2033-01-31',
  confidence: 91.4,
  source: 'OCR',
  page: 2,
  box: { x: 0.25, y: 0.5, width: 0.125, height: 0.0625 },
  words: 'valid until 31 January 2033',
};
const otherDate = { ...date, value: '2034-01-31', confidence: 60 };
const number: DocumentFinding = {
  ...date,
  ...{ field: 'document_number', value: 'X123', confidence: 100, source: 'MRZ', box: null },
};

const read = `query ($id: ID!) {
  uploadNotification(id: $id) {
    id needsReview version
    suggestions { field value confidence source page box { x y width height } words reason }
    expirationItem { expirationDate }
  }
}`;

/** Files an upload in whose document something was found. */
async function file(findings: readonly DocumentFinding[], tags: object = {}) {
  const id = await receiveTagged(gateway, tags);
  await withWorker(gateway, { findFile: async () => ({ findings }) }, () => settled(gateway, id));
  return (await ask(gateway, read, { id })).uploadNotification;
}

const patch = (id: string, body: object) => {
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  return gateway.send('PATCH', `/v1/expirationitems/${id}`, { body, headers });
};
const renew = `mutation ($id: ID!) { renewExpirationItem(id: $id, input: { expirationDate: "2035-05-05" }) { id } }`;
const updateAll = `mutation ($id: ID!) { updateExpirationItems(ids: [$id], input: { expirationDate: "2035-05-05" }) { id } }`;

const confirm = `mutation ($id: ID!, $input: ConfirmUploadInput!) {
  confirmUpload(id: $id, input: $input) { needsReview suggestions { value } expirationItem { expirationDate } }
}`;

describe('what was found in a document', () => {
  test('is shown by both APIs, the most certain first', async () => {
    const upload = await file([otherDate, date, number]);
    expect(upload.suggestions.map(({ value }: { value: string }) => value)).toEqual([
      'X123',
      '2033-01-31',
      '2034-01-31',
    ]);
    expect(upload.suggestions[1]).toEqual({
      ...date,
      field: 'EXPIRATION_DATE',
      confidence: 91,
      reason:
        '“valid until 31 January 2033” was recognized in the picture of page 2, with a certainty of 91 %.',
    });
    const { json } = await gateway.send('GET', `/v1/uploads/${upload.id}`);
    expect(json.needs_review).toBe(true);
    expect(json.suggestions[0]).toEqual({
      field: 'document_number',
      value: 'X123',
      name: null,
      confidence: 100,
      source: 'mrz',
      page: 2,
      box: null,
      words: date.words,
      reason: 'The machine-readable zone on page 2 says so, and its check digits agree.',
    });
  });

  test('waits for a person until one decides', async () => {
    const upload = await file([date, otherDate]);
    expect(upload).toMatchObject({ needsReview: true, expirationItem: { expirationDate: null } });
    const list = `{ uploadNotifications(filter: { needsReview: true }) { nodes { id } } }`;
    const { nodes } = (await ask(gateway, list)).uploadNotifications;
    expect(nodes).toContainEqual({ id: upload.id });
    const input = { expirationDate: otherDate.value };
    const { confirmUpload } = await ask(gateway, confirm, { id: upload.id, input });
    expect(confirmUpload).toEqual({
      needsReview: false,
      suggestions: [{ value: date.value }, { value: otherDate.value }],
      expirationItem: { expirationDate: otherDate.value },
    });
  });

  test('waits no longer once a person gives its item a date, in whatever way', async () => {
    const ways: ((itemId: string) => Promise<unknown>)[] = [
      (itemId) => patch(itemId, { expiration_date: '2035-05-05' }),
      (itemId) => ask(gateway, renew, { id: itemId }),
      (itemId) => ask(gateway, updateAll, { id: itemId }),
    ];
    for (const way of ways) {
      const upload = await file([date, otherDate]);
      const { expirationItemId: itemId } = await storedUpload(gateway, upload.id);
      await patch(itemId ?? '', { details: 'Read' });
      expect((await storedUpload(gateway, upload.id)).needsReview).toBe(true);
      await way(itemId ?? '');
      const after = (await ask(gateway, read, { id: upload.id })).uploadNotification;
      expect(after).toMatchObject({ needsReview: false, expirationItem: { expirationDate: '2035-05-05' } });
      expect(after.version).not.toBe(upload.version);
    }
  });

  test('goes on waiting while the gateway itself renews its item', async () => {
    const upload = await file([date]);
    expect(upload.needsReview).toBe(true);
    const { expirationItemId: itemId, teamId } = await storedUpload(gateway, upload.id);
    // As if it had been filed under an item with another date.
    const data = { expirationDate: new Date('2026-11-20') };
    await gateway.database.prisma.expirationItem.update({ where: { id: itemId ?? '' }, data });
    const caller = gatewayCaller(gateway.organizationId, teamId);
    const session = new Session(gateway.database, { caller, now: gateway.clock.now });
    await autoRenewItem(session, itemId ?? '', new Date('2027-11-20'));
    expect((await storedUpload(gateway, upload.id)).needsReview).toBe(true);
  });

  test('needs no review if the item has that date, but does while it has none', async () => {
    expect((await file([date], { expiration_date: date.value })).needsReview).toBe(false);
    expect((await file([number])).needsReview).toBe(true);
    expect(await file([])).toMatchObject({ needsReview: true, suggestions: [] });
  });
});

describe('selecting suggestions', () => {
  const selected = (findings: readonly DocumentFinding[]) => selectSuggestions(findings.map(suggestionOf));

  test('keeps five of a field, and the most certain of the same value', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      ...date,
      value: `20${50 + at}-01-01`,
      confidence: at,
    }));
    expect(selected([...many, { ...date, value: '2089-01-01', confidence: 3 }])).toMatchObject([
      { value: '2089-01-01', confidence: 39 },
      { confidence: 38 },
      { confidence: 37 },
      { confidence: 36 },
      { confidence: 35 },
    ]);
  });

  test('bounds the length of texts', () => {
    expect(selected([{ ...number, value: 'x'.repeat(256) }])).toEqual([]);
    const [long] = selected([{ ...number, words: 'x'.repeat(1_000), source: 'TEXT' }]);
    expect(long?.words).toHaveLength(120);
    expect(long?.reason.length).toBeLessThan(200);
  });
});
