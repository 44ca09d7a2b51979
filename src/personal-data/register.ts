import { setImmediate as nextTurn } from 'node:timers/promises';
import type { columns } from '../../prisma/generated/columns.js';
import { ownedRows } from '../db/backup/tables.js';
import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { modelColumns } from '../db/sql/conditions.js';
import { modelInfo } from '../db/sql/models.js';
import { empty, join, raw, type Sql, sql } from '../db/sql/sql.js';
import type { ModelName } from '../domain/models.js';
import { snakeCase } from '../domain/text/names.js';

type Columns = typeof columns;
type Worded = 'String' | 'Json' | 'Bytes';

/** Fields of a model that have texts, JSON or bytes. */
type WordedFields<Model extends keyof Columns> = {
  [Field in keyof Columns[Model]]: Columns[Model][Field] extends { readonly type: Worded } ? Field : never;
}[keyof Columns[Model]];

/**
 * Writer of a column. It decides what an erasure does with the column:
 * - `gateway`: the gateway itself, so what is in it of a person is replaced
 * - `key`: the gateway, and no two rows have the same
 * - `addresses`: people, who chose where mail goes; the person's addresses are taken out
 * - `people`: people or documents, so it is listed for somebody to decide, and not changed
 * - `nothing`: it holds nothing of a person, or only what nobody can read
 */
type Writer = 'gateway' | 'key' | 'addresses' | 'people' | 'nothing';

const customFields = 'people';

/**
 * The register of all columns with texts, JSON or bytes. It does not compile if one is missing. Rows that are the
 * person's alone, such as the contact and its sessions, are dealt with as a whole (`own-rows.ts`).
 */
// biome-ignore format: a table is read by its lines.
export const register: { readonly [Model in keyof Columns]: Readonly<Record<WordedFields<Model>, Writer>> } = {
  AccessToken: { name: 'people', hash: 'nothing', signingSecret: 'nothing' },
  Acknowledgement: { note: 'people' },
  Attachment: { name: 'people', contentType: 'nothing', sourceUrl: 'people' },
  AttachmentContent: { content: 'nothing', objectKey: 'nothing', digest: 'nothing' },
  BinEntry: { name: 'gateway' },
  BinRow: { tableName: 'nothing', pointer: 'nothing', row: 'gateway' },
  CalendarFeed: { name: 'people', hash: 'nothing', teams: 'nothing', filter: 'nothing' },
  Category: { name: 'people', customFields, autoRenew: 'nothing' },
  Channel: { name: 'people', sealedUrl: 'nothing', host: 'nothing', sealedToken: 'nothing', quietFrom: 'nothing', quietTo: 'nothing', lastError: 'gateway' },
  Company: { name: 'people', doingBusinessAs: 'people', phone: 'people', website: 'people', addressLine1: 'people', addressLine2: 'people', city: 'people', province: 'people', postalCode: 'people', taxId: 'people', customFields },
  AskedPaper: { dedupeKey: 'nothing' },
  ComplianceNotice: {},
  ComplianceTurn: {},
  ComplianceLink: { name: 'people', holderKind: 'nothing', hash: 'nothing', sealedSecret: 'nothing' },
  Contact: { name: 'people', email: 'people', timezone: 'nothing', mobile: 'people', phone: 'people', contactId: 'people', customFields },
  ContactType: { name: 'people' },
  DocumentRequest: { holderKind: 'nothing', email: 'gateway', language: 'nothing', message: 'people', declinedReason: 'people', answer: 'people' },
  DocumentRequestLink: { recipientKey: 'key', hash: 'nothing' },
  Delivery: { dedupeKey: 'key', subjectKind: 'nothing', payload: 'gateway', address: 'gateway', lastError: 'gateway', errorCode: 'nothing', messageId: 'gateway' },
  EventLog: { description: 'gateway', details: 'gateway', userName: 'gateway' },
  EventLogEntity: {},
  Exemption: { holderKind: 'nothing', reason: 'people' },
  ExpirationItem: { name: 'people', timeOfDay: 'nothing', details: 'people', customFields, noticeRule: 'nothing' },
  ExpirationItemContact: {},
  ExpirationItemLocation: {},
  ExpirationItemTag: {},
  HolderCompliance: { name: 'gateway' },
  // Encrypted, and deleted after a day.
  IdempotencyKey: { key: 'nothing', sealed: 'nothing' },
  Import: { teams: 'nothing', fileName: 'people', hash: 'nothing', options: 'people', content: 'people', sheetRows: 'people', error: 'gateway', preview: 'gateway', undo: 'gateway' },
  ItemHolder: {},
  ImportBatch: { results: 'gateway', former: 'gateway' },
  Invitation: { hash: 'nothing' },
  Location: { name: 'people', customFields },
  MailText: { words: 'people', senderName: 'people', replyTo: 'addresses', logo: 'nothing' },
  Membership: {},
  Note: { name: 'people', body: 'people', bodyText: 'people' },
  NoteRelation: {},
  Organization: { name: 'people', timezone: 'nothing', locale: 'nothing' },
  Passkey: { credentialId: 'nothing', publicKey: 'nothing', transports: 'nothing', name: 'people' },
  Password: { phc: 'nothing' },
  Postponement: { recipientKey: 'key' },
  RecipientSetting: { recipientKey: 'key', digestTime: 'nothing', language: 'nothing' },
  RecoveryCode: { hash: 'nothing' },
  Reminder: { recipientKey: 'key', itemName: 'gateway', reason: 'gateway' },
  ReminderCheck: {},
  ReminderJob: {},
  ReminderMark: {},
  ReminderPolicy: { name: 'people', timeOfDay: 'nothing' },
  ReminderStep: { recipients: 'nothing', addresses: 'addresses' },
  ReminderTarget: { recipientKey: 'key', address: 'gateway', reason: 'gateway' },
  Renewal: { details: 'people' },
  Requirement: { name: 'people', holderKind: 'nothing', applies: 'nothing' },
  ResumableUpload: { uploadMetadata: 'people' },
  SavedView: { name: 'people', list: 'nothing', columns: 'nothing', filters: 'people', sort: 'nothing' },
  SignInLink: { hash: 'nothing', email: 'gateway' },
  // Those of others say which browser and address they use.
  SignInSession: { hash: 'nothing', deviceHash: 'nothing', address: 'nothing', agent: 'nothing' },
  Suppression: { addressKey: 'gateway' },
  Tag: { name: 'people' },
  Team: { name: 'people', timezone: 'nothing', reminderFallbackAddress: 'addresses' },
  TeamExport: { teams: 'nothing', error: 'gateway' },
  TotpSecret: { sealed: 'nothing' },
  // The tags say who is to be reminded; suggestions are what was recognized in the document.
  UploadNotification: { action: 'people', container: 'people', url: 'people', filename: 'people', client: 'people', key: 'people', type: 'people', status: 'people', uploadTags: 'gateway', uploadTagsText: 'gateway', dedupeKey: 'nothing', error: 'gateway', errorCode: 'nothing', unreadCode: 'nothing', suggestedFrom: 'people', suggestions: 'people' },
  User: { name: 'people', email: 'people', language: 'nothing', timezone: 'nothing', issuer: 'nothing', subject: 'nothing' },
  Vehicle: { name: 'people', vin: 'people', licensePlate: 'people', make: 'people', model: 'people', trim: 'people', color: 'people', bodyType: 'people', registrationProvince: 'people', customFields },
  Watch: { name: 'people', filter: 'nothing', holders: 'people' },
  WebhookAttempt: { error: 'gateway', responseStart: 'gateway' },
  WebhookDelivery: { lastError: 'gateway' },
  WebhookEndpoint: { name: 'people', url: 'people', eventTypes: 'nothing', statuses: 'nothing', sealedHeaders: 'nothing', disabledReason: 'gateway' },
  WebhookMessage: { type: 'nothing', body: 'gateway' },
  WebhookOutbox: {},
  WebhookSecret: { sealed: 'nothing' },
};

