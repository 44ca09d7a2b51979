import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { useGateway } from '../support/gateway.js';

/** What is deprecated is the only exception from the conventions (docs/use/graphql.md). */
const isCurrent = ({ deprecationReason }: { readonly deprecationReason?: string | null | undefined }) =>
  deprecationReason == null;

const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
/** A field of a type or a member of an input that is not deprecated. */
type Part = GraphQLField<unknown, unknown> | GraphQLInputField;
interface Member {
  readonly type: GraphQLNamedType;
  readonly field: Part | GraphQLArgument;
}

const partsOf = (type: GraphQLNamedType): Part[] =>
  isObjectType(type) || isInputObjectType(type)
    ? Object.values<Part>(type.getFields()).filter(isCurrent)
    : [];
const currentFields = (type: GraphQLObjectType) => Object.values(type.getFields()).filter(isCurrent);
const shown = types
  .filter(isObjectType)
  .flatMap((type) => currentFields(type).map((field) => ({ type, field })));
const members: Member[] = types.flatMap((type) => partsOf(type).map((field) => ({ type, field })));
const mutations = currentFields(schema.getMutationType() as GraphQLObjectType);
/** Names what breaks a convention. */
const wrong = (found: readonly Member[]) => found.map(({ type, field }) => `${type.name}.${field.name}`);

test('there is enough to look at', () => {
  expect(mutations.length).toBeGreaterThan(150);
  expect(members.length).toBeGreaterThan(1500);
});

test('names of fields and arguments begin with a small letter and have no underscore', () => {
  const args = shown.flatMap(({ type, field }) => field.args.map((arg) => ({ type, field: arg })));
  const named = [...members, ...args];
  expect(wrong(named.filter(({ field }) => !/^[a-z][a-zA-Z0-9]*$/.test(field.name)))).toEqual([]);
});

