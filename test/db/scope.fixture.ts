import { $Enums, Prisma, type PrismaClient } from '../../prisma/generated/client/client.js';
import { getDatamodel } from '../../prisma/generated/pothos.js';
import { hashToken } from '../../src/access/tokens.js';
import type { PrismaTransaction } from '../../src/db/connection/pool.js';
import { modelName, recordKinds } from '../../src/db/sql/models.js';
import type { ModelName } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';

export type Model = ModelName;
type Values = Record<string, unknown>;

/** Where a row belongs. */
export interface Place {
  readonly organizationId: string;
  readonly teamId: string;
}

const kinds = [
  ...recordKinds,
  ...(['token', 'item', 'event', 'upload', 'other', 'step', 'written'] as const),
];

/** Ids of one row of each model that has one of its own. */
export type Ids = Readonly<Record<(typeof kinds)[number], string>>;

export function makeIds(): Ids {
  return Object.fromEntries(kinds.map((kind) => [kind, newId()])) as Ids;
}

/** What is known of a model here. */
interface Example {
  /** Whether its rows are seen in the whole organization, or in one workspace. */
  readonly reach: 'organization' | 'workspace';
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** Creates a row: `own` are the ids of its own, `to` those of what it points at. */
  readonly row: (place: Place, own: Ids, to: Ids) => Values;
  /** A change that any such row takes. */
  readonly change: Values;
}

const id = ['id'];
const renamed = { name: 'changed' };
const moved = { position: 99 };
const bytes = new Uint8Array([1]);
/** Returns a name that is unique wherever names are. */
const named = (id: string) => ({ id, name: `Name ${id}` });

/** Returns the example of a model whose rows have an id, a place and a name, and need nothing else. */
const record = (kind: keyof Ids): Example => {
  return {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, own) => ({ ...place, ...named(own[kind]) }),
  };
};

