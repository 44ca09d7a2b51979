import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { findSuggestion } from '../../src/uploads/worker/worker.js';
import { ask } from '../graphql/support.js';
import { createTenant, type Tenant, testTime, useGateway } from '../support/gateway.js';
import { receiveTagged, settled, withWorker } from './support.js';

const gateway = useGateway();

const read = `query ($id: ID!) {
  uploadNotification(id: $id) {
    id needsReview
    suggestions { field value confidence source page words reason }
    expirationItem { name expirationDate category { name } contacts { email } }
  }
}`;

const options = { ocr: 'off', ocrCommand: '', today: testTime } as const;

/** Files an upload whose document has a text. */
async function file(text: string, tags: object = {}, filename = 'scan.txt') {
  const bytes = new TextEncoder().encode(text);
  const findFile = () => findSuggestion({ bytes, contentType: 'text/plain', filename }, options);
  const id = await receiveTagged(gateway, tags);
  await withWorker(gateway, { findFile }, () => settled(gateway, id));
  return (await ask(gateway, read, { id })).uploadNotification;
}

/** Returns what of the workspace is suggested for a text, by field. */
async function mentionedIn(text: string, field: string) {
  const { suggestions } = await file(text);
  return suggestions.filter(
    (one: { field: string; source: string }) => one.field === field && one.source === 'WORKSPACE',
  );
}

const times = { created: testTime, modified: testTime };

async function addContacts(
  { organizationId, teamId }: Pick<Tenant, 'organizationId' | 'teamId'>,
  all: object[],
) {
  await gateway.database.prisma.contact.createMany({
    data: all.map((one) => ({
      ...{ id: newId(), organizationId, teamId, email: `${newId()}@example.com`, ...times },
      ...one,
    })),
  });
}

beforeAll(async () => {
  const { organizationId, teamId, otherTeamId } = gateway;
  const { prisma } = gateway.database;
  await addContacts(gateway, [
    { name: 'Ana Diaz', email: 'ana.diaz@acme.example', contactId: 'E-10045' },
    { name: 'Jürgen Müller', email: 'jm@acme.example' },
    { name: 'Carla Rossi', email: 'carla1@acme.example' },
    { name: 'Carlo Rossi', email: 'carlo@acme.example' },
    { name: 'Gone Person', email: 'gone@acme.example', isActive: false },
    { name: null, email: 'office@berg.example' },
  ]);
  await addContacts({ organizationId, teamId: otherTeamId }, [
    { name: 'Otto Fremd', email: 'otto@elsewhere.example', contactId: 'E-77777' },
  ]);
  const foreign = await createTenant(gateway.database, 'Foreign');
  await addContacts(foreign, [{ name: 'Zoe Abroad', email: 'zoe@abroad.example', contactId: 'E-88888' }]);
  const category = (id: string, at: { organizationId: string; teamId: string }, name: string) =>
    prisma.category.create({ data: { id, name, ...at, ...times } });
  const [licence, elsewhere] = [newId(), newId()];
  await category(licence, { organizationId, teamId }, 'Trade licence');
  await category(newId(), { organizationId, teamId }, 'Licence');
  await category(elsewhere, { organizationId, teamId: otherTeamId }, 'Fremdpapier');
  const customFields = [{ id: newId(), name: 'Licence no.', value: 'L-204 511' }];
  const item = { customFields, expirationDate: new Date('2027-01-31'), ...times };
  await prisma.expirationItem.createMany({
    data: [
      {
        ...{ id: newId(), organizationId, teamId, categoryId: licence, ...item },
        ...{ name: 'Crane test', customFields: [{ id: newId(), name: 'Document no.', value: 'QX.778812' }] },
      },
      { id: newId(), organizationId, teamId, categoryId: licence, name: 'Harbour permit', ...item },
      {
        ...{ id: newId(), organizationId, teamId: otherTeamId, categoryId: elsewhere, ...item },
        ...{ name: 'Foreign permit', customFields: [{ id: newId(), name: 'No.', value: 'X-99 001' }] },
      },
    ],
  });
});