/** Rows that one statement looks at. */
const page = 500;

/** Characters after which the event loop has a turn. */
const turnLength = 1_000_000;

/** A column with texts, by its table's register. */
export interface WordedColumn {
  readonly field: string;
  readonly name: string;
  readonly writer: Writer;
  readonly type: string;
  readonly isList: boolean;
}

/** A column of a primary key, with its type in PostgreSQL. */
interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

/** A table with the columns that can have something of a person. */
export interface WordedTable {
  readonly model: ModelName;
  readonly table: string;
  readonly key: readonly KeyColumn[];
  readonly columns: readonly WordedColumn[];
  /** Columns with ids. */
  readonly ids: readonly string[];
}

/** A row in which something was found. */
export interface FoundRow {
  readonly key: readonly string[];
  /** Texts of the table's columns. */
  readonly values: readonly (string | null)[];
  /** Ids in the row, and those of the records that an event is about. */
  readonly ids: string;
  /** True for an event that happened to the person's own record. */
  readonly isOwn: boolean;
}

const keysSql = sql`
  SELECT relname AS table, json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY place) AS key
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    CROSS JOIN LATERAL unnest(indkey::int2[]) WITH ORDINALITY AS part (number, place)
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum = number
  WHERE indisprimary AND relnamespace = current_schema()::regnamespace GROUP BY relname`;