const byHand: Partial<Record<Model, Example>> = {
  Organization: { reach: 'organization', key: id, change: renamed, row: (_, { other }) => named(other) },
  Team: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: ({ organizationId }, { other }) => ({ ...named(other), organizationId }),
  },
  User: {
    reach: 'organization',
    key: id,
    change: renamed,
    row: (place, { user }) => ({ ...place, ...named(user), email: `${user}@example.com` }),
  },
  Membership: {
    reach: 'workspace',
    key: ['userId', 'teamId'],
    change: { created: new Date(0) },
    row: ({ teamId }, { user }) => ({ userId: user, teamId }),
  },
  AccessToken: {
    reach: 'organization',
    key: id,
    change: renamed,
    row: ({ organizationId }, { token }, { user }) => {
      return { ...named(token), organizationId, userId: user, role: 'VIEWER', hash: hashToken(token) };
    },
  },
  Invitation: {
    reach: 'organization',
    key: ['userId'],
    change: { usedAt: new Date(0) },
    row: ({ organizationId }, { user }) => {
      return { organizationId, userId: user, hash: hashToken(user), expiresAt: new Date(0) };
    },
  },
  SignInSession: {
    reach: 'organization',
    key: id,
    change: { agent: 'changed' },
    row: ({ organizationId }, { other }, { user }) => {
      const hashes = { hash: hashToken(other), deviceHash: bytes };
      const about = { method: 'PASSWORD', address: '192.0.2.1', agent: '' };
      const times = { confirmedAt: new Date(0), lastUsedAt: new Date(0), expiresAt: new Date(0) };
      return { id: other, organizationId, userId: user, ...hashes, ...about, ...times };
    },
  },
  WebhookEndpoint: {
    reach: 'organization',
    key: id,
    change: renamed,
    row: ({ organizationId }, { webhookEndpoint: own }) => ({
      ...named(own),
      organizationId,
      url: '',
      eventTypes: ['*'],
      teamIds: [],
    }),
  },
  WebhookSecret: {
    reach: 'organization',
    key: id,
    change: { expiresAt: new Date(0) },
    row: ({ organizationId }, { other }, { webhookEndpoint: endpointId }) => {
      return { id: other, organizationId, endpointId, sealed: bytes };
    },
  },
  Channel: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, { channel: own }) => {
      return { ...place, ...named(own), kind: 'NTFY', host: 'ntfy.sh', sealedUrl: bytes };
    },
  },
  WebhookOutbox: {
    reach: 'organization',
    key: ['eventId'],
    change: { dueAt: new Date(1) },
    row: (place, { other }) => ({ ...place, eventId: other, dueAt: new Date(0) }),
  },
  WebhookMessage: {
    reach: 'workspace',
    key: id,
    change: { type: 'changed' },
    row: (place, { webhookMessage: own, event: eventId }) => {
      return { ...place, id: own, eventId, type: 'vehicle.updated', body: '{}', occurredAt: new Date(0) };
    },
  },
  WebhookDelivery: {
    reach: 'organization',
    key: id,
    change: { lastError: 'changed' },
    row: ({ organizationId }, { webhookDelivery: own }, { webhookMessage, webhookEndpoint }) => {
      return { id: own, organizationId, messageId: webhookMessage, endpointId: webhookEndpoint };
    },
  },
  WebhookAttempt: {
    reach: 'organization',
    key: ['deliveryId', 'number'],
    change: { ms: 2 },
    row: (_place, { other }, { webhookDelivery: deliveryId }) => {
      const number = Number.parseInt(other.slice(-6), 16);
      return { deliveryId, number, at: new Date(0), ms: 1, responseStart: '' };
    },
  },
  Password: {
    reach: 'organization',
    key: ['userId'],
    change: { phc: 'changed' },
    row: ({ organizationId }, { user }) => {
      return { organizationId, userId: user, phc: '', changedAt: new Date(0) };
    },
  },
  Passkey: {
    reach: 'organization',
    key: id,
    change: renamed,
    row: ({ organizationId }, { other }, { user }) => {
      const key = { credentialId: hashToken(other), publicKey: bytes };
      return { ...named(other), organizationId, userId: user, ...key, transports: [] };
    },
  },
  SavedView: {
    reach: 'organization',
    key: id,
    change: renamed,
    row: ({ organizationId }, { other }, { user }) => {
      return { ...named(other), organizationId, userId: user, list: other, columns: [] };
    },
  },
  CalendarFeed: {
    reach: 'organization',
    key: id,
    change: renamed,
    row: ({ organizationId }, { other }, { user }) => {
      const feed = { role: 'VIEWER', hash: hashToken(other), alarms: [] };
      return { ...named(other), organizationId, userId: user, ...feed };
    },
  },
  Import: {
    reach: 'organization',
    key: id,
    change: { error: 'changed' },
    row: ({ organizationId }, { other }, { user }) => {
      const file = { kind: 'ITEMS', role: 'VIEWER', hash: bytes, content: bytes, options: {} };
      return { id: other, organizationId, userId: user, ...file };
    },
  },
  ImportBatch: {
    reach: 'organization',
    key: ['importId', 'number'],
    change: { results: [1] },
    row: (_place, { other }) => ({ importId: other, number: 1, results: [] }),
  },
  TeamExport: {
    reach: 'workspace',
    key: id,
    change: { error: 'changed' },
    row: (place, { other }, { user }) => ({
      ...place,
      ...{ id: other, userId: user, role: 'VIEWER', expiresAt: new Date(0) },
    }),
  },
  ResumableUpload: {
    reach: 'workspace',
    key: id,
    change: { uploadMetadata: 'changed' },
    row: (place, { other }, { user }) => ({
      ...place,
      ...{ id: other, userId: user, contentLength: 1n, expiresAt: new Date(0) },
    }),
  },
  TotpSecret: {
    reach: 'organization',
    key: ['userId'],
    change: { lastStep: 1n },
    row: ({ organizationId }, { user }) => ({ organizationId, userId: user, sealed: bytes }),
  },
  RecoveryCode: {
    reach: 'organization',
    key: ['userId', 'hash'],
    change: { usedAt: new Date(0) },
    row: ({ organizationId }, { user }) => ({ organizationId, userId: user, hash: bytes }),
  },
  SignInLink: {
    reach: 'organization',
    key: ['hash'],
    change: { usedAt: new Date(0) },
    row: ({ organizationId }, { other }, { user }) => {
      const link = { hash: hashToken(other), purpose: 'RESET' };
      return { organizationId, userId: user, ...link, expiresAt: new Date(0) };
    },
  },
  IdempotencyKey: {
    reach: 'organization',
    key: ['callerId', 'key'],
    change: { sealed: new Uint8Array([2]) },
    row: ({ organizationId }, { token }) => {
      return { organizationId, callerId: token, key: 'key', sealed: bytes };
    },
  },
  Contact: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, { contact }) => ({ ...place, ...named(contact), email: `${contact}@example.com` }),
  },
  NoteRelation: {
    reach: 'workspace',
    key: ['noteId', 'entityType', 'entityId'],
    change: moved,
    row: (_, { note, other }) => ({ noteId: note, entityType: 3, entityId: other, position: 0 }),
  },
  ExpirationItem: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, { item }, { category }) => ({ ...place, ...named(item), categoryId: category }),
  },
  ExpirationItemContact: {
    reach: 'workspace',
    key: ['itemId', 'contactId'],
    change: moved,
    row: (_, { contact }, { item }) => ({ itemId: item, contactId: contact, position: 0 }),
  },
  ExpirationItemLocation: {
    reach: 'workspace',
    key: ['itemId', 'locationId'],
    change: moved,
    row: (_, { location }, { item }) => ({ itemId: item, locationId: location, position: 0 }),
  },
  ExpirationItemTag: {
    reach: 'workspace',
    key: ['itemId', 'tagId'],
    change: moved,
    row: (_, { tag }, { item }) => ({ itemId: item, tagId: tag, position: 0 }),
  },
  ItemHolder: {
    reach: 'workspace',
    key: ['itemId', 'kind', 'holderId'],
    change: moved,
    row: (_, { contact }, { item }) => {
      return { itemId: item, kind: 'CONTACT', holderId: contact, contactId: contact, position: 0 };
    },
  },
  Renewal: {
    reach: 'workspace',
    key: id,
    change: { details: 'changed' },
    row: (place, { renewal }, { item }) => {
      return { ...place, id: renewal, itemId: item, expirationDate: new Date('2027-01-01') };
    },
  },
  Attachment: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, { attachment }, { item }) => {
      return { ...place, ...named(attachment), itemId: item, contentLength: 1n, position: 0 };
    },
  },
  AttachmentContent: {
    reach: 'workspace',
    key: ['attachmentId'],
    change: { content: new Uint8Array([2]) },
    row: (_, { attachment }) => ({ id: attachment, attachmentId: attachment, content: bytes }),
  },
  BinEntry: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, { binEntry, other }) => {
      const times = { deletedAt: new Date(0), expiresAt: new Date(1) };
      return { ...place, ...named(binEntry), typeId: 3, recordId: other, ...times };
    },
  },
  BinRow: {
    reach: 'workspace',
    key: ['entryId', 'position'],
    change: { tableName: 'changed' },
    row: (_, { binEntry }) => ({ entryId: binEntry, position: 1, tableName: 'vehicles', row: {} }),
  },
  EventLog: {
    reach: 'workspace',
    key: id,
    change: { description: 'changed' },
    row: (place, { event }) => ({ ...place, id: event, typeId: 1, description: 'made' }),
  },
  EventLogEntity: {
    reach: 'workspace',
    key: ['eventId', 'typeId', 'entityId'],
    change: moved,
    row: (_, { event, other }) => ({ eventId: event, typeId: 3, entityId: other, position: 0 }),
  },
  UploadNotification: {
    reach: 'workspace',
    key: id,
    change: { action: 'changed' },
    row: (place, { upload }) => ({ ...place, id: upload, dedupeKey: upload }),
  },
};

