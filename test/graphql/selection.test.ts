import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { getDatamodel } from '../../prisma/generated/pothos.js';
import { newId } from '../../src/domain/rules.js';
import { findOperation, type PlannedOperation } from '../../src/graphql/execution/execute.js';
import type { Plan } from '../../src/graphql/execution/plan.js';
import { selectionOfNodes } from '../../src/graphql/execution/selection.js';
import { schema } from '../../src/graphql/schema.js';
import { type Model, on } from '../db/scope.fixture.js';
import { executeWithoutPlan } from '../support/both-executors.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { makeNestedWorld } from './nested.world.js';
import { ask } from './support.js';

const gateway = useGateway();
beforeAll(async () => {
  await makeNestedWorld(gateway, 40);
  const { organizationId, teamId, userId } = gateway;
  const upload = { id: newId(), organizationId, teamId, userId, dedupeKey: 'one', size: 2n ** 60n };
  const { prisma } = gateway.database;
  await prisma.uploadNotification.create({ data: upload });
  const { id: itemId } = await prisma.expirationItem.findFirstOrThrow({ where: { teamId } });
  const renewal = { id: newId(), organizationId, teamId, itemId, userId };
  await prisma.renewal.create({ data: { ...renewal, expirationDate: new Date('2031-01-31') } });
  const file = { id: newId(), organizationId, teamId, itemId, contentLength: 1, position: 0 };
  const content = { create: { content: new Uint8Array([1]) } };
  await prisma.attachment.create({ data: { ...file, content } });
  const refused = { addressKey: 'a@example.com', scope: 'ALL', reason: 'REFUSED' } as const;
  await prisma.suppression.create({ data: { id: newId(), organizationId, ...refused } });
  const endpoint = { name: 'Hook', url: 'https://example.com/', teamIds: [], eventTypes: ['*'] };
  const { id: vehicleId } = await prisma.vehicle.findFirstOrThrow({ where: { teamId } });
  const asked = { id: newId(), organizationId, teamId, holderKind: 'vehicle' };
  await prisma.requirement.create({ data: { ...asked, name: 'Insured', askTo: 'ASSIGNEE' } });
  const excused = { ...asked, id: newId(), requirementId: asked.id, vehicleId, from: new Date('2026-11-20') };
  await prisma.exemption.create({ data: { ...excused, reason: 'In the workshop' } });
  const seen = { name: 'Door', uses: 3, lastUsedAt: new Date(), revokedAt: new Date() };
  const secret = { hash: Buffer.from('-'), sealedSecret: Buffer.from('-') };
  const link = { id: newId(), organizationId, teamId, holderKind: 'vehicle', vehicleId };
  await prisma.complianceLink.create({ data: { ...link, ...seen, ...secret } });
  const request = { id: newId(), organizationId, teamId, holderKind: 'vehicle', vehicleId };
  const [at, on] = [new Date('2026-11-20T09:30:00Z'), new Date('2026-12-24')];
  const said = {
    email: 'ann@example.com',
    language: 'en',
    message: 'Please',
    answer: 'Sold',
    declinedReason: 'Blurred',
  };
  const dates = {
    itemDate: on,
    dueOn: on,
    statedDate: on,
    sentAt: at,
    openedAt: at,
    receivedAt: at,
    settledAt: at,
  };
  await prisma.documentRequest.create({
    data: { ...request, ...said, ...dates, ending: 'MEMBER', itemId, everyDays: 7 },
  });
  const kept = { organizationId, teamId, kind: 'VEHICLE', holderId: vehicleId, vehicleId } as const;
  await prisma.holderCompliance.create({ data: { ...kept, gapIds: [asked.id] } });
  const channel = { kind: 'NTFY', name: 'Chat', host: 'ntfy.sh', sealedUrl: new Uint8Array([1]) } as const;
  await prisma.channel.create({ data: { id: newId(), organizationId, teamId, ...channel } });
  const endpointId = newId();
  await prisma.webhookEndpoint.create({ data: { id: endpointId, organizationId, ...endpoint } });
  const message = {
    organizationId,
    teamId,
    eventId: newId(),
    type: 'vehicle.updated',
    occurredAt: new Date(0),
  };
  const sent = { create: { id: newId(), organizationId, endpointId } };
  await prisma.webhookMessage.create({ data: { id: newId(), ...message, body: '{}', deliveries: sent } });
  const { createTag } = await ask(gateway, 'mutation { createTag(input: {name: "Gone"}) { id } }');
  await ask(gateway, 'mutation ($id: ID!) { deleteTag(id: $id) { id } }', createTag);
  await prisma.mailText.create({ data: { id: newId(), organizationId, teamId } });
  for (const [, { name }] of lists) await fillOne(name as Model);
});

