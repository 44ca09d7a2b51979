import * as z from 'zod';
import type { Right } from './caller.js';

/**
 * Rule that decides which rows of a model a caller reads and writes. It is implemented as a condition in
 * `db/sql/models.ts`, and as a policy in `db/row-security/policies.ts`.
 */
export type Scope =
  /** Rows of the caller's workspaces, by `organizationId` and `teamId`. */
  | 'workspace'
  /** Rows of the caller's organization, by `organizationId`. */
  | 'organization'
  /** The caller's organization itself. */
  | 'own organization'
  /** The caller's workspaces themselves. */
  | 'own workspaces'
  /** Memberships of the caller's workspaces. */
  | 'own members';

/** Relation of a part to its record. The part has its record's scope. */
interface PartOf<Name> {
  readonly record: Name;
  /** The part's relation to the record. Its column is named after it, with `Id` appended. */
  readonly relation: string;
  /** The record's relation to its parts, if conditions use it. */
  readonly list?: string;
  /** The most parts of a record, if more than callers send in a list. */
  readonly most?: number;
  /** Another record that it can belong to instead. Callers never read parts of that one. */
  readonly orOf?: { readonly record: Name; readonly relation: string };
}

interface Columns {
  readonly table: string;
  /**
   * Public name, in messages and in the event log. With a name, records can be found by id alone (`node`).
   */
  readonly noun?: string;
  /**
   * Number of the kind in `entity_type` and `related_entities[].type_id`. With a number, notes and events can
   * be about it.
   */
  readonly entityType?: number;
  /** Right besides reading that a caller needs to find its records by id alone. */
  readonly right?: Right;
  /** Set if database triggers count the rows (`db/sql/select.ts`). */
  readonly counted?: true;
  /** Scope of row-level security for reading, if statements read more than the caller is shown. */
  readonly lookUpScope?: Scope;
}

type Row<Name> = Columns &
  (
    | { readonly scope: Scope; readonly partOf?: undefined }
    | { readonly scope?: undefined; readonly partOf: PartOf<Name> }
  );

/**
 * Models of the database: their tables, names and scopes. It does not compile if a model of Prisma's schema
 * has no row. If records of two models have the same id, the id means the one that comes first.
 */
