import { type PaperToAsk, papersToAsk } from '../compliance/asked.js';
import type { Database } from '../db/connection/database.js';
import { isLockTimeout, isOutage } from '../db/connection/errors.js';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { despiteDeadlocks, type Transaction } from '../db/connection/transaction.js';
import { notFrozen } from '../db/queue/queue.js';
import type { RowOf } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import { gatewayCaller } from '../domain/caller.js';
import { type AskingSettings, usualAsking } from '../domain/document-requests.js';
import { GatewayError } from '../domain/errors.js';
import { check } from '../domain/rules.js';
import type { HolderKind } from '../items/holders.js';
import { findLinked } from '../records/loaders.js';
import { askIn, requestRules } from './ask.js';

/** The most papers that are read at once. */
const page = 50;

/** A paper whose turn it is, and the requirement that asks for it. */
interface DuePaper {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly requirementId: string;
  readonly dedupeKey: string;
  readonly kind: HolderKind;
  readonly holderId: string;
  readonly askTo: RowOf<'Requirement'>['askTo'];
  readonly everyDays: number;
}

type Recipient = { readonly recipientId: string } | { readonly email: string };

/** Finds the user who is assigned to a record, by the address. */
async function assignedUser(tx: Transaction, id: string | null): Promise<Recipient | undefined> {
  const statement = sql`SELECT email FROM users WHERE id = ${id}::uuid AND is_active AND email IS NOT NULL`;
  const [user] = await tx.run<{ email: string }>(prepared('asked_papers.assignee', statement));
  return user;
}

/** Finds whom a requirement asks for the paper of a record. Undefined if nobody is known. */
async function recipientOf(
  tx: Transaction,
  { kind, holderId, askTo }: DuePaper,
): Promise<Recipient | undefined> {
  const record = await findLinked(tx, kind, holderId);
  if (!record) return undefined;
  const { assignedToContactId, primaryContactId, assignedToId } = record as Partial<
    Record<'assignedToContactId' | 'primaryContactId' | 'assignedToId', string | null>
  >;
  const contactId =
    (askTo === 'HOLDER' && kind === 'contact' && holderId) ||
    (askTo === 'MAIN_CONTACT' && primaryContactId) ||
    (askTo === 'ASSIGNEE' && assignedToContactId);
  if (contactId) return { recipientId: contactId };
  return askTo === 'ASSIGNEE' ? assignedUser(tx, assignedToId ?? null) : undefined;
}

const hourMs = 3_600_000;

const hoursAfter = (now: Date, hours: number) => new Date(now.getTime() + hours * hourMs);

/**
 * Finds when a missing paper may be asked for again. It is some days after its last request ended; one that has not ended
 * counts as if it ended now. Undefined if it was never asked for.
 */
async function againAt(
  tx: Transaction,
  { requirementId, holderId, kind, everyDays }: DuePaper,
  now: Date,
): Promise<Date | undefined> {
  const statement = sql`
    SELECT max(coalesce(settled_at, ${now}::timestamptz)) AS at FROM document_requests
    WHERE requirement_id = ${requirementId}::uuid AND ${raw(kind)}_id = ${holderId}::uuid`;
  const [last] = await tx.run<{ at: Date | null }>(prepared(`asked_papers.last_${kind}`, statement));
  return last?.at ? hoursAfter(last.at, everyDays * 24) : undefined;
}

/**
 * Asks for a locked paper.
 * @returns when it is its turn again. Null if it was asked for, and that is enough; one that is missing is asked for again
 */
