import { beforeEach, describe, expect, test } from 'vitest';
import { maxViolations, violationRules } from '../../src/domain/errors.js';
import { newId } from '../../src/domain/rules.js';
import { createTenant, useGateway } from '../support/gateway.js';

const gateway = useGateway();
let written: number;
const countEvents = () => gateway.database.prisma.eventLog.count();
beforeEach(async () => {
  written = await countEvents();
});

const create = 'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';

/** Sends a mutation that must be refused, with one error and nothing written. */
async function refused(query: string, variables: object = {}, token = gateway.admin) {
  const { json, status } = await gateway.send('POST', '/graphql', { token, body: { query, variables } });
  expect(json.errors, JSON.stringify(json)).toHaveLength(1);
  expect(Object.values(json.data ?? {}).filter((value) => value !== null)).toEqual([]);
  expect(await countEvents()).toBe(written);
  const [{ message, extensions, path }] = json.errors;
  expect(extensions.code, message).toBe('BAD_REQUEST');
  for (const { rule } of extensions.violations) expect(Object.keys(violationRules)).toContain(rule);
  return { message, violations: extensions.violations, path, status, hasData: 'data' in json };
}

const told = (violations: { path: unknown[]; rule: string }[]) =>
  violations.map(({ path, rule }) => `${path.join('.')} ${rule}`).sort();

test('a word that an enum does not have is not repeated, however long it is', async () => {
  const query =
    'mutation ($input: CreateReminderPolicyInput!) { createReminderPolicy(input: $input) { id } }';
  for (const deliverOn of ['x'.repeat(100_000), 5]) {
    const { message, violations } = await refused(query, { input: { name: 'P', deliverOn } });
    expect(violations).toMatchObject([{ message: 'is not one of the allowed values' }]);
    expect(message.length).toBeLessThan(100);
  }
});

test.each([
  ['{ changes(first: 501) { nodes { id } } }', 'first range'],
  ['{ vehicles(last: 501) { nodes { id } } }', 'last range'],
  [
    '{ expirationItems(orderBy: [{ field: CUSTOM_FIELD }]) { nodes { id } } }',
    'orderBy.0.customField required',
  ],
])('the violated rule of an argument is reported: %s', async (query, violation) => {
  expect(told((await refused(query)).violations)).toEqual([violation]);
});

test('five broken rules are five violations of one error', async () => {
  const { message, violations, path } = await refused(create, {
    input: {
      name: ' ',
      expirationDate: '2027-01-31',
      timeOfDay: '25:00',
      contacts: [{ email: 'a@example.com' }, { email: 'nonsense' }],
      customFields: [{ name: 'x'.repeat(300) }],
      tags: [{}],
    },
  });
  expect(told(violations)).toEqual([
    'input.contacts.1.email format',
    'input.customFields.0.name length',
    'input.name required',
    'input.tags.0 required',
    'input.timeOfDay format',
  ]);
  expect(violations).toContainEqual({
    path: ['input', 'contacts', 1, 'email'],
    message: 'must be an e-mail address',
    rule: 'format',
  });
  expect(message).toMatch(/ \(and 4 more\)$/);
  expect(path).toEqual(['createExpirationItem']);
});

const wrong = () => ({
  name: 5,
  expirationDate: 'soon',
  isActive: 'yes',
  teamId: newId(),
  contactId: newId(),
  assignedTo: { id: newId() },
  category: { id: newId() },
  contacts: [7, { email: 'nonsense' }],
  tags: [{ id: newId() }],
  attachments: [{ content: '!' }],
  unknown: 1,
});
const allWrong = [
  'input.assignedTo.id reference',
  'input.attachments.0.content format',
  'input.category.id reference',
  'input.contactId reference',
  'input.contacts.0 type',
  'input.contacts.1.email format',
  'input.expirationDate format',
  'input.isActive type',
  'input.name type',
  'input.tags.0.id reference',
  'input.teamId reference',
  'input.unknown unknown',
];

