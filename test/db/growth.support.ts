import { appendFileSync } from 'node:fs';
import pg from 'pg';
import { expect } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { createToken } from '../../src/access/tokens.js';
import {
  callerRole,
  callerSettings,
  type SentStatement,
  settingNames,
} from '../../src/db/connection/pool.js';
import { mostCounted } from '../../src/db/sql/select.js';
import { type TestGateway, testTime } from '../support/gateway.js';
import { type Amounts, share } from './growth-data.support.js';
import { questions } from './growth-questions.support.js';

/** Lets the statements of a client be those of a caller, to whom the policies of row security apply. */
export async function enter(gateway: TestGateway, client: pg.Client, token: string): Promise<void> {
  const caller = await authenticate(gateway.database, token, testTime);
  if (!caller) throw new Error('The token is unknown.');
  const [organization, teams] = callerSettings(caller);
  await client.query(`SET ROLE ${callerRole}`);
  await client.query('SELECT set_config($1, $2, FALSE), set_config($3, $4, FALSE)', [
    ...[settingNames.organization, organization],
    ...[settingNames.teams, teams],
  ]);
}

/** Returns the token of a member who sees two workspaces, whatever others there are. */
export async function tokenOfFew({ database, organizationId, userId }: TestGateway): Promise<string> {
  const own = { organizationId, userId, name: 'Few', role: 'MEMBER' as const, expiresAt: null };
  return (await createToken(database, own, testTime)).token;
}

/** Writes a value of a statement as a literal, from which PostgreSQL reads the type that it expects. */
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const quoted = (one: unknown) => (one instanceof Uint8Array ? `"\\\\x${hex(one)}"` : JSON.stringify(one));
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(quoted).join()}}`);
  if (value instanceof Uint8Array) return `'\\x${hex(value)}'`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** The pages and rows of a statement, as PostgreSQL counted them. */
interface Count {
  readonly pages: number;
  /** Rows that are answered, taken at a time or written. */
  readonly rows: number;
}

/** A part of a plan, as EXPLAIN writes it. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Returns the most rows that a plan takes at a time, by a LIMIT or in order to write them. */
function rowsTaken({ 'Node Type': type, 'Actual Rows': rows, Plans: parts = [] }: Plan): number {
  const own = type === 'ModifyTable' ? (parts[0]?.['Actual Rows'] ?? 0) : type === 'Limit' ? rows : 0;
  return Math.max(own, ...parts.map(rowsTaken));
}

/** Returns the plan that was executed; undefined if the rows are there already, and cannot be written twice. */
async function explain(client: pg.Client, execution: string): Promise<pg.QueryResult['rows'] | undefined> {
  try {
    return (await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execution}`)).rows;
  } catch (error) {
    if ((error as pg.DatabaseError).code === '23505') return undefined;
    throw error;
  }
}

/**
 * Returns what PostgreSQL reads for a statement with one kind of plan. What it writes is rolled back. The first time,
 * functions read the catalogs as well, and whatever other databases of the server do may repeat that.
 */
async function countWith(
  client: pg.Client,
  mode: string,
  { query: text, values }: SentStatement,
): Promise<Count | undefined> {
  await client.query(`DEALLOCATE ALL; SET plan_cache_mode = ${mode}; PREPARE sent AS ${text}`);
  const given = values.length > 0 ? `(${values.map(literal)})` : '';
  const counts: Count[] = [];
  for (let time = 0; time < 2; time++) {
    await client.query('BEGIN');
    const rows = await explain(client, `EXECUTE sent${given}`);
    await client.query('ROLLBACK');
    if (!rows) return undefined;
    const plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
    counts.push({
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      rows: Math.max(plan['Actual Rows'], rowsTaken(plan)),
    });
  }
  return counts.reduce((least, one) => (one.pages < least.pages ? one : least));
}

/**
 * Returns what a statement costs with the worse of the plans that it may get: one for its values, and one for any values
 * unless it is planned anew each time. Undefined for what is no query, such as the end of a transaction, and for what cannot
 * be repeated.
 */
export async function countOf(client: pg.Client, statement: SentStatement): Promise<Count | undefined> {
  if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(statement.query)) return undefined;
  const own = await countWith(client, 'force_custom_plan', statement);
  if (statement.isPlannedAnew || !own) return own;
  const any = await countWith(client, 'force_generic_plan', statement);
  return any && any.pages > own.pages ? any : own;
}

/** Pages of statements that were counted before, by what was sent. */
type Known = Map<string, number>;

/**
 * Returns the pages of 8 kB that PostgreSQL reads for statements, each with the worse of its plans.
 * @param known what was counted before, and is not counted again
 */
export async function pagesOf(
  client: pg.Client,
  statements: readonly SentStatement[],
  known: Known = new Map(),
): Promise<number> {
  let pages = 0;
  for (const statement of statements) {
    const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    const sent = JSON.stringify([statement.query, statement.values, statement.isPlannedAnew], asText);
    const counted = known.get(sent) ?? (await countOf(client, statement))?.pages ?? 0;
    known.set(sent, counted);
    pages += counted;
  }
  return pages;
}

/** Returns the pages that are read for a request, without those that find out who asks. */
export async function pagesRead(
  gateway: TestGateway,
  client: pg.Client,
  query: string,
  token: string,
  variables: object = {},
): Promise<number> {
  const sent = await gateway.sentStatements(async () => {
    expect(await gateway.graphql(query, variables, token)).not.toHaveProperty('errors');
  });
  return pagesOf(client, sent.slice(1));
}