/** Returns a number that is another one for each id. */
const numberOf = (id: string) => Number.parseInt(id.slice(-7), 16);

/** The examples of what reminders are decided by and written down in. */
const ofReminders: Partial<Record<Model, Example>> = {
  ReminderStep: {
    reach: 'workspace',
    key: id,
    change: moved,
    row: (_, { step }, { reminderPolicy }) => ({
      id: step,
      policyId: reminderPolicy,
      position: 0,
      offsetDays: numberOf(step),
    }),
  },
  ReminderMark: {
    reach: 'workspace',
    key: id,
    change: { nextAt: new Date(1) },
    row: (place, { written }) => ({
      ...place,
      id: written,
      through: new Date(0),
      nextAt: new Date(0),
      dayNextAt: new Date(0),
    }),
  },
  ReminderCheck: {
    reach: 'workspace',
    key: id,
    change: { quiet: true },
    row: (place, { written }, { item }) => ({ ...place, id: written, itemId: item }),
  },
  ReminderJob: {
    reach: 'workspace',
    key: id,
    change: { kind: 'CHECK' },
    row: (place, { written }) => ({ ...place, id: written, kind: 'RECOUNT' }),
  },
  Reminder: {
    reach: 'workspace',
    key: id,
    change: { itemName: 'changed' },
    row: (place, { reminder }, { item }) => ({
      ...place,
      ...{ id: reminder, itemId: item, itemName: 'Licence', stepKey: reminder, occurrence: 0 },
      ...{ expirationDate: new Date('2027-01-01'), slot: new Date(0), state: 'TOLD', decidedAt: new Date(0) },
    }),
  },
  Delivery: {
    reach: 'workspace',
    key: id,
    change: { lastError: 'changed' },
    row: (place, { delivery }) => ({
      ...place,
      ...{
        id: delivery,
        kind: 'MAIL',
        dedupeKey: delivery,
        subjectKind: 'reminder',
        address: 'a@example.com',
      },
    }),
  },
  ReminderTarget: {
    reach: 'workspace',
    key: ['reminderId', 'recipientKey'],
    change: { reason: 'changed' },
    row: (_, { reminder }) => ({
      ...{ reminderId: reminder, recipientKey: 'mail:a@example.com', address: 'a@example.com' },
    }),
  },
  Acknowledgement: {
    reach: 'workspace',
    key: id,
    change: { note: 'changed' },
    row: (place, { written }, { item }) => ({
      ...place,
      ...{ id: written, itemId: item, via: 'API' },
      expirationDate: new Date(86_400_000 * (numberOf(written) % 100_000)),
    }),
  },
  Postponement: {
    reach: 'workspace',
    key: id,
    change: { recipientKey: 'mail:changed@example.com' },
    row: (place, { written }, { item }) => ({
      ...place,
      ...{ id: written, itemId: item, recipientKey: `mail:${written}`, until: new Date('2027-01-02') },
      expirationDate: new Date('2027-01-31'),
    }),
  },
  Requirement: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, { requirement }) => ({ ...place, ...named(requirement), holderKind: 'vehicle' }),
  },
  Exemption: {
    reach: 'workspace',
    key: id,
    change: { reason: 'changed' },
    row: (place, { exemption }, { requirement, vehicle }) => ({
      ...place,
      ...{ id: exemption, requirementId: requirement, holderKind: 'vehicle', vehicleId: vehicle },
      ...{ from: new Date('2026-11-20'), reason: 'In the workshop' },
    }),
  },
  DocumentRequest: {
    reach: 'workspace',
    key: id,
    change: { message: 'changed' },
    row: (place, { documentRequest }, { vehicle }) => ({
      ...place,
      ...{ id: documentRequest, holderKind: 'vehicle', vehicleId: vehicle },
    }),
  },
  DocumentRequestLink: {
    reach: 'workspace',
    key: id,
    change: { mails: 1 },
    row: (place, { written }) => ({ ...place, ...{ id: written, recipientKey: `mail:${written}` } }),
  },
  ComplianceLink: {
    reach: 'workspace',
    key: id,
    change: renamed,
    row: (place, { complianceLink }, { vehicle }) => ({
      ...place,
      ...named(complianceLink),
      ...{ holderKind: 'vehicle', vehicleId: vehicle, hash: hashToken(complianceLink), sealedSecret: bytes },
    }),
  },
  HolderCompliance: {
    reach: 'workspace',
    key: id,
    change: { state: 'DUE' },
    row: (place, { holderCompliance }, { vehicle }) => ({
      ...{ ...place, id: holderCompliance, kind: 'VEHICLE', holderId: holderCompliance, vehicleId: vehicle },
      // NULL in rows of an older version, which Prisma reads as an empty list.
      appliedIds: [],
    }),
  },
  ComplianceTurn: {
    reach: 'workspace',
    key: id,
    change: { kind: 'CONTACT' },
    row: (place, { written }) => ({ ...place, id: written, kind: 'VEHICLE' }),
  },
  AskedPaper: {
    reach: 'workspace',
    key: id,
    change: { dedupeKey: 'changed' },
    row: (place, { written }, { requirement, holderCompliance }) => ({
      ...{
        ...place,
        id: written,
        requirementId: requirement,
        complianceId: holderCompliance,
        dedupeKey: written,
      },
    }),
  },
  ComplianceNotice: {
    reach: 'workspace',
    key: id,
    change: { days: 7 },
    row: (place, { written }, { watch, holderCompliance }) => ({
      ...{ ...place, id: written, watchId: watch, complianceId: holderCompliance, days: 0 },
    }),
  },
  Watch: {
    reach: 'workspace',
    key: id,
    change: { isActive: false },
    row: (place, { watch }) => ({ ...place, id: watch }),
  },
  // There is one for each document type, and one for the organization.
  MailText: {
    reach: 'workspace',
    key: ['categoryId'],
    change: { senderName: 'changed' },
    row: (place, own, { category }) => ({
      ...{ ...place, id: own.mailText },
      ...(own.category === category
        ? { scope: 'CATEGORY', categoryId: category }
        : { scope: 'ORGANIZATION', categoryId: null }),
    }),
  },
  RecipientSetting: {
    reach: 'organization',
    key: ['organizationId', 'recipientKey'],
    change: { weekday: 2 },
    row: ({ organizationId }, { written }) => ({ organizationId, recipientKey: `mail:${written}` }),
  },
  Suppression: {
    reach: 'organization',
    key: id,
    change: { reason: 'ADMIN' },
    row: ({ organizationId }, { suppression }) => ({
      ...{ organizationId, id: suppression, addressKey: 'a@example.com', scope: 'ALL', reason: 'REFUSED' },
    }),
  },
};