test('wrong types, rules and references in variables are reported together', async () => {
  const { violations, status, hasData } = await refused(create, { input: wrong() });
  expect(told(violations)).toEqual(allWrong);
  // What cannot be read is a request that is not executed.
  expect([status, hasData]).toEqual([200, false]);
});

/** Writes a value as a literal of a document. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')}}`;
}

test('and of literals, and of variables inside of them', async () => {
  const all = await refused(`mutation { createExpirationItem(input: ${literal(wrong())}) { id } }`);
  expect(told(all.violations)).toEqual(allWrong);
  const { name, contacts, ...others } = wrong();
  const mixed = literal({ ...others, name: '$name', contacts: '$contacts' }).replace(/"(\$\w+)"/g, '$1');
  const query = `mutation ($name: String!, $contacts: [ContactReference!]) {
    ...Creation } fragment Creation on Mutation { createExpirationItem(input: ${mixed}) { id } }`;
  expect(told((await refused(query, { name, contacts })).violations)).toEqual(allWrong);
  // One that is left out, and one without a default.
  const missing = await refused(query, {});
  expect(told(missing.violations)).toContain('input.name required');
});

test('foreign ids are reported like unknown ones', async () => {
  const foreign = await createTenant(gateway.database, 'Globex');
  written = await countEvents();
  const email = 'x@example.com';
  const input = (id: string) => ({ email, typeId: id, locationId: id, assignedTo: { id }, teamId: id });
  const query = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }';
  const unknown = await refused(query, { input: input(newId()) });
  expect(unknown.violations).toHaveLength(4);
  expect((await refused(query, { input: input(foreign.teamId) })).violations).toEqual(unknown.violations);
});

test('an update, a bulk update, a replacement, a patch and contacts tell all as well', async () => {
  const category = { name: 'Any' };
  const { data } = await gateway.graphql(create, {
    input: { name: 'x', expirationDate: '2027-01-31', category },
  });
  const { id } = data.createExpirationItem;
  written = await countEvents();
  const input = { name: '', expirationDate: null, details: 7, contactId: newId() };
  const wanted = [
    'input.contactId reference',
    'input.details type',
    'input.expirationDate required',
    'input.name required',
  ];
  const update =
    'mutation ($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }';
  expect(told((await refused(update, { id, input })).violations)).toEqual(wanted);
  // As before: what is wrong with the input comes first.
  expect(told((await refused(update, { id: newId(), input })).violations)).toContain('input.details type');
  const bulk =
    'mutation ($ids: [ID!]!, $input: UpdateExpirationItemInput!) { updateExpirationItems(ids: $ids, input: $input) { id } }';
  expect(told((await refused(bulk, { ids: [id], input })).violations)).toEqual(wanted);
  expect(told((await refused(bulk, { ids: [], input })).violations)).toContain('input.details type');
  const replace =
    'mutation ($id: ID!, $input: ReplaceExpirationItemInput!) { replaceExpirationItem(id: $id, input: $input) { id } }';
  expect(told((await refused(replace, { id, input })).violations)).toEqual(wanted);
  const contacts =
    'mutation ($id: ID!, $input: SetExpirationItemContactsInput!) { setExpirationItemContacts(id: $id, input: $input) { id } }';
  const both = { contacts: [{ email: 'no' }, { id: newId() }, { email: 5 }] };
  expect(told((await refused(contacts, { id, input: both })).violations)).toEqual([
    'input.contacts.0.email format',
    'input.contacts.1.id reference',
    'input.contacts.2.email type',
  ]);
  const patch =
    'mutation ($id: ID!, $operations: [PatchOperationInput!]!) { patchExpirationItem(id: $id, operations: $operations) { id } }';
  const operations = Object.entries(input).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
  const patched = await refused(patch, { id, operations });
  expect(told(patched.violations)).toEqual([
    'operations.0 required',
    'operations.1 required',
    'operations.2 type',
    'operations.3 reference',
  ]);
  expect(patched.message).toMatch(/^operation \d: .* \(and 3 more\)$/);
});

test('so does a mutation with rules of its own', async () => {
  const { data } = await gateway.graphql(create, { input: { name: 'x', expirationDate: '2027-01-31' } });
  const { id } = data.createExpirationItem;
  written = await countEvents();
  const long = 'x'.repeat(70_000);
  const cases = [
    ['renewExpirationItem', 'RenewExpirationItemInput', { expirationDate: 'soon', details: long }],
    ['copyExpirationItem', 'CopyExpirationItemInput', { expirationDate: 'soon', name: ' ' }],
    ['attachToExpirationItem', 'AttachToExpirationItemInput', { name: 7, content: '%' }],
  ] as const;
  for (const [field, type, input] of cases) {
    const query = `mutation ($id: ID!, $input: ${type}!) { ${field}(id: $id, input: $input) { id } }`;
    const { violations } = await refused(query, { id, input });
    expect(violations, field).toHaveLength(2);
  }
  const token = { name: ' ', role: 'VIEWER', expiresAt: 'soon', signed: true, signingSecret: 'short' };
  const query = `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { token } }`;
  expect(told((await refused(query, { input: token })).violations)).toEqual([
    'input.expiresAt format',
    'input.name required',
    'input.role invalid',
  ]);
});

test('an invalid id chosen by the caller is one of the violations', async () => {
  const query = 'mutation ($input: CreateTeamInput!) { createTeam(input: $input) { id } }';
  const input = { id: 'mine', name: '', timezone: 'Mars/Olympus', reminderDays: -1 };
  expect(told((await refused(query, { input })).violations)).toEqual([
    'input.id format',
    'input.name required',
    'input.reminderDays range',
    'input.timezone format',
  ]);
});

test(`at most ${maxViolations} are told, and that there are more`, async () => {
  const fields = Array.from({ length: 80 }, () => ({ name: 'x'.repeat(300) }));
  const query =
    'mutation ($input: CreateTagInput!, $loc: CreateLocationInput!) { createTag(input: $input) { id } createLocation(input: $loc) { id } }';
  const location = 'mutation ($loc: CreateLocationInput!) { createLocation(input: $loc) { id } }';
  const long = await refused(location, { loc: { customFields: fields } });
  expect(long.violations).toHaveLength(maxViolations);
  expect(long.message).toMatch(/ \(and more than 49 others\)$/);
  const typed = await refused(location, { loc: { customFields: fields.map(() => 5) } });
  expect(typed.violations).toHaveLength(maxViolations);
  // Each input is told of by itself, and what is right beside a wrong one is not done.
  const { json } = await gateway.send('POST', '/graphql', {
    token: gateway.admin,
    body: { query, variables: { input: { name: 'fine' }, loc: { name: 5 } } },
  });
  expect(json.data).toBeUndefined();
  expect(json.errors).toMatchObject([{ extensions: { violations: [{ path: ['input', 'name'] }] } }]);
  expect(await countEvents()).toBe(written);
});

test('callers who may not write learn only which values are unreadable', async () => {
  const { violations } = await refused(create, { input: wrong() }, gateway.viewer);
  expect(told(violations).filter((one) => one.endsWith('reference'))).toEqual([]);
});

describe('REST', () => {
  const post = (body: object) => gateway.send('POST', '/v1/expirationitems', { token: gateway.admin, body });

  test('names the first and counts the others, in its own names', async () => {
    const { status, json } = await post({
      name: 'x',
      expiration_date: '2027-01-31',
      time_of_day: '25:00',
      category_name: 'x'.repeat(300),
      contacts: [{ email: 'no' }],
      is_active: 'yes',
      contact_id: newId(),
    });
    expect(status).toBe(400);
    expect(json).toEqual({
      message: expect.stringMatching(/^is_active: .* \(and 4 more\)$/),
      ok: false,
      code: 'BAD_REQUEST',
    });
    const named = await post({
      name: 'x',
      expiration_date: '2027-01-31',
      category_name: 'x'.repeat(300),
      time_of_day: '9',
    });
    expect(named.json.message).toMatch(/^category_name: must have at most 255 characters \(and 1 more\)$/);
  });
});
