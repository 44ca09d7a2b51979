import { getNamedType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entityKinds } from '../../src/domain/models.js';
import { rightFor } from './rows.js';
import { kindOf, linksOf, records, selectionOf, types } from './schema-walk.js';
import { type Beyond, type Ids, type Kind, makeRecords, makeWorld, type World } from './world.js';

/** Records of the caller's that point at foreign ones, and are pointed at by foreign ones. */
interface Crossed extends Beyond {
  readonly between: Ids;
  /** A token that sees both sides, if there is one. */
  readonly seesAll: string | undefined;
}

let world: World;
const crossed: Crossed[] = [];
beforeAll(async () => {
  world = await makeWorld();
  const { gateway, home } = world;
  for (const one of world.beyond) {
    const between = await makeRecords(gateway, home, one.ids);
    await makeRecords(gateway, one.place, between);
    const seesAll = one.what === 'another workspace' ? gateway.admin : undefined;
    crossed.push({ ...one, between, seesAll });
  }
});
afterAll(() => world.close());

/** What is a part of a record: it is selected whole, with the record it leads to. */
const parts: Readonly<Record<string, string>> = {
  NoteRelation: '{ record { __typename } }',
  RelatedEntity: '{ record { __typename } }',
};

/** What leads to records, and is no record: how it is asked for. */
const others: Readonly<Record<string, readonly [query: string, variable?: Kind]>> = {
  Me: ['{ me { teams { id name } } }'],
  Organization: ['{ organization { name signInPolicy { ways } } }'],
  AccessToken: ['query ($id: ID!) { accessToken(id: $id) { user { id name } } }', 'accessToken'],
  ExpirationSummary: ['{ expirationSummary { byCategory { count category { name } } byStatus { count } } }'],
  CategoryCount: ['{ expirationSummary { byCategory { category { id name } } } }'],
  ContactCount: ['{ expirationSummary { byContact { contact { id name } } } }'],
  LocationCount: ['{ expirationSummary { byLocation { location { id name } } } }'],
  TagCount: ['{ expirationSummary { byTag { tag { id name } } } }'],
  TeamCount: ['{ expirationSummary { byTeam { team { id name } } } }'],
  UserCount: ['{ expirationSummary { byAssignedTo { user { id name } } } }'],
  SearchResult: [
    '{ search(term: "zzelsewhere", first: 50) { nodes { field snippet record { __typename } } } }',
  ],
  EffectiveReminderPolicy: [
    'query ($id: ID!) { expirationItem(id: $id) { effectivePolicy { from policy { id name } } } }',
    'expirationItem',
  ],
  NextReminder: [
    'query ($id: ID!) { expirationItem(id: $id) { nextReminder { on step { id } recipients { address } } } }',
    'expirationItem',
  ],
  ReminderTarget: [
    'query ($id: ID!) { reminder(id: $id) { targets { address delivery { __typename } } } }',
    'reminder',
  ],
  UpcomingReminder: [
    '{ upcomingReminders(days: 90) { nodes { itemName recipients { address } expirationItem { id name } team { name } } } }',
  ],
  Import: ['{ imports { id state preview { created errors { message } } } }'],
  SavedView: [
    '{ me { savedViews(list: "items") { name user { id name } team { id name } filters { name } } } }',
  ],
  CalendarFeed: ['{ me { calendarFeeds { name user { id name } } } }'],
  ImportPreview: ['{ imports { preview { created columns { header } } } }'],
  ImportDateColumn: ['{ imports { preview { dates { header example { row } } } } }'],
  ImportDateExample: ['{ imports { preview { dates { example { row readings { date } } } } } }'],
  ImportUndo: ['{ imports { undo { deleted records { id name message } } } }'],
  ImportPreviewRow: ['{ imports { preview { rows: firstRows { row action cells { __typename } } } } }'],
  PersonalData: [
    'query ($id: ID!) { personalData(id: $id) { contactId userId mentions { __typename } } }',
    'contact',
  ],
  ImportWorkspacePreview: ['{ imports { preview { workspace { name lists { list } leftOut { list } } } } }'],
  ReminderHealth: ['{ reminderHealth { queued withoutRecipient mail { isSetUp } } }'],
  Compliance: [
    'query ($id: ID!) { compliance(holder: { kind: VEHICLE, id: $id }) { name holder { __typename } requirements { name item { id name } requirement { id name } } } }',
    'vehicle',
  ],
  ComplianceCheck: [
    'query ($id: ID!) { compliance(holder: { kind: VEHICLE, id: $id }) { requirements { name item { id name } requirement { id name } } } }',
    'vehicle',
  ],
  Repetition: ['query ($id: ID!) { repetition(id: $id) { renewUntil renewalsLeft } }', 'expirationItem'],
  ItemHolders: ['query ($id: ID!) { itemHolders(id: $id) { holders { recordId name } } }', 'expirationItem'],
  NoticePeriod: [
    'query ($id: ID!) { noticePeriod(id: $id) { noticeDate rule { unit count before } } }',
    'expirationItem',
  ],
  Acknowledgement: [
    'query ($id: ID!) { expirationItem(id: $id) { acknowledgement { note user { id name } } } }',
    'expirationItem',
  ],
};
/** What only a mutation answers. */
const answers = [
  ...['CalendarFeedPayload', 'CreateAccessTokenPayload', 'CreatedDocumentRequests'],
  ...['CreateWebhookEndpointPayload', 'InviteUserPayload'],
  ...['PasskeyOptions', 'RemoveSecondFactorPayload', 'ResendWebhookMessagesPayload'],
];
/** What leads to nobody's records: figures of the gateway, which admins are told, settings, and places on pages. */
const figures = [
  ...['ComplianceSummary', 'DatabaseHealth', 'GatewayHealth', 'Organization', 'RequirementPreview'],
  'UploadSuggestion',
];

