import { beforeEach, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();
const items = '/v1/expirationitems';

let round = 0;
let path: string;
let before: Links;

/** The links of an item. The second entry of each list, and the document type, are in another workspace. */
interface Links {
  readonly category: string;
  readonly contacts: readonly string[];
  readonly locations: readonly string[];
  readonly tags: readonly string[];
}

/** Reads an item's links as the administrator, who sees all of them. */
async function linksOf(address = path): Promise<Links> {
  const { json } = await gateway.send('GET', address);
  const ids = (member: string) => (json[member] as { id: string }[]).map(({ id }) => id);
  return {
    category: json.category.id,
    contacts: ids('contacts'),
    locations: ids('locations'),
    tags: ids('tags'),
  };
}

beforeEach(async () => {
  round += 1;
  const make = async (kind: string, body: object, team_id: string) => {
    const made = await gateway.send('POST', `/v1/${kind}`, { body: { ...body, team_id } });
    expect(made.status, made.text).toBe(201);
    return { id: made.json.id as string };
  };
  const [here, there] = [gateway.teamId, gateway.otherTeamId];
  const three = (kind: string, value: (n: number) => object) =>
    Promise.all([here, there, here].map((team, n) => make(kind, value(n), team)));
  const item = {
    ...required,
    category: await make('categories', { name: `Type ${round}` }, there),
    contacts: await three('contacts', (n) => ({ email: `c${round}-${n}@example.com` })),
    locations: await three('locations', (n) => ({ name: `Yard ${round}-${n}` })),
    tags: await three('tags', (n) => ({ name: `Tag ${round}-${n}` })),
  };
  path = `${items}/${(await make('expirationitems', item, here)).id}`;
  before = await linksOf();
});

const member = (method: string, address: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.send(method, address, { token: gateway.member, body, headers });
const required = { name: 'Licence', expiration_date: '2027-06-01' };
const merging = { 'Content-Type': 'application/merge-patch+json' };

/** The hidden links alone. */
const hidden = ({ contacts, locations, tags, category }: Links) => ({
  ...{ category, contacts: [contacts[1]], locations: [locations[1]], tags: [tags[1]] },
});

test('a member sees two of three links, and no document type', async () => {
  const { json } = await member('GET', path);
  expect([json.contacts, json.locations, json.tags].map(({ length }) => length)).toEqual([2, 2, 2]);
  expect(json).toMatchObject({ category: null, category_name: null });
});

test('a PUT of what was shown changes nothing', async () => {
  const { json } = await member('GET', path);
  expect((await member('PUT', path, json)).json.modified).toBe(json.modified);
  expect(await linksOf()).toEqual(before);
});

test.each<[string, () => Promise<{ status?: number; errors?: unknown }>]>([
  [
    'PUT',
    () => member('PUT', path, { ...required, contacts: [], locations: [], tags: null, category: null }),
  ],
  ['a merge patch', () => member('PATCH', path, { contacts: null, locations: [], tags: [] }, merging)],
  [
    'operations',
    () =>
      member(
        'PATCH',
        path,
        ['contacts', 'locations', 'tags'].flatMap((list) => [
          { op: 'remove', path: `/${list}/1` },
          { op: 'remove', path: `/${list}/0` },
        ]),
      ),
  ],
  [
    'updateExpirationItem',
    () =>
      gateway.graphql(
        `mutation($id: ID!) { updateExpirationItem(id: $id, input: { contacts: [], locations: [], tags: null, categoryName: null }) { id } }`,
        { id: path.slice(items.length + 1) },
        gateway.member,
      ),
  ],
  [
    'updateExpirationItems',
    () =>
      gateway.graphql(
        `mutation($id: ID!) { updateExpirationItems(ids: [$id], input: { contacts: [], locations: [], tags: [] }) { id } }`,
        { id: path.slice(items.length + 1) },
        gateway.member,
      ),
  ],
  [
    'replaceExpirationItem',
    () =>
      gateway.graphql(
        `mutation($id: ID!) { replaceExpirationItem(id: $id, input: { name: "Licence", expirationDate: "2027-06-01" }) { id } }`,
        { id: path.slice(items.length + 1) },
        gateway.member,
      ),
  ],
])('%s removes only the links that are shown', async (_, change) => {
  const { status = 200, errors } = await change();
  expect({ status, errors }).toEqual({ status: 200, errors: undefined });
  expect(await linksOf()).toEqual(hidden(before));
});

test('hidden links keep their places in a list that gets longer, and leave with a caller who sees them', async () => {
  const [first, second, third] = before.tags;
  const name = `new ${round}`;
  await member('PATCH', path, [{ op: 'add', path: '/tags/-', value: { name } }]);
  const { tags } = await linksOf();
  expect(tags.slice(0, 3)).toEqual([first, second, third]);
  expect(tags).toHaveLength(4);
  await gateway.send('PUT', path, {
    body: { ...required, tags: [{ id: first }], contacts: [], category_name: 'Own' },
  });
  expect(await linksOf()).toMatchObject({ tags: [first], contacts: [] });
});

test('a member may still name a document type, and replace the contacts of an item', async () => {
  const named = await member('PUT', path, { ...required, category_name: `Mine ${round}` });
  expect(named.json.category).toMatchObject({ name: `Mine ${round}` });
  await member('POST', `${path}/contacts`, [{ email: `late${round}@example.com` }]);
  const { contacts } = await linksOf();
  expect(contacts[1]).toBe(before.contacts[1]);
  expect(contacts).toHaveLength(2);
});

test('an item that moves takes its hidden document type along', async () => {
  const target = await secondTeam();
  const moved = await member('PATCH', path, [{ op: 'replace', path: '/team_id', value: target }]);
  expect(moved.json).toMatchObject({ team_id: target, category: null });
  expect(await linksOf()).toEqual(before);
});

/** Creates a workspace of the member's, besides the one with the items. */
async function secondTeam() {
  const { prisma } = gateway.database;
  const { organizationId, teamId } = gateway;
  const user = await prisma.membership.findFirstOrThrow({
    where: { teamId, user: { email: 'max@example.com' } },
  });
  const times = { created: gateway.clock.now, modified: gateway.clock.now };
  const third = await prisma.team.create({
    data: { id: crypto.randomUUID(), organizationId, name: 'Third', ...times },
  });
  await prisma.membership.create({ data: { userId: user.userId, teamId: third.id } });
  return third.id;
}
