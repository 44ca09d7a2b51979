import { prepared } from '../db/connection/statement.js';
import type { Runs, Transaction } from '../db/connection/transaction.js';
import { tables } from '../db/sql/models.js';
import { raw, sql } from '../db/sql/sql.js';
import type { Compliance } from '../domain/compliance.js';
import { addDays, formatDate, parseDate } from '../domain/dates.js';
import type { HolderKind } from '../items/holders.js';
import { evaluate, factsSql, type HolderFacts } from './ask.js';

/** A paper of a record that a requirement asks for by itself. */
export interface PaperToAsk {
  readonly holderId: string;
  readonly requirementId: string;
  /** The best paper there is, to be renewed. Null if there is none. */
  readonly itemId: string | null;
  /** The paper and its date, which is asked for once. */
  readonly dedupeKey: string;
}

/** Papers of a record that requirements ask for, and the day of the next one. */
interface Asking {
  readonly papers: readonly PaperToAsk[];
  readonly nextOn: Date | null;
}

/** Finds the papers of a record that requirements ask for. They are missing, or expire soon. */
export function askingOf(
  { id, rules, items }: HolderFacts,
  { checks, today }: Pick<Compliance, 'checks'> & { readonly today: Date },
): Asking {
  const papers: PaperToAsk[] = [];
  let nextOn: Date | null = null;
  for (const { requirementId, state, itemId } of checks) {
    const rule = rules.find((one) => one.id === requirementId);
    if (!rule?.askTo || state === 'EXEMPT') continue;
    const date = items.find((item) => item.id === itemId)?.expirationDate;
    const ends = date ? parseDate(date) : undefined;
    if (itemId && !ends) continue;
    const askOn = ends ? addDays(ends, -(rule.askDaysBefore ?? 0)) : today;
    if (askOn <= today)
      papers.push({
        holderId: id,
        requirementId,
        itemId,
        dedupeKey: ends ? `${itemId} ${formatDate(ends)}` : 'none',
      });
    else if (!nextOn || askOn < nextOn) nextOn = askOn;
  }
  return { papers, nextOn };
}

/** Notes papers of records of a kind that are to be asked for. Each is noted once. */
export async function notePapers(
  tx: Transaction,
  kind: HolderKind,
  papers: readonly PaperToAsk[],
  now: Date,
): Promise<void> {
  if (papers.length === 0) return;
  const insert = sql`
    INSERT INTO asked_papers (organization_id, team_id, requirement_id, compliance_id, dedupe_key, due_at, created)
    SELECT own.organization_id, own.team_id, paper."requirementId", own.id, paper."dedupeKey",
      ${now}::timestamptz, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(papers)}::jsonb) AS paper ("holderId" uuid, "requirementId" uuid, "dedupeKey" text)
    JOIN holder_compliances AS own ON own.kind = ${raw(`'${kind.toUpperCase()}'::holder_kind`)} AND own.holder_id = paper."holderId"
    JOIN requirements AS requirement ON requirement.id = paper."requirementId"
    ORDER BY own.id, paper."requirementId" ON CONFLICT DO NOTHING`;
  await tx.run(prepared(`asked_papers.note_${kind}`, insert));
}

/** Finds the papers that requirements ask of a record now. The gateway itself sees all of them. */
export async function papersToAsk(
  on: Runs,
  kind: HolderKind,
  id: string,
  now: Date,
): Promise<readonly PaperToAsk[]> {
  const statement = sql`SELECT ${factsSql(kind)} FROM ${raw(tables[kind])} AS record WHERE record.id = ${id}::uuid`;
  const [facts] = await on.run<HolderFacts>(prepared(`asked_papers.facts_${kind}`, statement));
  return facts ? askingOf(facts, evaluate(kind, facts, now)).papers : [];
}
