import { describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem, readItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import { countAll, eventsAbout, storedUpload } from '../uploads/support.js';
import { ask, expectRefusal, refusal } from './support.js';
import { confirm, expectUnchanged, make, retry, settle, work } from './upload-settling.support.js';

const gateway = useGateway();

describe('confirmUpload of one that is not filed', () => {
  test.each(['RECEIVED', 'FAILED', 'IGNORED'] as const)('files one that is %s, as decided', async (state) => {
    const id = await make(gateway, state, { name: 'The sender’s', category: 'Permit' });
    const input = {
      name: 'Mine',
      expirationDate: '2031-07-15',
      contactEmail: 'bo@example.com',
    };
    const upload = await settle(gateway, id, input, gateway.member);
    expect(upload).toEqual({
      id,
      state: 'FILED',
      error: null,
      attempts: state === 'FAILED' ? 1 : 0,
      filedAt: gateway.clock.now.toISOString(),
      expirationItem: {
        id: expect.any(String),
        name: 'Mine',
        expirationDate: '2031-07-15',
        status: 'CURRENT',
        teamId: gateway.teamId,
        category: { name: 'Permit' },
        contacts: [{ email: 'bo@example.com' }],
        attachments: {
          nodes: [{ id: upload.attachment.id, name: 'Scan', sourceUrl: 'https://cdn.example.com/abc' }],
        },
      },
      attachment: { id: expect.any(String) },
    });
    const event = (await eventsAbout(gateway, id)).at(-1);
    expect(event).toMatchObject({
      typeId: 11,
      userName: 'Max Member',
      entities: [
        [12, id],
        [1, upload.expirationItem.id],
        [11, upload.attachment.id],
      ],
    });
    expect((await storedUpload(gateway, id)).dueAt).toBeNull();
  });

  test('attaches it to the named item, and changes nothing else of it', async () => {
    const item = await createItem(gateway, { contacts: [{ email: 'kept@example.com' }] });
    const id = await make(gateway, 'FAILED', { name: 'The sender’s', expiration_item_id: newId() });
    const input = { expirationItemId: item.id.toUpperCase(), name: 'Not this' };
    expect((await settle(gateway, id, input)).expirationItem.id).toBe(item.id);
    const { attachments, ...rest } = await readItem(gateway, item);
    expect(rest).toEqual({ ...rest, name: 'Licence', contacts: item.contacts });
    expect(attachments).toHaveLength(1);
  });

  test('goes to the workspace where it was received, unless another is named', async () => {
    const [here, there] = [await make(gateway, 'FAILED'), await make(gateway, 'FAILED')];
    const { prisma } = gateway.database;
    const data = { teamId: gateway.otherTeamId };
    await prisma.uploadNotification.updateMany({ where: { id: { in: [here, there] } }, data });
    const noDate = { expirationDate: null };
    expect((await settle(gateway, here, noDate)).expirationItem.teamId).toBe(gateway.otherTeamId);
    const named = { ...noDate, teamId: gateway.teamId };
    expect((await settle(gateway, there, named)).expirationItem.teamId).toBe(gateway.teamId);
  });

  test('without a decision is as the sender says, if that can be', async () => {
    const id = await make(gateway, 'RECEIVED', { name: 'The sender’s', expiration_date: '2031-07-15' });
    const item = { name: 'The sender’s', expirationDate: '2031-07-15' };
    expect((await settle(gateway, id)).expirationItem).toMatchObject(item);
    const wrong = await make(gateway, 'FAILED');
    const refused = () => refusal(gateway, confirm, { id: wrong, input: {} });
    const field = 'upload_Tags.expiration_date';
    await expectUnchanged(gateway, wrong, () => expectRefusal(refused(), 'BAD_REQUEST', field));
  });

  test('by null leaves out what the sender says', async () => {
    const tags = { expiration_date: '2031-07-15', category: 'Permit', contact_email: 'bo@example.com' };
    const nothing = { expirationDate: null, category: null, contactEmail: null };
    const { expirationItem } = await settle(gateway, await make(gateway, 'RECEIVED', tags), nothing);
    expect(expirationItem).toMatchObject({
      status: 'NO_DATE',
      category: { name: 'Generic' },
      contacts: [],
    });
  });

  test('keeps the date found in the document, which the item gets only if the sender trusts it', async () => {
    const { prisma } = gateway.database;
    const suggested = { suggestedExpirationDate: new Date('2033-01-31'), suggestedFrom: 'until 31.1.2033' };
    const [plain, trusting] = [
      await make(gateway, 'RECEIVED'),
      await make(gateway, 'RECEIVED', { trust_scan: true }),
    ];
    const found = { value: '2033-01-31', confidence: 95, source: 'TEXT', page: 1, box: null } as const;
    const suggestions = [{ field: 'expiration_date', words: 'until 31.1.2033', reason: '', ...found }];
    await prisma.uploadNotification.updateMany({
      where: { id: { in: [plain, trusting] } },
      data: { ...suggested, suggestions },
    });
    expect((await settle(gateway, plain)).expirationItem.status).toBe('NO_DATE');
    expect((await settle(gateway, trusting)).expirationItem.expirationDate).toBe('2033-01-31');
    expect(await storedUpload(gateway, plain)).toMatchObject(suggested);
  });
});

describe('confirmUpload of one that is filed', () => {
  test('corrects its item, and files nothing again', async () => {
    const id = await make(gateway, 'FILED');
    const { items, attachments } = await countAll(gateway);
    const input = { name: 'Right', expirationDate: '2031-07-15', category: 'Permit' };
    const upload = await settle(gateway, id, input, gateway.member);
    expect(upload.expirationItem).toMatchObject({
      name: 'Right',
      expirationDate: '2031-07-15',
      category: { name: 'Permit' },
      attachments: { nodes: [{ id: upload.attachment.id }] },
    });
    expect(await countAll(gateway)).toMatchObject({ items, attachments });
    expect((await eventsAbout(gateway, upload.expirationItem.id)).map(({ typeId }) => typeId)).toEqual([
      1, 11, 2,
    ]);
  });

  test('with nothing to correct, or twice the same, changes nothing', async () => {
    const id = await make(gateway, 'FAILED');
    const input = { name: 'Once', expirationDate: '2031-07-15' };
    const first = await settle(gateway, id, input);
    await expectUnchanged(gateway, id, async () => {
      expect(await settle(gateway, id, input)).toEqual(first);
      expect(await settle(gateway, id)).toEqual(first);
      expect(await settle(gateway, id, { expirationItemId: first.expirationItem.id })).toEqual(first);
    });
  });

  test('under another item is a conflict', async () => {
    const id = await make(gateway, 'FILED');
    const elsewhere = { id, input: { expirationItemId: (await createItem(gateway)).id } };
    await expectUnchanged(gateway, id, () =>
      expectRefusal(refusal(gateway, confirm, elsewhere), 'CONFLICT', undefined, /another item/),
    );
  });

  test('whose item was deleted files it again, once, and so does another attempt', async () => {
    const remove = 'mutation ($id: ID!) { deleteExpirationItem(id: $id) { id } }';
    const again = [
      (id: string) => settle(gateway, id, { name: 'Anew' }),
      async (id: string) => {
        await ask(gateway, retry, { id });
        await work(gateway, id);
      },
    ];
    for (const file of again) {
      const id = await make(gateway, 'FILED', { name: 'Anew' });
      await ask(gateway, remove, { id: (await storedUpload(gateway, id)).expirationItemId });
      const before = await countAll(gateway);
      await file(id);
      const { state, error, expirationItemId, attachmentId } = await storedUpload(gateway, id);
      expect([state, error]).toEqual(['FILED', null]);
      const item = await readItem(gateway, { id: String(expirationItemId) });
      expect(item).toMatchObject({ name: 'Anew', attachments: [{ id: attachmentId }] });
      const { items, attachments } = await countAll(gateway);
      expect([items, attachments]).toEqual([before.items + 1, before.attachments + 1]);
      expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 11, 11]);
    }
  });

  test('whose item left the caller’s sight cannot be corrected by the caller', async () => {
    const id = await make(gateway, 'FILED');
    const { expirationItemId } = await storedUpload(gateway, id);
    const where = { id: String(expirationItemId) };
    const { prisma } = gateway.database;
    await prisma.expirationItem.update({ where, data: { teamId: gateway.otherTeamId } });
    await expectUnchanged(gateway, id, () =>
      expectRefusal(refusal(gateway, confirm, { id, input: { name: 'X' } }, gateway.member), 'NOT_FOUND'),
    );
  });
});