/** An example of each model, in an order in which rows can be made. A kind of records with a name needs no line. */
export const examples = {
  ...Object.fromEntries(
    recordKinds.filter((kind) => !(modelName(kind) in byHand)).map((kind) => [modelName(kind), record(kind)]),
  ),
  ...byHand,
  ...ofReminders,
} as Record<Model, Example>;

export const models = Object.keys(examples) as Model[];

/** Rows that stand for a relation or a part have no id of their own; a second one needs other parents. */
export const isPart = (model: Model): boolean => examples[model].key[0] !== 'id';

const [nowhere, nobody] = [{ organizationId: '', teamId: '' }, makeIds()];

/**
 * Returns whether a model's rows say themselves where they belong; others belong where what they are a part
 * of does.
 */
export function hasPlace(model: Model): boolean {
  const row = examples[model].row(nowhere, nobody, nobody);
  return model === 'Organization' || 'organizationId' in row || 'teamId' in row;
}

// biome-ignore lint/suspicious/noExplicitAny: each model's operations have types of their own.
type Operations = Record<string, (args: object) => Promise<any>>;

/** Returns a model's operations on a client. */
export function on(client: PrismaClient | PrismaTransaction, model: Model): Operations {
  const name = model[0]?.toLowerCase() + model.slice(1);
  return client[name as keyof typeof client] as unknown as Operations;
}