describe('what the workspace has and a document mentions', () => {
  test('is suggested with a reason, by both APIs', async () => {
    const upload = await file(
      'TRADE LICENCE\nHolder: ANA DIAZ\nNumber: L204511\nValid until 31 January 2033\n',
    );
    const reasons = upload.suggestions.map(({ field, value, reason }: Record<string, string>) => [
      field,
      value,
      reason,
    ]);
    expect(reasons).toEqual([
      ['EXPIRATION_DATE', '2033-01-31', 'The text of page 1 says “L204511 Valid until 31 January 2033”.'],
      [
        'NAME',
        'Harbour permit',
        'Expiration item “Harbour permit” has the Licence no. “L-204 511”, which stands on page 1 as “L204511”.',
      ],
      ['DOCUMENT_NUMBER', 'L-204 511', expect.stringContaining('“L204511”')],
      ['EXPIRATION_ITEM', expect.any(String), expect.stringContaining('“L204511”')],
      [
        'DOCUMENT_TYPE',
        'Trade licence',
        'Document type “Trade licence” stands on page 1 as “TRADE LICENCE”.',
      ],
      ['CONTACT', 'ana.diaz@acme.example', 'Contact “Ana Diaz” stands on page 1 as “ANA DIAZ”.'],
      ['PERSON', expect.any(String), 'Contact “Ana Diaz” stands on page 1 as “ANA DIAZ”.'],
    ]);
    const { json } = await gateway.send('GET', `/v1/uploads/${upload.id}`);
    expect(json.suggestions).toContainEqual({
      ...{
        field: 'contact',
        value: 'ana.diaz@acme.example',
        name: null,
        confidence: 90,
        source: 'workspace',
      },
      ...{ page: 1, box: null, words: 'ANA DIAZ', reason: expect.any(String) },
    });
  });

  test('is less certain if it is only similar', async () => {
    expect(await mentionedIn('Holder: ANA D1AZ', 'CONTACT')).toMatchObject([
      { value: 'ana.diaz@acme.example', confidence: 77, words: 'ANA D1AZ' },
    ]);
    expect(await mentionedIn('JUERGEN MUELLER', 'CONTACT')).toMatchObject([{ value: 'jm@acme.example' }]);
    expect(await mentionedIn('Anna Dies', 'CONTACT')).toEqual([]);
  });

  test('is found by address, and by a contact’s own id', async () => {
    expect(await mentionedIn('Mail: OFFICE@berg.example', 'CONTACT')).toMatchObject([
      {
        value: 'office@berg.example',
        confidence: 98,
        reason:
          'Contact “office@berg.example” has the address “office@berg.example”, which stands on page 1 as “OFFICE@berg.example”.',
      },
    ]);
    expect(await mentionedIn('Employee E10045', 'CONTACT')).toMatchObject([
      { reason: 'Contact “Ana Diaz” has the id “E-10045”, which stands on page 1 as “E10045”.' },
    ]);
  });

  test.each([
    ['No. QX 778812 of 2031', 'QX 778812'],
    ['Number: qx\u00a0778 812.', 'qx 778 812'],
    ['QX-778812', 'QX-778812'],
    ['Q X 7 7 88 12', 'Q X 7 7 88 12'],
  ])('is found by a number that is written with or without spaces: %s', async (text, words) => {
    expect(await mentionedIn(text, 'DOCUMENT_NUMBER')).toMatchObject([
      { value: 'QX.778812', confidence: 90, words },
    ]);
  });

  test.each(['QX\n778812', 'QX   778812', 'QX 778813', 'QX, 778812', 'Regulation QX 77 88 1 on 2 pages'])(
    'is not found by parts that are no number: %s',
    async (text) => {
      expect(await mentionedIn(text, 'DOCUMENT_NUMBER')).toEqual([]);
    },
  );

  test('is found by a whole number after thousands that have spaces', async () => {
    const amounts = Array.from({ length: 3_000 }, (_, n) => `EUR ${n + 100} ${n + 200}`).join('\n');
    expect(await mentionedIn(`${amounts}\nQX778812`, 'DOCUMENT_NUMBER')).toMatchObject([
      { value: 'QX.778812' },
    ]);
  });

  test('is found in the file’s name', async () => {
    const { suggestions } = await file('nothing', {}, 'Ana Diaz.txt');
    expect(suggestions.filter(({ field }: { field: string }) => field === 'CONTACT')).toMatchObject([
      { field: 'CONTACT', page: null, reason: "Contact “Ana Diaz” stands in the file's name as “Ana Diaz”." },
    ]);
  });

  test('is all shown if it is equally near, with the same certainty', async () => {
    const near = await mentionedIn('Holder: CARLX ROSSI', 'CONTACT');
    expect(near.map(({ value }: { value: string }) => value).sort()).toEqual([
      'carla1@acme.example',
      'carlo@acme.example',
    ]);
    expect(near[0].confidence).toBe(near[1].confidence);
    expect(await mentionedIn('Holder: CARLA ROSSI', 'CONTACT')).toMatchObject([
      { value: 'carla1@acme.example' },
    ]);
  });

  test('is never set unseen', async () => {
    const text = 'Trade licence of Ana Diaz, L-204511, valid until 31 January 2033';
    const upload = await file(text, { trust_scan: true, name: 'Scan 7' });
    expect(upload.suggestions).toHaveLength(7);
    expect(upload.needsReview).toBe(false);
    expect(upload.expirationItem).toEqual({
      ...{ name: 'Scan 7', expirationDate: '2033-01-31' },
      ...{ category: { name: 'Generic' }, contacts: [] },
    });
  });

  test('is never of another workspace or organization, or out of use', async () => {
    const text =
      'Otto Fremd otto@elsewhere.example E-77777, Zoe Abroad zoe@abroad.example E-88888, Gone Person gone@acme.example, ' +
      'Fremdpapier, Foreign permit X-99001';
    expect((await file(text)).suggestions).toEqual([]);
  });

  test('leaves room for what the document says', async () => {
    await addContacts(
      gateway,
      Array.from({ length: 30 }, () => ({ name: 'Sam Same' })),
    );
    const { suggestions } = await file('Sam Same, valid until 31 January 2033, expires 30 June 2034');
    const fields = suggestions.map(({ field }: { field: string }) => field);
    expect(fields.filter((field: string) => field === 'CONTACT')).toHaveLength(5);
    expect(fields.filter((field: string) => field === 'EXPIRATION_DATE')).toHaveLength(2);
  });
});