describe('confirmUpload that renews', () => {
  const attachmentsOf = (itemId: string) =>
    gateway.database.prisma.attachment.findMany({ where: { itemId } });
  const until = (date: string, itemId?: string) => ({
    expirationDate: date,
    renew: true,
    ...(itemId && { expirationItemId: itemId }),
  });

  test('an item moves the file there, and what was made for the file goes into the bin', async () => {
    const id = await make(gateway, 'FILED');
    const { expirationItemId: made, attachmentId } = await storedUpload(gateway, id);
    const item = await createItem(gateway, { expirationDate: '2030-01-31' });
    const upload = await settle(gateway, id, until('2031-01-31', item.id), gateway.member);
    expect(upload.expirationItem).toMatchObject({ id: item.id, expirationDate: '2031-01-31' });
    expect((await attachmentsOf(item.id)).map((file) => file.id)).toEqual([attachmentId]);
    expect(await storedUpload(gateway, id)).toMatchObject({ needsReview: false, dueAt: null });
    const { prisma } = gateway.database;
    expect(await prisma.expirationItem.count({ where: { id: String(made) } })).toBe(0);
    const renewals = await prisma.renewal.findMany({ where: { itemId: item.id } });
    expect(renewals.map(({ previousDate }) => previousDate?.toISOString().slice(0, 10))).toEqual([
      '2030-01-31',
    ]);
  });

  test.each<[string, (made: string, attachmentId: string) => Promise<unknown>]>([
    [
      'has another file',
      (itemId) =>
        ask(
          gateway,
          'mutation ($itemId: ID!) { addAttachment(input: { itemId: $itemId, content: "eA==", name: "other.txt" }) { id } }',
          { itemId },
        ),
    ],
    [
      'was changed since',
      (id) =>
        ask(
          gateway,
          'mutation ($id: ID!) { updateExpirationItem(id: $id, input: { details: "Kept" }) { id } }',
          { id },
        ),
    ],
    [
      'was there before the file',
      (id) =>
        gateway.database.prisma.expirationItem.update({
          where: { id },
          data: { created: new Date(0), modified: new Date(0) },
        }),
    ],
  ])('an item leaves the file where it is, if the item there %s', async (_case, change) => {
    const id = await make(gateway, 'FILED');
    const { expirationItemId: made, attachmentId } = await storedUpload(gateway, id);
    await change(String(made), String(attachmentId));
    const item = await createItem(gateway);
    await expectUnchanged(gateway, id, () =>
      expectRefusal(
        refusal(gateway, confirm, { id, input: until('2039-01-31', item.id) }),
        'CONFLICT',
        undefined,
        /filed under another item/,
      ),
    );
    expect((await attachmentsOf(String(made))).map((file) => file.id)).toContain(attachmentId);
    expect(await attachmentsOf(item.id)).toHaveLength(0);
  });

  test('files one that failed, and renews the item in the same step', async () => {
    const id = await make(gateway, 'FAILED');
    const item = await createItem(gateway, { expirationDate: '2030-01-31' });
    const upload = await settle(gateway, id, until('2031-01-31', item.id));
    expect(upload).toMatchObject({
      state: 'FILED',
      expirationItem: { id: item.id, expirationDate: '2031-01-31' },
    });
  });

  test('renews the item that it is filed under, and repeats are refused', async () => {
    const id = await make(gateway, 'FILED');
    const upload = await settle(gateway, id, until('2031-01-31'));
    expect(upload.expirationItem.expirationDate).toBe('2031-01-31');
    await expectUnchanged(gateway, id, () =>
      expectRefusal(
        refusal(gateway, confirm, { id, input: until('2031-01-31') }),
        'BAD_REQUEST',
        'expirationDate',
        /later/,
      ),
    );
  });

  test.each([
    ['without a date', {}, 'expirationDate', /required to renew/],
    [
      'with an item of others',
      { expirationDate: '2039-01-31', expirationItemId: 'foreign' },
      'expirationItemId',
      /names no/,
    ],
  ] as const)('%s is refused, and nothing changes', async (_case, input, field, message) => {
    const id = await make(gateway, 'FILED');
    const hidden = await createItem(gateway, { teamId: gateway.otherTeamId });
    const given = {
      renew: true,
      ...input,
      ...('expirationItemId' in input && { expirationItemId: hidden.id }),
    };
    await expectUnchanged(gateway, id, () =>
      expectRefusal(
        refusal(gateway, confirm, { id, input: given }, gateway.member),
        'BAD_REQUEST',
        field,
        message,
      ),
    );
  });

  test('one that is not filed names its item', async () => {
    const id = await make(gateway, 'FAILED');
    await expectUnchanged(gateway, id, () =>
      expectRefusal(
        refusal(gateway, confirm, { id, input: until('2031-01-31') }),
        'BAD_REQUEST',
        'expirationItemId',
        /required to renew/,
      ),
    );
  });
});