/** What reads each record of the caller's, for want of an index or of a kept count. */
const linear: readonly RegExp[] = [
  // An order that no index has, or of which each value is computed.
  / by /,
  // Totals of a part. A list of reminders always is one, and so is what belongs to a record.
  /, .+, total$|^reminders, total$/,
  /^[a-z]\w*( of many)?\.\w+$/i,
  /^(expirationSummary|complianceSummary|documentRequestCounts)/,
  // What most records have is found by reading them.
  /^search.*"cc-2"/,
  // A term of two letters has no trigram.
  /, term "ab"$/,
  // Filters that no index serves read a list in its order until a page is full, which may be to its end.
  /^compliances, (modified|until)/,
  /^(eventLogs|notes), (entityKind|entityType)/,
  /^expirationItems, (created|noticeAfter)/,
  /, (hasNone|isActive|isArchived|contactIds|typeIds|locationIds|msrp|primaryMeterReading|year) /,
];

/** What reads all records of a large organization at once, each of their pages a few times. */
const atOnce = /^expirationSummary/;

/** Pages that a question may read. A member's are those of the workspace, whatever the organization has. */
function mostPages(name: string, isAdmin: boolean, { items }: Amounts): number {
  const isLinear = linear.some((kind) => kind.test(name));
  const visible = items / share;
  // What a large organization has is counted only so far, with at most four pages for each record.
  if (isAdmin && items >= 100_000 && /, total$/.test(name)) return 1_500 + 4 * mostCounted;
  // Most other tables have half as many rows as there are items, and no fewer than twenty in a page.
  // Rows that are new since the last VACUUM are looked up in the table once more.
  if (isAdmin && items >= 100_000 && atOnce.test(name)) return 1_500 + items / 6;
  // Pages of up to 50 records with all that REST shows of each, and up to 1,100 records with their lists.
  if (name.startsWith('export')) return 60_000;
  const ofEach = isAdmin ? (isLinear ? 7 * items : items / 40) : (isLinear ? 35 : 6) * visible;
  if (name.startsWith('REST')) return 5_000 + ofEach;
  // Workspaces, and the dates on which a reminder may be due, are looked up.
  if (name.startsWith('upcomingReminders')) return isAdmin ? 6_000 : 1_500;
  // An index in whose order every 200th record is the member's.
  if (!isAdmin && / by /.test(name)) return 12_000;
  return 1_500 + ofEach;
}

/** Appends figures to the file that `GROWTH_FIGURES` names. */
export function noteFigures(pages: number, most: number, what: string): void {
  const { GROWTH_FIGURES: file } = process.env;
  if (file) appendFileSync(file, `${pages}\t${most}\t${what}\n`);
}

/** Asks all questions, and returns those that read more than they may. */
export async function findDear(gateway: TestGateway, client: pg.Client, amounts: Amounts): Promise<string[]> {
  const dear: string[] = [];
  const known: Known = new Map();
  const asked = questions(gateway.teamId, gateway.userId);
  // What REST and exports read differs from GraphQL's lists only in how much of each record it is.
  const isWhole = amounts.items >= 100_000;
  for (const { name, ask } of asked.filter((one) => isWhole || !/^(REST|export)/.test(one.name))) {
    for (const who of ['admin', 'member'] as const) {
      let refusal: string | undefined;
      // The gateway closes connections that are idle while statements are counted.
      const again = () => ask(gateway, gateway[who]);
      const sent = await gateway.sentStatements(async () => {
        refusal = await again().catch(again);
      });
      // Lists of administrators, computed orders of more rows than are ordered, and a type that the member does not see.
      if (refusal === 'FORBIDDEN' || (refusal === 'BAD_REQUEST' && / by |^previewRequirement/.test(name)))
        continue;
      if (refusal !== undefined) {
        dear.push(`${who}: ${name}: ${refusal}`);
        continue;
      }
      const pages = await pagesOf(client, sent.slice(1), known);
      const most = mostPages(name, who === 'admin', amounts);
      noteFigures(pages, most, `${who}: ${name}`);
      if (pages > most) dear.push(`${who}: ${name}: ${pages} pages, at most ${most}`);
    }
  }
  return dear;
}

/** Indexes that are used by what is not asked here. */
const usedElsewhere: readonly RegExp[] = [
  // These tables have so few rows here that PostgreSQL reads them whole.
  /^(categories|contact_types|requirements|reminder_policies|tags|teams|watches)_term_idx$/,
  /^(requirements_any_of|channels_organization_id_name_id|reminder_policies_team_id)_idx$/,
  /^(asked_papers_due_at|compliance_turns_due_at|deliveries_chat_due|file_removals_due_at|reminder_jobs_created)_idx$/,
  // The partition for events of no month is empty.
  /^event_log(s|_entities)_other_/,
  // An organization that moves to another database is read by table.
  /_organization_id_idx$/,
  // Files, uploads in parts, sign-in, repeated requests, and what a mail has told.
  /^(archive_parts|attachment_contents)_object_idx$/,
  /^(resumable_uploads_team_id|users_email|sign_in_challenges_expires_at|idempotency_keys_created)_idx$/,
  /^compliance_notices_delivery_id_idx$/,
];

/**
 * Returns the indexes that nothing has read. Those that keep values unique, and those that foreign keys need when a row
 * is deleted, are left out.
 */
export async function unreadIndexes(client: pg.Client): Promise<string[]> {
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string }>(`
    SELECT read.indexrelname AS name FROM pg_stat_user_indexes AS read JOIN pg_index AS index USING (indexrelid)
    WHERE read.idx_scan = 0 AND NOT index.indisunique AND NOT EXISTS (
      SELECT FROM pg_constraint AS key
      WHERE key.contype = 'f' AND key.conrelid = index.indrelid AND key.conkey[1] = index.indkey[0])
    ORDER BY 1`);
  return rows.map(({ name }) => name).filter((name) => !usedElsewhere.some((kind) => kind.test(name)));
}
