import { describe, expect, test } from 'vitest';
import { png } from '../mail/logo.support.js';
import { eventsOf, nowhere } from '../rest/support.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway({ PUBLIC_URL: 'https://expiry.example.com' });

const selection = `id version scope categoryId teamId senderName replyTo logo
  words { language subject opening closing }`;
const create = `mutation ($input: CreateMailTextInput!) { record: createMailText(input: $input) { ${selection} } }`;
const update = `mutation ($id: ID!, $input: UpdateMailTextInput!, $ifVersion: String) {
  record: updateMailText(id: $id, input: $input, ifVersion: $ifVersion) { ${selection} } }`;
const remove = 'mutation ($id: ID!) { record: deleteMailText(id: $id) { id } }';
const restore = 'mutation ($id: ID!) { record: restoreMailText(id: $id) { id senderName } }';

const run = async (query: string, variables: object, token = gateway.admin) =>
  (await ask(gateway, query, variables, token)).record;

let count = 0;
/** Creates a document type, for which there is no mail text. */
const makeType = async (teamId = gateway.teamId): Promise<string> => {
  const query = 'mutation ($input: CreateCategoryInput!) { record: createCategory(input: $input) { id } }';
  return (await run(query, { input: { name: `Type ${++count}`, teamId } })).id;
};
const forType = async (values: object = {}) => ({
  scope: 'CATEGORY',
  categoryId: await makeType(),
  ...values,
});

const words = [{ language: 'en', subject: '{{item.name}}', opening: null, closing: 'Yours' }];