test('names of types begin with a capital, and words of enums have capitals only', () => {
  const odd = types.filter((type) => !isSpecifiedScalarType(type) && !/^[A-Z][a-zA-Z0-9]*$/.test(type.name));
  // The two names that Apollo Federation prescribes.
  expect(odd.map(({ name }) => name).filter((name) => !name.startsWith('_'))).toEqual([]);
  const words = types.filter(isEnumType).flatMap((type) => type.getValues().filter(isCurrent));
  expect(words.map(({ name }) => name).filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
});

describe('a mutation', () => {
  const verbs =
    /^(accept|acknowledge|add|apply|attach|begin|cancel|change|close|confirm|copy|create|deactivate|decline|delete|enable|end|erase|go|invite|patch|purge|receive|remove|renew|replace|replay|resend|restore|retry|revoke|rotate|run|send|set|start|test|undo|update)[A-Z]/;

  test('begins with a verb', () => {
    expect(mutations.map(({ name }) => name).filter((name) => !verbs.test(name))).toEqual([]);
  });

  test('takes the ids and versions of what it changes, and all else in one input', () => {
    // `about` names one of the two dates of an item, and `holderId` one of its holders.
    const allowed = ['id', 'ids', 'about', 'holderId', 'ifVersion', 'ifVersions', 'input', 'operations'];
    const loose = mutations.flatMap(({ name, args }) =>
      args
        .filter((arg) => isCurrent(arg) && !allowed.includes(arg.name))
        .map((arg) => `${name}(${arg.name}:)`),
    );
    expect(loose).toEqual([]);
    for (const { name, args } of mutations) {
      const input = args.find((arg) => arg.name === 'input');
      if (input) expect(getNamedType(input.type).name, name).toMatch(/Input$/);
    }
  });

  test('returns a record, records or a payload, and is nullable', () => {
    const odd = mutations.filter(
      ({ type }) => isNonNullType(type) || isLeafType(getNamedType(type)) || isListOfNull(type),
    );
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  const isListOfNull = (type: GraphQLField<unknown, unknown>['type']) =>
    isListType(type) && !isNonNullType(type.ofType);
});

test('an id is a non-null ID, and so is that of a record beside it', () => {
  const own = shown.filter(({ field }) => field.name === 'id');
  expect(wrong(own.filter(({ field }) => String(field.type) !== 'ID!'))).toEqual([]);
  const linked = shown.filter(({ type, field }) => {
    const beside = type.getFields()[field.name.replace(/Id$/, '')];
    return /Id$/.test(field.name) && beside && isObjectType(getNamedType(beside.type));
  });
  expect(linked.length).toBeGreaterThan(10);
  expect(wrong(linked.filter(({ field }) => getNamedType(field.type).name !== 'ID'))).toEqual([]);
});

test('what is about a record of any kind has its id as `recordId`, and an `id` only for itself', () => {
  const about = types.filter(
    (type): type is GraphQLObjectType =>
      isObjectType(type) && /RecordKind!?$/.test(String(type.getFields().kind?.type)),
  );
  expect(about.length).toBeGreaterThan(2);
  const odd = about.filter((type) => {
    const named = currentFields(type).map(({ name }) => name);
    return named.includes('id') && !named.includes('recordId');
  });
  expect(odd.map(({ name }) => name)).toEqual([]);
});

test('a time is a DateTime, and its name says so', () => {
  const isTime = ({ field }: Member) => getNamedType(field.type).name === 'DateTime';
  // `created` and `modified` are the contract's names.
  const name = /^(created|modified|at|since|until)$|(At|Since|Until)$/;
  expect(wrong(shown.filter((one) => isTime(one) && !name.test(one.field.name)))).toEqual([]);
  const named = shown.filter(({ field }) => /(^at|[a-z]At|[a-z]Since)$/.test(field.name));
  expect(wrong(named.filter((one) => !isTime(one)))).toEqual([]);
});

test('a list has no null in it, and a list of a record is not null', () => {
  const lists = shown.filter(({ field }) => isListType(getNullableType(field.type)));
  const withNull = lists.filter(({ field }) => {
    const list = getNullableType(field.type);
    return isListType(list) && !isNonNullType(list.ofType) && !/^(nodes|_entities)$/.test(field.name);
  });
  expect(wrong(withNull)).toEqual([]);
  const inRecords = lists.filter(({ type }) => type.getFields().id !== undefined);
  expect(wrong(inRecords.filter(({ field }) => !isNonNullType(field.type)))).toEqual([]);
});

test('JSON is only where the caller decides what is in it', () => {
  const any = members.filter(({ field }) => getNamedType(field.type).name === 'JSON');
  const free = /^(applies|value|uploadTags|clientExtensionResults)$/;
  expect(wrong(any.filter(({ field }) => !free.test(field.name)))).toEqual([]);
});

test('descriptions say workspace and document type', () => {
  const described = members.map(({ type, field }) => [`${type.name}.${field.name}`, field.description ?? '']);
  const plain = described.map(([path, text = '']) => [path, text.replace(/`[^`]*`/g, '')]);
  const odd = plain.filter(([, text]) => /\b(teams?|categor(y|ies))\b/i.test(text ?? ''));
  expect(odd.map(([path]) => path)).toEqual([]);
});

test('what is deprecated names what replaces it, and when it goes', () => {
  const old = types.flatMap((type): { readonly deprecationReason?: string | null | undefined }[] => {
    if (isEnumType(type)) return type.getValues().filter((value) => !isCurrent(value));
    if (isInputObjectType(type))
      return Object.values(type.getFields()).filter((member) => !isCurrent(member));
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) =>
      [field, ...field.args].filter((part) => !isCurrent(part)),
    );
  });
  expect(old.length).toBeGreaterThan(50);
  const reasons = old.map(({ deprecationReason }) => deprecationReason ?? '');
  expect(reasons.filter((reason) => !/`.+`.* It goes in version 1\.0\.$/.test(reason))).toEqual([]);
});

describe('former spellings', () => {
  const gateway = useGateway();
  const run = (query: string, variables = {}) => gateway.graphql(query, variables);

  test('loose arguments do what the input does', async () => {
    const loose = await run('mutation { updateOrganization(name: "Loose") { name } }');
    expect(loose).toEqual({ data: { updateOrganization: { name: 'Loose' } } });
    const present = await run('mutation { updateOrganization(input: { name: "Present" }) { name } }');
    expect(present).toEqual({ data: { updateOrganization: { name: 'Present' } } });
    const cleared = await run(
      'mutation { updateMe(language: "de") { language } next: updateMe(language: null) { language } }',
    );
    expect(cleared).toEqual({ data: { updateMe: { language: 'de' }, next: { language: null } } });
    const none = await run('mutation { updateMe { email } }');
    expect(none.data.updateMe.email).toMatch(/@/);
  });

  test.each([
    ['inviteUser { link }', ['input.email', 'input.role']],
    ['inviteUser(input: null) { link }', ['input.email', 'input.role']],
    ['inviteUser(email: "a@example.com") { link }', ['input.role']],
    ['inviteUser(input: { email: "a@example.com" }) { link }', ['input.role']],
    ['renewExpirationItems(ids: []) { id }', ['input.expirationDate']],
    ['addAttachment(input: { content: "" }) { id }', ['input.itemId']],
    ['updateMe(name: "A", input: { name: "B" }) { id }', ['name']],
  ])('what is missing or sent twice is refused: %s', async (field, paths) => {
    const { errors } = await run(`mutation { ${field} }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    const { violations } = errors[0].extensions;
    expect(violations.map(({ path }: { path: string[] }) => path.join('.'))).toEqual(paths);
  });

  test('former mutations return what they did', async () => {
    const { data } = await run(
      'mutation { createCalendarFeed(input: { name: "A" }) { feed { id } } second: createCalendarFeed(input: { name: "B" }) { feed { id } } }',
    );
    const [first, second] = [data.createCalendarFeed.feed.id, data.second.feed.id];
    expect(await run('mutation($id: ID!) { deleteCalendarFeed(id: $id) }', { id: first })).toEqual({
      data: { deleteCalendarFeed: true },
    });
    expect(
      await run('mutation($id: ID!) { removeCalendarFeed(id: $id) { id name } }', { id: second }),
    ).toEqual({
      data: { removeCalendarFeed: { id: second, name: 'B' } },
    });
    const again = await run('mutation($id: ID!) { deleteCalendarFeed(id: $id) }', { id: first });
    expect(again).toMatchObject({
      data: { deleteCalendarFeed: null },
      errors: [{ path: ['deleteCalendarFeed'], extensions: { code: 'NOT_FOUND' } }],
    });
    expect(await run('mutation { endOtherSessions }')).toEqual({ data: { endOtherSessions: 0 } });
  });

  test('fields answer under both names', async () => {
    const { data } = await run(
      '{ reminderHealth { nextRun nextRunAt } gatewayHealth { uploads { oldest oldestAt } } }',
    );
    expect(data.reminderHealth.nextRun).toBe(data.reminderHealth.nextRunAt);
    expect(data.gatewayHealth.uploads.oldest).toBe(data.gatewayHealth.uploads.oldestAt);
  });

  test('an address is whole, and leads to the file', async () => {
    const item = 'createExpirationItem(input: { name: "Paper", expirationDate: "2031-01-31" }) { id }';
    const { data } = await run(`mutation { ${item} }`);
    const input = { itemId: data.createExpirationItem.id, name: 'a.txt', content: btoa('bytes') };
    const added = await run(
      'mutation($input: AddAttachmentInput!) { addAttachment(input: $input) { id contentUrl downloadUrl signed: contentUrl(expiresIn: 60) } }',
      { input },
    );
    const { id, contentUrl, downloadUrl, signed } = added.data.addAttachment;
    expect(contentUrl).toBe(`${gateway.url}/attachments/${id}`);
    expect(contentUrl).toBe(gateway.url + downloadUrl);
    expect(await (await fetch(signed)).text()).toBe('bytes');
  });
});