/** Returns the columns that identify a row, as a condition. */
export function keyOf(model: Model, row: Values): Values {
  return Object.fromEntries(examples[model].key.map((column) => [column, row[column]]));
}

/** Creates a row of every model at a place; a second set of ids makes all but the parts, to hang parts on. */
export async function makeRows(
  prisma: PrismaClient,
  place: Place,
): Promise<{ rows: Record<Model, Values>; ids: Ids; spare: Ids }> {
  const [ids, spare] = [makeIds(), makeIds()];
  const rows = {} as Record<Model, Values>;
  for (const model of models) {
    // The place is there already.
    if (model === 'Organization') rows[model] = { id: place.organizationId };
    else if (model === 'Team') rows[model] = { id: place.teamId, organizationId: place.organizationId };
    else {
      rows[model] = examples[model].row(place, ids, ids);
      await on(prisma, model).create?.({ data: rows[model] });
      if (!isPart(model)) await on(prisma, model).create?.({ data: examples[model].row(place, spare, ids) });
    }
  }
  return { rows, ids, spare };
}

/** Returns a row of a model that is not there yet, and could be. */
export function newRow(model: Model, place: Place, { ids, spare }: { ids: Ids; spare: Ids }): Values {
  return examples[model].row(place, isPart(model) ? spare : makeIds(), ids);
}