type Field = GraphQLField<unknown, unknown>;

/** A value of each of Prisma's types that is no default. */
const filled: Readonly<Record<string, unknown>> = {
  BigInt: 7n,
  Boolean: true,
  DateTime: new Date('2099-03-08T00:00:00Z'),
  Float: 1.5,
  // A number that has a word wherever numbers have words.
  Int: 3,
  Role: 'ADMIN',
  Json: [{ id: newId(), name: 'name', internalName: 'internal', value: 'value' }],
  String: 'filled',
};

/** Values of columns that have a form. */
const ofFormat: Readonly<Record<string, unknown>> = {
  timezone: 'America/Toronto',
  timeOfDay: '07:30',
  words: [{ language: 'en', subject: 'Own', opening: null, closing: null }],
  autoRenew: { from: 'TODAY', unit: 'YEARS', every: 2, byPeople: true, requireAcknowledgement: false },
  noticeRule: { unit: 'WEEKS', count: 6, before: 'END_OF_QUARTER' },
  filter: { tagIds: [newId()] },
  holderKind: 'vehicle',
  applies: { year: { gte: 2020 } },
  uploadTagsText: '{"n":1.5}',
  suggestions: [
    {
      ...{
        field: 'name',
        value: 'Ada',
        confidence: 90,
        source: 'OCR',
        page: 1,
        words: 'Name: Ada',
        reason: 'So.',
      },
      box: { x: 0.1, y: 0.2, width: 0.3, height: 0.05 },
    },
  ],
  // Known reasons have a code.
  reason: 'deleted',
  errorCode: 'ITEM_NOT_FOUND',
  unreadCode: 'PROTECTED',
};

/** Fills every column of a row that members see, as far as it can hold any value. */
async function fillOne(model: Model): Promise<void> {
  const { organizationId, teamId } = gateway;
  const { fields = [] } = getDatamodel().datamodel.models[model] ?? {};
  const has = (field: string) => fields.some(({ name }) => name === field);
  const place = has('teamId') && model !== 'User' ? { teamId } : model === 'Team' ? { id: teamId } : {};
  const rows = on(gateway.database.prisma, model);
  const row = await rows.findFirst?.({ where: { organizationId, ...place } });
  const free = fields.filter(({ kind, name, type, isList }) => {
    return (
      !isList &&
      (kind === 'scalar' || (kind === 'enum' && model === 'User')) &&
      type in filled &&
      (type === 'Int' || !/^id$|Id$|^stepKey$|^revokedAt$/.test(name))
    );
  });
  const data = Object.fromEntries(free.map(({ name, type }) => [name, ofFormat[name] ?? filled[type]]));
  await rows.updateMany?.({ where: { id: row.id }, data });
}

const queries = schema.getQueryType() as GraphQLObjectType;
const isConnection = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && type.name.endsWith('Connection');

/** Every list at the root, with the type of its rows. */
const lists = Object.values(queries.getFields()).flatMap((field): [string, GraphQLObjectType][] => {
  const connection = getNamedType(field.type);
  const row = isConnection(connection) && getNamedType(connection.getFields().nodes?.type);
  // What is told of a record is no row of a table.
  return isObjectType(row) && row.getInterfaces().length > 0 ? [[field.name, row]] : [];
});

const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields());