/** Links that never cross a border: a record is in its workspace, and users are the organization's. */
const inside = (type: string, field: string, what: string) =>
  field === 'team' ||
  type === 'Team' ||
  // It is a member's of the caller's own, and narrowed like a filter.
  (type === 'Watch' && ['user', 'holders'].includes(field)) ||
  // A mail text is in the workspace of its document type (mail-texts.test.ts).
  type === 'MailText' ||
  (type === 'Category' && field === 'mailTexts') ||
  // A policy and what was decided by it are its workspace's: no other one can be named (reminder-policies.test.ts).
  [
    'reminderPolicy',
    'effectivePolicy',
    'acknowledgement',
    'noticeAcknowledgement',
    'reminders',
    'steps',
  ].includes(field) ||
  ['nextReminder', 'targets'].includes(field) ||
  // The gateway itself makes the mails of a request, and the item that keeps what was received, in its workspace.
  (type === 'DocumentRequest' && ['delivery', 'heldItem'].includes(field)) ||
  // The gateway itself makes what it sends to the endpoints of an organization.
  type.startsWith('Webhook') ||
  [
    'customFields',
    // It is about the record, in its workspace.
    'compliance',
    'relations',
    'relatedEntities',
    'filter',
    'autoRenew',
    'noticeRule',
    'rule',
    'suggestions',
  ].includes(field) ||
  (what === 'another workspace' &&
    ['assignedTo', 'author', 'deletedBy', 'endedBy', 'revokedBy', 'settledBy', 'user'].includes(field)) ||
  (type === 'User' && field !== '');

test('every type with links is walked', () => {
  const plumbing = /^(Query|Mutation|Subscription|__.*|.*Connection|.*Edge|PageInfo)$/;
  const linked = types.filter((type) => !plumbing.test(type.name) && linksOf(type).length > 0);
  const known = [
    ...records.map(({ name }) => name),
    ...Object.keys({ ...parts, ...others }),
    ...answers,
    ...figures,
  ];
  expect(linked.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

const walked = records.flatMap((type) =>
  linksOf(type).map((field) => [`${type.name}.${field.name}`, type, field] as const),
);

describe.each(walked)('%s', (_name, type, field) => {
  const part = parts[getNamedType(field.type).name];
  const query = `query ($id: ID!) { node(id: $id) { ... on ${type.name} { ${field.name} ${part ?? selectionOf(field.type)} } } }`;

  test('leads to nothing foreign', async () => {
    for (const { between, token, seesAll, what, place } of crossed) {
      const isForAdmins = rightFor(type.name) === 'administer';
      if (isForAdmins && what === 'another workspace') continue;
      const id = between[kindOf(type)];
      const ask = async (as: string) => {
        const { data, errors } = await world.gateway.graphql(query, { id }, as);
        expect(errors).toBeUndefined();
        return data.node[field.name];
      };
      const shown = await ask(token);
      expect(JSON.stringify(shown)).not.toContain(place.word);
      if (inside(type.name, field.name, what)) continue;
      expect(shown?.totalCount ?? shown ?? []).toEqual(shown?.totalCount === undefined ? [] : 0);
      if (seesAll) expect(JSON.stringify(await ask(seesAll))).toMatch(/zzelsewhere|"__typename":"\w+"/);
    }
  });
});

test.each(Object.entries(others))('%s leads to nothing foreign', async (_name, [query, kind]) => {
  for (const { between, token, what, place } of crossed) {
    // Only admins read tokens.
    if (kind && what === 'another workspace') continue;
    const { data, errors } = await world.gateway.graphql(query, kind && { id: between[kind] }, token);
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).not.toContain(place.word);
  }
});

test.each(Object.keys(parts))('%s.record is null for foreign records', async (name) => {
  const query = `query ($note: ID!, $event: ID!) {
    note(id: $note) { parts: relations { __typename record { __typename } } }
    event: eventLog(id: $event) { parts: relatedEntities { __typename record { __typename } } }
  }`;
  for (const { between, token, seesAll } of crossed) {
    const variables = { note: between.note, event: between.eventLog };
    const read = async (as: string) => {
      const { data } = await world.gateway.graphql(query, variables, as);
      const { parts } = name === 'NoteRelation' ? data.note : data.event;
      return parts.map(({ record }: { record: unknown }) => record !== null);
    };
    expect(await read(token)).toEqual(Array(entityKinds.size).fill(false));
    if (seesAll) expect(await read(seesAll)).toEqual(Array(entityKinds.size).fill(true));
  }
});