async function askFor(
  tx: Transaction,
  session: Session,
  due: DuePaper,
  { itemId }: PaperToAsk,
): Promise<Date | null> {
  const { requirementId, everyDays, kind: holderKind, holderId } = due;
  const { now } = session;
  const later = itemId ? undefined : await againAt(tx, due, now);
  if (later && later > now) return later;
  const asked = itemId ? null : hoursAfter(now, everyDays * 24);
  try {
    return await tx.inTransaction(async (part) => {
      const recipient = await recipientOf(part, due);
      if (!recipient) return hoursAfter(now, 24);
      const subject = { ...(itemId && { expirationItemId: itemId }), requirementId, holderKind, holderId };
      await askIn(part, session, check(requestRules, { ...subject, ...recipient }), { everyDays });
      return asked;
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // Who is asked for it already is not asked again.
    if (error.code === 'CONFLICT') return asked;
    return hoursAfter(now, error.code === 'TOO_MANY_REQUESTS' ? 1 : 24);
  }
}

/** Asks for a paper, unless it is needed no more or another process does so. */
async function take(database: Database, due: DuePaper, now: Date, asking: AskingSettings): Promise<void> {
  const { id, organizationId, teamId, kind, holderId, requirementId, dedupeKey } = due;
  const papers = await papersToAsk({ run: (statement) => database.query(statement) }, kind, holderId, now);
  const paper = papers.find((one) => one.requirementId === requirementId && one.dedupeKey === dedupeKey);
  const session = new Session(database, { caller: gatewayCaller(organizationId, teamId), now, asking });
  await despiteDeadlocks(() =>
    session.inTransaction(async (tx) => {
      const lock = sql`
        SELECT id FROM asked_papers WHERE id = ${id}::uuid AND due_at <= ${now}::timestamptz FOR UPDATE SKIP LOCKED`;
      if ((await tx.run(prepared('asked_papers.lock', lock))).length === 0) return;
      // It is noted again when it is needed again.
      const drop = sql`DELETE FROM asked_papers WHERE id = ${id}::uuid`;
      if (!paper) return void (await tx.run(prepared('asked_papers.drop', drop)));
      const settle = sql`
        UPDATE asked_papers SET due_at = ${await askFor(tx, session, due, paper)}::timestamptz WHERE id = ${id}::uuid`;
      await tx.run(prepared('asked_papers.settle', settle));
    }),
  );
}

/** Lets a paper that cannot be asked for wait. It must keep no other one from its turn. */
async function postpone(database: Database, { id }: DuePaper, now: Date): Promise<void> {
  const later = sql`
    UPDATE asked_papers SET due_at = ${hoursAfter(now, 1)}::timestamptz
    WHERE id = ${id}::uuid AND due_at <= ${now}::timestamptz`;
  await database.query(prepared('asked_papers.later', later));
}

/**
 * Asks for papers that requirements ask for by themselves. Each is asked for once, however many processes do this.
 * @param onFault is called for a paper that cannot be asked for; it waits an hour
 * @returns whether there may be more
 */
export async function askByThemselves(
  database: Database,
  now: Date,
  onFault?: (error: Error) => void,
  asking: AskingSettings = usualAsking,
): Promise<boolean> {
  const find = sql`
    SELECT paper.id, paper.organization_id AS "organizationId", paper.team_id AS "teamId",
      paper.requirement_id AS "requirementId", paper.dedupe_key AS "dedupeKey", lower(own.kind::text) AS kind,
      own.holder_id AS "holderId", requirement.ask_to AS "askTo", requirement.ask_every_days AS "everyDays"
    FROM asked_papers AS paper JOIN requirements AS requirement ON requirement.id = paper.requirement_id
    JOIN holder_compliances AS own ON own.id = paper.compliance_id
    WHERE paper.due_at <= ${now}::timestamptz AND ${notFrozen('paper')}
    ORDER BY paper.due_at, paper.id LIMIT ${raw(String(page))}`;
  const papers = await database.query<DuePaper>(prepared('asked_papers.due', find));
  for (const paper of papers) {
    try {
      await take(database, paper, now, asking);
    } catch (error) {
      if (isOutage(error)) throw error;
      await postpone(database, paper, now);
      onFault?.(error as Error);
      // What waits for one lock may wait for each: the others have their turns in the next look.
      if (isLockTimeout(error)) throw error;
    }
  }
  return papers.length === page;
}