/** Asks for a field, and of what it leads to for all texts and numbers, and the links of those. */
function asked(field: Field, levels = 2): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return field.name;
  if (isConnection(type)) {
    const row = isUnionType(getNamedType(type.getFields().nodes?.type)) ? '... on Node { id }' : 'id';
    return `${field.name}(first: 2) { totalCount nodes { ${row} } }`;
  }
  if (!isObjectType(type)) return `${field.name} { __typename ... on Node { id } }`;
  const below = fieldsOf(type).filter((inner) => isLeafType(getNamedType(inner.type)) || levels > 1);
  return `${field.name} { ${below.map((inner) => asked(inner, levels - 1)).join(' ')} }`;
}

const listOf = (list: string, nodes: string, what: string) =>
  `query { ${list}(first: 30, orderBy: {field: ID}) { ${nodes} { ${what} } pageInfo { endCursor } } }`;

/** Asks with a plan and so a selection, and without, when all is read. */
async function bothWays(token: string, list: string, what: string) {
  const query = listOf(list, 'nodes', what);
  const chosen = await ask(gateway, query, {}, token);
  const { data, errors } = await executeWithoutPlan(gateway, { document: parse(query), token });
  expect(errors).toBeUndefined();
  const whole = JSON.parse(JSON.stringify(data));
  return { chosen, whole };
}

describe.each(lists)('%s', (list, type) => {
  test('each field is the same, whether it is read by itself or with everything', async () => {
    const token =
      ['AccessToken', 'Suppression'].includes(type.name) || type.name.startsWith('Webhook')
        ? gateway.admin
        : gateway.member;
    for (const field of fieldsOf(type)) {
      const { chosen, whole } = await bothWays(token, list, asked(field));
      expect(whole[list].nodes.length, field.name).toBeGreaterThan(0);
      // Null is null, however it was read.
      const values = whole[list].nodes.map((node: Record<string, unknown>) => node[field.name]);
      // The secrets of these links cannot be read, so their addresses are null.
      const isUnreadable = list === 'complianceLinks' && field.name === 'url';
      const mayBeEmpty =
        isUnreadable || /Id$|^revokedAt$/.test(field.name) || !isLeafType(getNamedType(field.type));
      if (!mayBeEmpty)
        expect(
          values.some((value: unknown) => value !== null),
          field.name,
        ).toBe(true);
      expect(chosen, field.name).toEqual(whole);
    }
  });

  test('all fields at once are the same, for who sees all', async () => {
    const { chosen, whole } = await bothWays(
      gateway.admin,
      list,
      fieldsOf(type)
        .map((f) => asked(f))
        .join(' '),
    );
    expect(chosen).toEqual(whole);
  });

  test('each field says what it is made of', () => {
    for (const field of fieldsOf(type)) {
      const document = parse(listOf(list, 'nodes', asked(field)));
      const operation = findOperation({ schema, document }) as PlannedOperation;
      const [plan] = (operation.plan({}) as Plan).fields;
      const info = { fieldNodes: plan?.nodes } as unknown as GraphQLResolveInfo;
      const name = type.name as Parameters<typeof selectionOfNodes>[1];
      const selection = selectionOfNodes(info, name, ['id']);
      expect(selection?.fields.length, field.name).toBeLessThanOrEqual(6);
    }
  });
});

test('what would make a statement too large is loaded', async () => {
  const nested = (depth: number): string =>
    depth > 0 ? `team { name } parentLocation { id ${nested(depth - 1)} }` : 'name';
  const { prisma } = gateway.database;
  const { organizationId, teamId } = gateway;
  let parentLocationId: string | null = null;
  for (let depth = 0; depth < 15; depth++) {
    const location: { id: string } = await prisma.location.create({
      data: { id: newId(), organizationId, teamId, parentLocationId, name: `Depth ${depth}` },
    });
    parentLocationId = location.id;
  }
  const query = `{ location(id: "${parentLocationId}") { id ${nested(15)} } }`;
  let found: unknown;
  const [first, ...others] = await namesOf(gateway, async () => {
    found = await ask(gateway, query);
  });
  expect(first?.split(' + ')).toHaveLength(21);
  expect(others.length).toBeGreaterThan(0);
  expect(JSON.stringify(found).match(/"team":\{"name":/g)).toHaveLength(15);
});