// biome-ignore format: a table is read by its columns.
export const models = {
  ExpirationItem:     { table: 'expiration_items',     scope: 'workspace',      entityType: 1,  noun: 'expiration item', counted: true },
  Category:           { table: 'categories',           scope: 'workspace',      entityType: 2,  noun: 'document type' },
  Vehicle:            { table: 'vehicles',             scope: 'workspace',      entityType: 3,  noun: 'vehicle', counted: true },
  Company:            { table: 'companies',            scope: 'workspace',      entityType: 4,  noun: 'company', counted: true },
  Contact:            { table: 'contacts',             scope: 'workspace',      entityType: 5,  noun: 'contact', counted: true },
  ContactType:        { table: 'contact_types',        scope: 'workspace',      entityType: 6,  noun: 'contact type' },
  // To check that no location contains itself, all workspaces in between are read.
  Location:           { table: 'locations',            scope: 'workspace',      entityType: 7,  noun: 'location', lookUpScope: 'organization', counted: true },
  Note:               { table: 'notes',                scope: 'workspace',      entityType: 8,  noun: 'note', counted: true },
  Team:               { table: 'teams',                scope: 'own workspaces', entityType: 9,  noun: 'workspace' },
  Tag:                { table: 'tags',                 scope: 'workspace',      entityType: 10, noun: 'tag' },
  Attachment:         { table: 'attachments',          scope: 'workspace',      entityType: 11, noun: 'attachment', counted: true },
  UploadNotification: { table: 'upload_notifications', scope: 'workspace',      entityType: 12, noun: 'upload notification', counted: true },
  ReminderPolicy:     { table: 'reminder_policies',    scope: 'workspace',      entityType: 13, noun: 'reminder policy' },
  Watch:              { table: 'watches',              scope: 'workspace',      entityType: 14, noun: 'watch' },
  // The mails of all workspaces have the organization's words, whichever workspace they belong to.
  MailText:           { table: 'mail_texts',           scope: 'workspace',      entityType: 15, noun: 'mail text', lookUpScope: 'organization' },
  Requirement:        { table: 'requirements',         scope: 'workspace',      entityType: 16, noun: 'requirement' },
  DocumentRequest:    { table: 'document_requests',    scope: 'workspace',      entityType: 17, noun: 'document request' },

  EventLog:           { table: 'event_logs',           scope: 'workspace',      noun: 'event', counted: true },
  Renewal:            { table: 'renewals',             scope: 'workspace',      noun: 'renewal', counted: true },
  Exemption:          { table: 'exemptions',           scope: 'workspace',      noun: 'exemption' },
  ComplianceLink:     { table: 'compliance_links',     scope: 'workspace',      noun: 'compliance link' },
  HolderCompliance:   { table: 'holder_compliances',   scope: 'workspace',      noun: 'compliance', counted: true },
  User:               { table: 'users',                scope: 'organization',   noun: 'user' },
  BinEntry:           { table: 'bin_entries',          scope: 'workspace',      noun: 'bin entry' },
  AccessToken:        { table: 'access_tokens',        scope: 'organization',   noun: 'access token', right: 'administer' },
  Reminder:           { table: 'reminders',            scope: 'workspace',      noun: 'reminder' },
  Delivery:           { table: 'deliveries',           scope: 'workspace',      noun: 'delivery', counted: true },
  Suppression:        { table: 'suppressions',         scope: 'organization',   noun: 'suppression', right: 'administer' },
  Channel:            { table: 'channels',             scope: 'workspace',      noun: 'channel' },
  WebhookEndpoint:    { table: 'webhook_endpoints',    scope: 'organization',   noun: 'webhook endpoint', right: 'administer' },
  WebhookMessage:     { table: 'webhook_messages',     scope: 'workspace',      noun: 'webhook message', right: 'administer' },
  WebhookDelivery:    { table: 'webhook_deliveries',   scope: 'organization',   noun: 'webhook delivery', right: 'administer' },

  Organization:       { table: 'organizations',        scope: 'own organization' },
  Membership:         { table: 'memberships',          scope: 'own members' },
  Invitation:         { table: 'invitations',          scope: 'organization' },
  SignInSession:      { table: 'sessions',             scope: 'organization' },
  Password:           { table: 'passwords',            scope: 'organization' },
  Passkey:            { table: 'passkeys',             scope: 'organization' },
  TotpSecret:         { table: 'totp_secrets',         scope: 'organization' },
  RecoveryCode:       { table: 'recovery_codes',       scope: 'organization' },
  SignInLink:         { table: 'sign_in_links',        scope: 'organization' },
  CalendarFeed:       { table: 'calendar_feeds',       scope: 'organization' },
  SavedView:          { table: 'saved_views',          scope: 'organization' },
  Import:             { table: 'imports',              scope: 'organization' },
  TeamExport:         { table: 'team_exports',         scope: 'workspace' },
  ResumableUpload:    { table: 'resumable_uploads',    scope: 'workspace' },
  WebhookSecret:      { table: 'webhook_secrets',      scope: 'organization' },
  WebhookOutbox:      { table: 'webhook_outbox',       scope: 'organization' },
  IdempotencyKey:     { table: 'idempotency_keys',     scope: 'organization' },
  Acknowledgement:    { table: 'acknowledgements',     scope: 'workspace' },
  Postponement:       { table: 'postponements',        scope: 'workspace' },
  DocumentRequestLink: { table: 'document_request_links', scope: 'workspace' },
  ComplianceTurn:     { table: 'compliance_turns',     scope: 'workspace' },
  AskedPaper:         { table: 'asked_papers',         scope: 'workspace' },
  ComplianceNotice:   { table: 'compliance_notices',   scope: 'workspace' },
  ReminderMark:       { table: 'reminder_marks',       scope: 'workspace' },
  ReminderCheck:      { table: 'reminder_checks',      scope: 'workspace' },
  ReminderJob:        { table: 'reminder_jobs',        scope: 'workspace' },
  RecipientSetting:   { table: 'recipient_settings',   scope: 'organization' },

  // In the bin, the bytes of a file belong to the entry.
  AttachmentContent:      { table: 'attachment_contents',       partOf: { record: 'Attachment',     relation: 'attachment', orOf: { record: 'BinEntry', relation: 'binEntry' } } },
  BinRow:                 { table: 'bin_rows',                  partOf: { record: 'BinEntry',       relation: 'entry' } },
  EventLogEntity:         { table: 'event_log_entities',        partOf: { record: 'EventLog',       relation: 'event', list: 'entities' } },
  ExpirationItemContact:  { table: 'expiration_item_contacts',  partOf: { record: 'ExpirationItem', relation: 'item',  list: 'contacts' } },
  ExpirationItemLocation: { table: 'expiration_item_locations', partOf: { record: 'ExpirationItem', relation: 'item',  list: 'locations' } },
  ExpirationItemTag:      { table: 'expiration_item_tags',      partOf: { record: 'ExpirationItem', relation: 'item',  list: 'tags' } },
  ItemHolder:             { table: 'item_holders',              partOf: { record: 'ExpirationItem', relation: 'item',  list: 'holders', most: 10_000 } },
  ReminderStep:           { table: 'reminder_steps',            partOf: { record: 'ReminderPolicy', relation: 'policy',   list: 'steps' } },
  ReminderTarget:         { table: 'reminder_targets',          partOf: { record: 'Reminder',       relation: 'reminder', list: 'targets' } },
  WebhookAttempt:         { table: 'webhook_attempts',          partOf: { record: 'WebhookDelivery', relation: 'delivery', list: 'tries' } },
  ImportBatch:            { table: 'import_batches',            partOf: { record: 'Import',         relation: 'import', list: 'batches' } },
  NoteRelation:           { table: 'note_relations',            partOf: { record: 'Note',           relation: 'note',  list: 'relations' } },
} as const satisfies Readonly<Record<string, Row<string>>>;