/** Every model there is, as Prisma knows them. */
export const allModels: readonly string[] = Object.values(Prisma.ModelName);

const { datamodel } = getDatamodel();

/** Values at the edges of what a column holds, by the types of Prisma's models. */
export const edges: Readonly<Record<string, readonly unknown[]>> = {
  BigInt: [2n ** 63n - 1n, -(2n ** 63n)],
  Boolean: [true, false],
  Bytes: [new Uint8Array([0, 255, 92, 39]), new Uint8Array()],
  DateTime: ['2026-03-08T23:59:59.007Z', '0099-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'].map(
    (text) => new Date(text),
  ),
  Float: [0.1, 1e300, -0.5],
  Int: [2_147_483_647, -2_147_483_648],
  Json: [{ b: ['ü', null, 1.5], a: {} }, [], 'text', 7],
  String: ['', 'a "b" \\ \'c\' {d,e} 🚗\n', 'NULL'],
  // Their last values: the first one is often the default.
  ...Object.fromEntries(
    Object.entries($Enums).map(([name, values]) => [name, Object.values(values).slice(-1)]),
  ),
};

/** Columns that hold less than their type: what is unique, a zone, a kind, days that dates are counted by, an id. */
const bound = [
  'hash',
  'timezone',
  'holderKind',
  'id',
  'reminderDays',
  'leadDays',
  'pageAfter',
  'wellAfter',
  'after',
  'stepKey',
  'copiedFrom',
];

/** Returns the columns of a model that can hold anything of their type. */
export function freeColumns(model: Model) {
  const fields = datamodel.models[model]?.fields ?? [];
  const { key } = examples[model];
  const free = fields.filter(
    ({ kind, name }) => kind !== 'object' && !name.endsWith('Id') && !key.includes(name),
  );
  const single = free.filter(({ isList }) => !isList);
  return single.filter(({ name }) => !bound.includes(name));
}

/** Lets each column of a file's content be written alone, which no gateway does. */
export async function allowAnyContent(database: { sql(text: string): Promise<unknown> }): Promise<void> {
  await database.sql('ALTER TABLE attachment_contents DROP CONSTRAINT attachment_contents_place_check');
  await database.sql('ALTER TABLE attachment_contents DISABLE TRIGGER USER');
}
