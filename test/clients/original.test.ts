import { expect, test } from 'vitest';
import { createItem } from '../rest/items.support.js';
import { nowhere } from '../rest/support.js';
import { startGateway, type TestGateway, useGateway } from '../support/gateway.js';

/**
 * Returns a client of the original service, as its vendor wrote it: what it sends, and what it makes of
 * answers.
 */
function createOriginalClient(gateway: TestGateway, token: string) {
  const sent: string[] = [];

  /** Sends a request: members without a value are left out, errors are told apart by their status alone. */
  async function call(method: string, path: string, parameters: object = {}, body?: object) {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const target = query === '' ? path : `${path}?${query}`;
    sent.push(`${method} ${target}`);
    const { status, json } = await gateway.send(method, `/v1/${target}`, { token, ...(body && { body }) });
    if (status < 300) return json;
    const kinds: Record<number, string> = {
      401: 'sign in again',
      403: 'not allowed',
      404: 'not found',
      409: 'already there',
      429: 'too fast',
    };
    throw new Error(`${kinds[status] ?? 'failed'}: ${json.message}`);
  }

  /** Goes through the pages of a list; the first is asked for without a number. */
  async function walk(path: string, list: string, parameters: object) {
    const rows: { id: string; name: string }[] = [];
    for (let page: number | undefined; ; ) {
      const answer = await call('GET', path, { ...parameters, page });
      rows.push(...answer[list]);
      if (!(answer.page < answer.pages)) return rows;
      page = answer.page + 1;
    }
  }

  return { sent, call, walk };
}

/** Returns a date as the client reads it: the day alone, or with a time behind it. */
const dayOf = (text: string) => /^(\d{4}-\d{2}-\d{2})(T|$)/.exec(text)?.[1];

const names = (rows: { readonly name: string }[]) => rows.map(({ name }) => name);

const gateway = useGateway();

test('a day of the original’s own client', async () => {
  const contacts = [{ email: 'grace@example.com' }];
  await createItem(gateway, { name: 'Old licence', expirationDate: '2026-11-01', contacts });
  await createItem(gateway, { name: 'Passport', expirationDate: '2026-12-20', contacts });
  await createItem(gateway, { name: 'Insurance', expirationDate: '2027-06-01' });
  const client = createOriginalClient(gateway, gateway.member);

  const { categories } = await client.call('GET', 'categories', { paging: 500 });
  const [generic] = categories;
  expect(generic).toMatchObject({ name: 'Generic', is_active: true });

  const status = 'Expired'.toLowerCase();
  const expired = await client.call('GET', 'expirationitems', { term: '', status, paging: 25 });
  expect(names(expired.expiration_items)).toEqual(['Old licence']);
  expect(expired).toMatchObject({ page: 1, pages: 1, total: 1, expiration_items: [{ status: 'expired' }] });
  expect(dayOf(expired.expiration_items[0].expiration_date)).toBe('2026-11-01');

  const soon = await client.call('GET', 'expirationitems', { expiresWithinDays: 30, paging: 25 });
  expect(names(soon.expiration_items)).toEqual(['Passport']);
  const found = await client.call('GET', 'expirationitems', { term: 'insur', sort: 'name', paging: 25 });
  expect(names(found.expiration_items)).toEqual(['Insurance']);

  const grace = await client.call('GET', 'contacts', { email: 'grace@example.com', paging: 25 });
  expect(grace.contacts).toMatchObject([{ email: 'grace@example.com' }]);

  const made = await client.call('POST', 'expirationitems', undefined, {
    name: 'Trade licence',
    expiration_date: '2027-03-31T00:00:00Z',
    category: { id: generic.id },
    contacts: [{ id: grace.contacts[0].id }],
  });
  expect(dayOf(made.expiration_date)).toBe('2027-03-31');
  expect(made).toMatchObject({ status: 'current', category_name: 'Generic', contacts });

  expect(client.sent).toEqual([
    'GET categories?paging=500',
    'GET expirationitems?status=expired&paging=25',
    'GET expirationitems?expiresWithinDays=30&paging=25',
    'GET expirationitems?term=insur&sort=name&paging=25',
    'GET contacts?email=grace%40example.com&paging=25',
    'POST expirationitems',
  ]);
});

