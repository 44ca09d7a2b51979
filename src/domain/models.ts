import type { Right } from './roles.js';

/**
 * Rule that decides which rows of a model a caller reads and writes. It is implemented as a condition in
 * `db/sql/scope.ts`, and as a policy in `db/row-security/policies.ts`.
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
  /** Set if database triggers count the rows (`db/sql/record-counts.ts`). */
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
  Company:            { table: 'companies',            scope: 'workspace',      entityType: 4,  noun: 'company' },
  Contact:            { table: 'contacts',             scope: 'workspace',      entityType: 5,  noun: 'contact' },
  ContactType:        { table: 'contact_types',        scope: 'workspace',      entityType: 6,  noun: 'contact type' },
  // To check that no location contains itself, all workspaces in between are read.
  Location:           { table: 'locations',            scope: 'workspace',      entityType: 7,  noun: 'location', lookUpScope: 'organization' },
  Note:               { table: 'notes',                scope: 'workspace',      entityType: 8,  noun: 'note' },
  Team:               { table: 'teams',                scope: 'own workspaces', entityType: 9,  noun: 'workspace' },
  Tag:                { table: 'tags',                 scope: 'workspace',      entityType: 10, noun: 'tag' },
  Attachment:         { table: 'attachments',          scope: 'workspace',      entityType: 11, noun: 'attachment' },
  UploadNotification: { table: 'upload_notifications', scope: 'workspace',      entityType: 12, noun: 'upload notification' },
  ReminderPolicy:     { table: 'reminder_policies',    scope: 'workspace',      entityType: 13, noun: 'reminder policy' },
  Watch:              { table: 'watches',              scope: 'workspace',      entityType: 14, noun: 'watch' },

  EventLog:           { table: 'event_logs',           scope: 'workspace',      noun: 'event', counted: true },
  Renewal:            { table: 'renewals',             scope: 'workspace',      noun: 'renewal' },
  User:               { table: 'users',                scope: 'organization',   noun: 'user' },
  BinEntry:           { table: 'bin_entries',          scope: 'workspace',      noun: 'bin entry' },
  AccessToken:        { table: 'access_tokens',        scope: 'organization',   noun: 'access token', right: 'administer' },
  Reminder:           { table: 'reminders',            scope: 'workspace',      noun: 'reminder' },
  Delivery:           { table: 'deliveries',           scope: 'workspace',      noun: 'delivery' },
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
  Import:             { table: 'imports',              scope: 'organization' },
  TeamExport:         { table: 'team_exports',         scope: 'workspace' },
  ResumableUpload:    { table: 'resumable_uploads',    scope: 'workspace' },
  WebhookSecret:      { table: 'webhook_secrets',      scope: 'organization' },
  WebhookOutbox:      { table: 'webhook_outbox',       scope: 'organization' },
  IdempotencyKey:     { table: 'idempotency_keys',     scope: 'organization' },
  Acknowledgement:    { table: 'acknowledgements',     scope: 'workspace' },
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