/** Name of a model in Prisma and GraphQL. */
export type ModelName = keyof typeof models;

export type ModelRow = Row<ModelName>;

/** Models that have a value in a column of the table above. */
type ModelsWith<Column extends keyof Columns> = {
  [Name in ModelName]: (typeof models)[Name] extends Record<Column, unknown> ? Name : never;
}[ModelName];

/** Kind of records that events and notes are about. */
export type EntityKind = Uncapitalize<ModelsWith<'entityType'>>;

/** Kind of records that have an id of their own and a public name. */
export type RecordKind = Uncapitalize<ModelsWith<'noun'>>;

export const modelRows = Object.entries(models) as readonly (readonly [ModelName, ModelRow])[];

/** Returns the kind of a model's records: its name with a lower-case first letter. */
export const kindOf = (model: ModelName) => `${model[0]?.toLowerCase()}${model.slice(1)}`;

/** Returns the values of a column by the kinds of records that have one. */
export function byKind<Kind extends RecordKind, Value>(
  read: (row: ModelRow) => Value | undefined,
): Readonly<Record<Kind, Value>> {
  const known = modelRows.filter(([, row]) => read(row) !== undefined);
  return Object.fromEntries(known.map(([name, row]) => [kindOf(name), read(row)])) as Record<Kind, Value>;
}

/** Numbers of the kinds of records, which `entity_type` and `related_entities[].type_id` contain. */
export const entityTypes = byKind<EntityKind, number>(({ entityType }) => entityType);

/** Public names of the kinds of records, in messages and in the event log. */
export const entityNames = byKind<EntityKind, string>(({ entityType, noun }) =>
  entityType ? noun : undefined,
);

export const entityTypeText = `The kind of record: ${Object.entries(entityTypes)
  .map(([kind, type]) => `${type} ${entityNames[kind as EntityKind]}`)
  .join(', ')}.`;

/** The event types by the number that an event log's `type_id` contains. */
export const eventTypes = {
  created: 1,
  updated: 2,
  renewed: 3,
  deleted: 4,
  archived: 5,
  restored: 6,
  'reminder sent': 7,
  'reminder failed': 8,
  acknowledged: 9,
  'scan received': 10,
  'scan filed': 11,
  'scan failed': 12,
  'token created': 13,
  'token revoked': 14,
  expired: 15,
  'became due': 16,
  'auto renewed': 17,
  'webhook disabled': 18,
  'user invited': 19,
  'user changed': 20,
  'user deactivated': 21,
  'member added': 22,
  'member removed': 23,
  'organization changed': 24,
  'token changed': 25,
  'signed in': 26,
  'sign-in failed': 27,
  'sign-in changed': 28,
  'signed out': 29,
  imported: 30,
  'person erased': 31,
  exempted: 32,
  'exemption ended': 33,
  'compliance changed': 34,
  'request sent': 35,
  'request received': 36,
  'request accepted': 37,
  'request declined': 38,
  'request cancelled': 39,
  'request lapsed': 40,
  'compliance link created': 41,
  'compliance link revoked': 42,
  'request opened': 43,
  'request resent': 44,
} as const;
export type EventName = keyof typeof eventTypes;