test('its requests about a contact’s items and their files', async () => {
  const client = createOriginalClient(gateway, gateway.member);
  const { id } = await client.call('POST', 'contacts', {}, { email: 'hugo@example.com', name: 'Hugo' });
  const item = { name: 'Permit', expiration_date: '2027-01-31', contacts: [{ id }] };
  const permit = await client.call('POST', 'expirationitems', {}, item);
  const file = { name: 'permit.txt', content_type: 'text/plain', content: btoa('Permit') };
  await client.call('POST', `expirationitems/${permit.id}/attachment`, {}, file);
  const renewal = { expiration_date: '2028-01-31', details: 'Paid.' };
  const renewed = await client.call('POST', `expirationitems/${permit.id}/renew`, {}, renewal);
  expect([dayOf(renewed.expiration_date), renewed.details]).toEqual(['2028-01-31', 'Paid.']);
  const attachments = Array.from({ length: 29 }, (_, index) => ({ ...file, name: `permit ${index}.txt` }));
  await client.call('POST', 'expirationitems', {}, { ...item, name: 'Licence', attachments });
  client.sent.length = 0;

  const theirs = await client.call('GET', `expirationitems/contact/${id}`, { page: -1 });
  expect(theirs).toMatchObject({ page: 1, pages: 1, total: 2 });
  expect(names(theirs.expiration_items)).toEqual(['Licence', 'Permit']);
  const listed = await client.call('GET', 'attachments/expirationitem', { includeFileContent: false });
  expect(listed.total).toBe(30);

  const parameters = { term: 'permit', includeFileContent: false };
  const files = await client.walk('attachments/search', 'attachments', parameters);
  expect(new Set(files.map((found) => found.id)).size).toBe(30);
  const first = files.find(({ name }) => name === 'permit.txt');
  expect(first).toMatchObject({ content: null, content_legth: 6, entity_type: 'expirationitem' });
  const read = await client.call('GET', `attachments/expirationitem/${first?.id}`);
  expect([atob(read.content), read.entity_id]).toEqual(['Permit', permit.id]);

  expect(client.sent).toEqual([
    `GET expirationitems/contact/${id}?page=-1`,
    'GET attachments/expirationitem?includeFileContent=false',
    'GET attachments/search?term=permit&includeFileContent=false',
    'GET attachments/search?term=permit&includeFileContent=false&page=2',
    `GET attachments/expirationitem/${first?.id}`,
  ]);
});

test('its walk through the pages meets each item once', async () => {
  const expected = Array.from({ length: 60 }, (_, index) => `Fleet ${String(index).padStart(2, '0')}`);
  // All of one day, so that nothing but the id tells them apart.
  for (const name of expected) await createItem(gateway, { name });
  const client = createOriginalClient(gateway, gateway.viewer);
  const rows = await client.walk('expirationitems', 'expiration_items', { term: 'fleet', paging: 25 });
  expect(names(rows).sort()).toEqual(expected);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(60);
  expect(client.sent).toEqual([
    'GET expirationitems?term=fleet&paging=25',
    'GET expirationitems?term=fleet&paging=25&page=2',
    'GET expirationitems?term=fleet&paging=25&page=3',
  ]);
});

test('it tells errors apart by their status', async () => {
  const limited = await startGateway({ RATE_LIMIT: '1' }, {}, { settleInterval: 3_600_000 });
  try {
    const by = (token: string) => createOriginalClient(gateway, token);
    const body = { name: 'Licence', expiration_date: '2027-03-31' };
    const { id } = await by(gateway.admin).call('POST', 'expirationitems', {}, body);
    const stranger = by('egw_unknown').call('GET', 'categories', { paging: 500 });
    await expect(stranger).rejects.toThrow(/^sign in again: ./);
    const viewer = by(gateway.viewer).call('POST', 'expirationitems', {}, body);
    await expect(viewer).rejects.toThrow(/^not allowed: ./);
    const lost = by(gateway.admin).call('GET', `expirationitems/${nowhere}`);
    await expect(lost).rejects.toThrow(/^not found: ./);
    const twice = by(gateway.admin).call('POST', 'expirationitems', {}, { ...body, id });
    await expect(twice).rejects.toThrow(/^already there: ./);
    const hasty = createOriginalClient(limited, limited.admin);
    await hasty.call('GET', 'categories', { paging: 500 });
    await expect(hasty.call('GET', 'categories', { paging: 500 })).rejects.toThrow(/^too fast: ./);
  } finally {
    await limited.close();
  }
});