describe('a mail text', () => {
  test('is created, changed, deleted and restored, with its events', async () => {
    const logo = `data:image/png;base64,${png(10, 10).toString('base64')}`;
    const input = await forType({ words, senderName: 'Fleet', replyTo: ' fleet@example.com ', logo });
    const made = await run(create, { input });
    expect(made).toMatchObject({ ...input, replyTo: 'fleet@example.com', teamId: gateway.teamId });
    const { id, version } = made;
    const changed = await run(update, { id, ifVersion: version, input: { words: [], logo: null } });
    expect(changed).toMatchObject({ words: [], logo: null, senderName: 'Fleet' });
    await expectRefusal(
      refusal(gateway, update, { id, ifVersion: version, input: {} }),
      'PRECONDITION_FAILED',
    );
    await run(remove, { id });
    expect(await run(restore, { id })).toEqual({ id, senderName: 'Fleet' });
    const events = await eventsOf(gateway, { id });
    expect(events.map(({ description }) => description)).toEqual([
      'Mail text "Document type" was created',
      'Mail text "Document type" was updated: words, logo',
      'Mail text "Document type" was deleted',
      'Mail text "Document type" was restored from the bin',
    ]);
    // An event says that the logo changed, and does not repeat it.
    const details = events.map((event) => event.details ?? '').join();
    expect(details).toContain('"sha256:');
    expect(details).not.toContain('base64');
  });

  test('is one for the organization, a workspace and a document type', async () => {
    const input = await forType();
    await run(create, { input });
    await expectRefusal(refusal(gateway, create, { input }), 'CONFLICT', 'scope');
    await run(create, { input: { senderName: 'Of the workspace' } });
    await expectRefusal(refusal(gateway, create, { input: { scope: 'TEAM' } }), 'CONFLICT', 'scope');
    const { otherTeamId: teamId } = gateway;
    await run(create, { input: { teamId } });
    await run(create, { input: { scope: 'ORGANIZATION' } });
    await expectRefusal(
      refusal(gateway, create, { input: { scope: 'ORGANIZATION', teamId } }),
      'CONFLICT',
      'scope',
    );
  });

  test('names its document type, of its workspace, and stays what it is for', async () => {
    const categoryId = await makeType(gateway.otherTeamId);
    const refuse = (input: object, at: string) =>
      expectRefusal(refusal(gateway, create, { input }), 'BAD_REQUEST', at);
    await refuse({ scope: 'CATEGORY' }, 'categoryId');
    await refuse({ scope: 'TEAM', categoryId }, 'categoryId');
    await refuse({ scope: 'CATEGORY', categoryId }, 'categoryId');
    await refuse({ scope: 'CATEGORY', categoryId: nowhere }, 'categoryId');
    await refuse({ teamId: nowhere }, 'teamId');
    const { id } = await run(create, { input: await forType() });
    for (const [input, at] of [
      [{ scope: 'TEAM' }, 'scope'],
      [{ categoryId }, 'categoryId'],
      [{ teamId: gateway.otherTeamId }, 'teamId'],
    ] as const) {
      await expectRefusal(refusal(gateway, update, { id, input }), 'BAD_REQUEST', at);
    }
    expect(await run(update, { id, input: { scope: null, categoryId: null } })).toMatchObject({
      scope: 'CATEGORY',
    });
  });

  test('goes with its document type, and comes back with it', async () => {
    const input = await forType({ senderName: 'Kept' });
    const { id } = await run(create, { input });
    const read = 'query ($id: ID!) { record: mailText(id: $id) { senderName category { id } } }';
    await run('mutation ($id: ID!) { record: deleteCategory(id: $id) { id } }', { id: input.categoryId });
    expect(await run(read, { id })).toBeNull();
    await run('mutation ($id: ID!) { record: restoreCategory(id: $id) { id } }', { id: input.categoryId });
    expect(await run(read, { id })).toEqual({ senderName: 'Kept', category: { id: input.categoryId } });
  });

  test('is written by admins alone, and read by who sees the workspace', async () => {
    const input = await forType();
    await expectRefusal(refusal(gateway, create, { input }, gateway.member), 'FORBIDDEN');
    const { id } = await run(create, { input });
    await expectRefusal(refusal(gateway, update, { id, input: {} }, gateway.member), 'FORBIDDEN');
    await expectRefusal(refusal(gateway, remove, { id }, gateway.member), 'FORBIDDEN');
    const patch = 'mutation ($id: ID!) { patchMailText(id: $id, operations: []) { id } }';
    await expectRefusal(refusal(gateway, patch, { id }, gateway.member), 'FORBIDDEN');
    const read = 'query ($id: ID!) { record: mailText(id: $id) { id } }';
    expect(await run(read, { id }, gateway.viewer)).toEqual({ id });
    const foreign = await createTenant(gateway.database, 'Globex');
    expect(await run(read, { id }, foreign.admin)).toBeNull();
    await expectRefusal(refusal(gateway, update, { id, input: {} }, foreign.admin), 'NOT_FOUND');
  });

  test.each([
    ['an unknown field', { words: [{ language: 'en', opening: 'Dear {{reader}}' }] }, 'words.0.opening'],
    ['open braces', { words: [{ language: 'en', subject: '{{item.name' }] }, 'words.0.subject'],
    ['64 kB', { words: [{ language: 'en', closing: 'x'.repeat(65_536) }] }, 'words.0.closing'],
    [
      'two lines in a subject',
      { words: [{ language: 'en', subject: 'a\r\nBcc: b@example.com' }] },
      'words.0.subject',
    ],
    ['an unknown language', { words: [{ language: 'tlh', subject: 'a' }] }, 'words.0.language'],
    ['two lines in a name', { senderName: 'a\nb' }, 'senderName'],
    ['two addresses', { replyTo: 'a@example.com, b@example.com' }, 'replyTo'],
    ['what is no picture', { logo: 'data:image/png;base64,AAAA' }, 'logo'],
    ['an address of a picture', { logo: 'https://example.com/logo.png' }, 'logo'],
  ])('refuses %s', async (_what, values, at) => {
    const input = await forType(values);
    await expectRefusal(refusal(gateway, create, { input }), 'BAD_REQUEST', at);
  });
});