/** Types of events about signing in. Only administrators see those of others. */
export const signInEventTypes: readonly number[] = [
  eventTypes['signed in'],
  eventTypes['sign-in failed'],
  eventTypes['sign-in changed'],
  eventTypes['signed out'],
];

export const eventTypeText = `The kind of event: ${Object.entries(eventTypes)
  .map(([name, type]) => `${type} ${name}`)
  .join(', ')}.`;

/** The kinds of records by their numbers. */
export const entityKinds: ReadonlyMap<number, EntityKind> = new Map(
  Object.entries(entityTypes).map(([kind, type]) => [type, kind as EntityKind]),
);

/**
 * Finds the number of an event type.
 * @param text the number itself, or the name in any letter case
 * @returns undefined if it is neither
 */
export function parseEventType(text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  return Object.entries(eventTypes).find(([name, type]) => name === wanted || String(type) === wanted)?.[1];
}

export interface EventEntity {
  readonly kind: EntityKind;
  readonly id: string;
}

/**
 * Head of an event, as processes announce it to each other with NOTIFY. It says whom the event concerns; each
 * process reads from the database what happened.
 */
export interface EventHead {
  readonly id: string;
  readonly typeId: number;
  readonly organizationId: string;
  readonly teamId: string;
  /** The records that the event is about, main one first. */
  readonly entities: readonly EntityHead[];
  /** True if the event is about more records than `entities` lists. */
  readonly more: boolean;
}

/**
 * Type of the head of a settled delivery, which contains the delivery's id. The event log has no entry of
 * this type.
 */
export const deliverySettledType = 0;

/** A record that an event is about. */
interface EntityHead {
  readonly id: string;
  readonly typeId: number;
}

/** PostgreSQL allows 7,999 bytes per notification; payloads are ASCII. */
const largestPayload = 7_999;

/** Records that a head lists. With this many, it fits into one notification. */
const namedEntities = 100;

/** Payload that replaces heads that could not be sent. Receivers then know that something is missing. */
const lost = '"lost"';

/** Serializes a head as an array, because member names would double its size. */
function pack({ id, typeId, organizationId, teamId, entities, more }: EventHead): string {
  const named = entities.slice(0, namedEntities).map((entity) => [entity.typeId, entity.id]);
  return JSON.stringify([id, typeId, organizationId, teamId, named, more || entities.length > named.length]);
}

const packed = z.array(
  z.tuple([z.guid(), z.int32(), z.guid(), z.guid(), z.array(z.tuple([z.int32(), z.guid()])), z.boolean()]),
);

/**
 * Encodes heads as payloads of NOTIFY, in order and as few as possible.
 * @param isLost true if earlier heads were lost
 */
export function encodeHeads(heads: readonly EventHead[], isLost: boolean): string[] {
  const payloads: string[] = [];
  let open: string[] = [];
  let size = 0;
  const close = () => {
    if (open.length > 0) payloads.push(`[${open.join(',')}]`);
    open = [];
    size = '[]'.length;
  };
  close();
  for (const text of heads.map(pack)) {
    if (size + text.length > largestPayload) close();
    open.push(text);
    size += text.length + ','.length;
  }
  close();
  return isLost ? [lost, ...payloads] : payloads;
}

/**
 * Decodes the payload of a notification.
 * @returns undefined if heads were lost, or if `encodeHeads` did not create the payload
 */
export function decodeHeads(payload: string): EventHead[] | undefined {
  try {
    return packed.parse(JSON.parse(payload)).map(([id, typeId, organizationId, teamId, entities, more]) => ({
      id,
      typeId,
      organizationId,
      teamId,
      entities: entities.map(([type, entityId]) => ({ id: entityId, typeId: type })),
      more,
    }));
  } catch {
    return undefined;
  }
}