/** Lists the tables of an organization that the register has texts of. */
export async function wordedTables(database: Database): Promise<WordedTable[]> {
  const rows = await database.query<{ table: string; key: KeyColumn[] }>(prepared('pg_index.keys', keysSql));
  const keys = new Map(rows.map(({ table, key }) => [table, key]));
  return (Object.keys(register) as ModelName[]).flatMap((model) => {
    const { table } = modelInfo[model];
    const fields = modelColumns[model];
    const columns = Object.entries(register[model] as Record<string, Writer>).flatMap(([field, writer]) => {
      const { type = '', list = false } = fields[field] ?? {};
      return writer === 'nothing' ? [] : [{ field, name: snakeCase(field), writer, type, isList: list }];
    });
    const ids = Object.entries(fields).flatMap(([field, { type }]) =>
      type === 'UUID' ? [snakeCase(field)] : [],
    );
    const key = keys.get(table);
    if (!key) throw new Error(`${table} has no primary key.`);
    return [{ model, table, key, columns, ids }];
  });
}

/** Returns SQL for the text of a column. Of bytes, only their plain letters count. */
function textSql({ name, type }: Pick<WordedColumn, 'name' | 'type'>): string {
  return type === 'Bytes' ? `encode(record.${name}, 'escape')` : `record.${name}::text`;
}

/** Returns SQL for all ids that say whom a row is about. */
function idsSql({ model, ids }: WordedTable): Sql {
  const own = raw(`concat_ws(' ', ${ids.map((name) => `record.${name}::text`).join(', ') || "''"})`);
  if (model !== 'EventLog' && model !== 'WebhookMessage') return own;
  const event = raw(model === 'EventLog' ? 'record.id' : 'record.event_id');
  return sql`${own} || ' ' || coalesce((
    SELECT string_agg(entity_id::text, ' ') FROM event_log_entities WHERE event_id = ${event}), '')`;
}

/** Returns SQL for whether an event happened to one of the records. */
const ownSql = ({ model }: WordedTable, ids: readonly string[]): Sql =>
  model === 'EventLog'
    ? sql`EXISTS (SELECT FROM event_log_entities WHERE event_id = record.id AND position = 0 AND entity_id = ANY(${ids}::uuid[]))`
    : sql`FALSE`;

/** A search in the rows of an organization. */
interface Walk {
  readonly organizationId: string;
  /** Regular expression for folded texts. */
  readonly pattern: string;
  /** Ids that make a row a find. */
  readonly ids: readonly string[];
}

interface PageRow extends FoundRow {
  readonly isFound: boolean;
  readonly size: number;
}

/**
 * Yields the rows of a table that have a value of somebody. Each statement looks at one page, so that it is
 * quick however large the table is, and nothing is held between two pages.
 * @param columns those that are looked at
 */
export async function* foundRows(
  database: Pick<Database, 'query'>,
  { organizationId, pattern, ids }: Walk,
  table: WordedTable,
  columns: readonly WordedColumn[] = table.columns,
): AsyncGenerator<FoundRow> {
  const owned = raw(ownedRows(`'${organizationId}'`).get(table.table) ?? 'FALSE');
  const key = table.key.map(({ name }) => `record.${name}`).join(', ');
  const texts = raw(`concat_ws(E'\\n', ${columns.map(textSql).join(', ') || "''"})`);
  const values = raw(
    `ARRAY[${columns.map((column) => (column.type === 'Bytes' ? 'NULL' : textSql(column))).join(', ')}]::text[]`,
  );
  const byId = ids.length > 0 ? sql`OR ${idsSql(table)} ~ ${ids.join('|')}` : empty;
  let read = 0;
  for (let after: readonly string[] | undefined; ; ) {
    const behind = after
      ? sql`AND (${raw(key)}) > (${join(table.key.map(({ type }, at) => sql`${after?.[at]}::text::${raw(type)}`))})`
      : empty;
    const statement = sql`
      SELECT key, "isFound", size::int, CASE WHEN "isFound" THEN values END AS values, CASE WHEN "isFound" THEN ids END AS ids,
        "isOwn"
      FROM (
        SELECT ARRAY[${raw(table.key.map(({ name }) => `record.${name}::text`).join(', '))}] AS key,
          folded(${texts}) ~ ${pattern} ${byId} AS "isFound", ${values} AS values, ${idsSql(table)} AS ids,
          ${ownSql(table, ids)} AS "isOwn", row_number() OVER (ORDER BY ${raw(key)}) AS place, count(*) OVER () AS size
        FROM (SELECT * FROM ${raw(table.table)} AS record WHERE (${owned}) ${behind} ORDER BY ${raw(key)} LIMIT ${page}) AS record
      ) AS looked WHERE "isFound" OR place = size ORDER BY place`;
    const rows = await database.query<PageRow>(prepared(`${table.table}.of_person`, statement));
    for (const row of rows) {
      if (!row.isFound) continue;
      yield row;
      read += row.values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
      if (read > turnLength) {
        read = 0;
        await nextTurn();
      }
    }
    const last = rows.at(-1);
    if (!last || last.size < page) return;
    after = last.key;
  }
}

/** Returns the condition that finds a row by its key. */
export const keySql = ({ key }: WordedTable, values: readonly string[]): Sql =>
  join(
    key.map(({ name, type }, at) => sql`${raw(name)} = ${values[at]}::text::${raw(type)}`),
    ' AND ',
  );