describe('previewMailText', () => {
  const preview = `query ($input: PreviewMailTextInput!) {
    record: previewMailText(input: $input) { subject text html senderName } }`;
  const show = (input: object, token?: string) => run(preview, { input }, token);

  test.each([
    ['en', 'Trade licence of the north branch: in 7 days'],
    ['de', 'Gewerbeschein Nordfiliale: in 7 Tagen'],
    ['es', 'Licencia comercial de la sucursal norte: dentro de 7 días'],
    ['fr', 'Licence commerciale de l’agence nord: dans 7 jours'],
    ['it', 'Licenza commerciale della filiale nord: tra 7 giorni'],
    ['nl', 'Handelsvergunning filiaal noord: over 7 dagen'],
  ])('invents an item in %s', async (language, subject) => {
    const words = { language, subject: '{{item.name}}: {{item.daysLeft}}', closing: '{{organization.name}}' };
    expect(await show({ words, senderName: 'Office' })).toMatchObject({
      ...{ subject, senderName: 'Office', text: expect.stringContaining('\n\nAcme\n\n') },
    });
  });

  test('shows an item, with the words of less specific mail texts where there are none', async () => {
    const categoryId = await makeType();
    const { id: itemId } = await run(
      'mutation ($input: CreateExpirationItemInput!) { record: createExpirationItem(input: $input) { id } }',
      { input: { name: 'Visa', category: { id: categoryId }, expirationDate: '2026-12-01' } },
    );
    const { prisma } = gateway.database;
    await prisma.mailText.deleteMany({ where: { scope: { not: 'CATEGORY' } } });
    const both = [{ language: 'en', subject: 'Stored', closing: 'Stored closing' }];
    await run(create, { input: { scope: 'ORGANIZATION', words: both, senderName: 'Stored' } });
    await run(create, { input: { scope: 'CATEGORY', categoryId, words: both } });
    const words = { language: 'en', subject: 'Draft of {{item.name}}' };
    const shown = await show({ scope: 'TEAM', itemId, words });
    expect(shown).toMatchObject({ subject: 'Draft of Visa', senderName: 'Stored' });
    expect(shown.text).toContain('Stored closing');
    expect(shown.text).toContain('Open:\n');
    // Its document type does not say yet how often it is renewed.
    expect(shown.text).not.toContain('It was renewed');
    await run(
      'mutation ($id: ID!, $input: UpdateCategoryInput!) { record: updateCategory(id: $id, input: $input) { id } }',
      { id: categoryId, input: { autoRenew: { every: 1, unit: 'MONTHS' } } },
    );
    expect((await show({ scope: 'TEAM', itemId, words })).text).toContain(
      'It was renewed until 1 January 2027:\n',
    );
    const invented = { scope: 'CATEGORY', categoryId, teamId: gateway.teamId, words };
    expect((await show(invented)).text).toMatch(/It was renewed until \d+ \w+ 20\d\d:\n/);
    // What it would replace is not behind it.
    const organization = await show({ scope: 'ORGANIZATION', itemId, words: { language: 'en' } });
    expect(organization.subject).toContain('Visa expires');
    const stored = await run(
      'query ($itemId: ID!) { record: previewReminder(itemId: $itemId) { subject senderName } }',
      { itemId },
    );
    expect(stored).toEqual({ subject: 'Stored', senderName: 'Stored' });
    // A member of the workspace sees the organization's, wherever they are kept.
    await prisma.mailText.updateMany({
      where: { scope: 'ORGANIZATION' },
      data: { teamId: gateway.otherTeamId },
    });
    expect(await show({ scope: 'TEAM', itemId, words }, gateway.member)).toMatchObject({
      senderName: 'Stored',
    });
  });

  test('refuses what could not be stored, and what the caller does not see', async () => {
    const refuse = (input: object, at: string, token?: string) =>
      expectRefusal(refusal(gateway, preview, { input }, token), 'BAD_REQUEST', at);
    await refuse({ words: { language: 'en', subject: '{{reader}}' } }, 'words.subject');
    await refuse({ words: { language: 'tlh' } }, 'words.language');
    await refuse({ words: { language: 'en' }, logo: 'x' }, 'logo');
    await refuse({ words: { language: 'en' }, teamId: gateway.otherTeamId }, 'teamId', gateway.member);
    await refuse({ words: { language: 'en' }, categoryId: nowhere }, 'categoryId');
    await refuse({ words: { language: 'en' }, itemId: nowhere }, 'itemId');
  });
});
