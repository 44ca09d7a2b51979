import type { Database } from '../../db/connection/database.js';
import type { Statement } from '../../db/connection/statement.js';
import { readSilence, silentText } from '../../db/queue/loop.js';
import { formatDate } from '../../domain/dates.js';
import { reasonText } from '../../domain/reminders/reasons.js';
import { catchUp } from '../../reminders/evaluate/evaluation.js';
import { isMailStored, notSetUp } from '../../reminders/mail-server.js';
import { listUpcoming, type UpcomingReminder } from '../../reminders/queries/upcoming.js';
import { findOrganization } from '../../setup/accounts.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, print, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { type Column, type ListOptions, printTable } from '../terminal/table.js';

/** Options of `reminders preview`. */
interface PreviewOptions extends ListOptions {
  readonly days: number;
  readonly organization?: string;
}

/** Rows read at a time, and the most rows shown. */
const [pageSize, maxRows] = [1_000, 10_000];

/** A reminder to one recipient, as it is shown. */
interface Row {
  readonly at: string;
  readonly workspace: string;
  readonly item: string;
  readonly expires: string;
  readonly why: string;
  readonly to: string;
  /** Reason why nothing is sent to them; null if something is. */
  readonly not: string | null;
}

/** Describes the step of a reminder: "30 days before, by Standard". */
function whyOf({ about, step, occurrence, isAfterSnooze }: UpcomingReminder, policy: string): string {
  const days = step.offsetDays + occurrence * (step.repeatEveryDays ?? 0);
  const count = Math.abs(days);
  const words = `${count} day${count === 1 ? '' : 's'} ${days < 0 ? 'before' : 'after'}`;
  const when = isAfterSnooze ? 'postponed until then' : days === 0 ? 'on the day' : words;
  const date = about === 'NOTICE' ? ' (last day to give notice)' : '';
  return `${when}${date}${occurrence > 0 ? `, repetition ${occurrence}` : ''}, by "${policy}"`;
}

async function toRows(database: Database, found: readonly UpcomingReminder[]): Promise<Row[]> {
  const { prisma } = database;
  const [teams, policies] = await Promise.all([
    prisma.team.findMany({
      where: { id: { in: found.map(({ teamId }) => teamId) } },
      select: { id: true, name: true },
    }),
    prisma.reminderPolicy.findMany({
      where: { id: { in: found.map(({ step }) => step.policyId) } },
      select: { id: true, name: true },
    }),
  ]);
  const names = new Map([...teams, ...policies].map(({ id, name }) => [id, name]));
  const rows = found.map(async (one): Promise<Row[]> => {
    const row = {
      at: one.at.toISOString(),
      workspace: names.get(one.teamId) ?? '',
      item: one.itemName,
      expires: formatDate(one.date),
      why: whyOf(one, names.get(one.step.policyId) ?? ''),
    };
    const recipients = await one.recipients();
    if (recipients.length === 0) return [{ ...row, to: '', not: 'There is nobody left to remind.' }];
    return recipients.map(({ address, reason }) => ({ ...row, to: address, not: reasonText(reason) }));
  });
  return (await Promise.all(rows)).flat();
}

const columns: Column<Row>[] = [
  { title: 'WHEN', cell: ({ at }) => at, short: ({ at }) => at.slice(0, 16).replace('T', ' '), isKey: true },
  { title: 'WORKSPACE', cell: ({ workspace }) => workspace, onlyIfVaried: true },
  { title: 'ITEM', cell: ({ item }) => item },
  { title: 'DATE', cell: ({ expires }) => expires },
  { title: 'TO', cell: ({ to, not }) => (not === null ? to : `${to} (not sent: ${not})`) },
  { title: 'WHY', cell: ({ why }) => why },
];

/** Lists the reminders of the next days with recipients and reasons. Nothing is decided or sent. */
export async function previewCommand(io: Io, options: PreviewOptions): Promise<void> {
  const config = readSettings(io.env, 'reminders preview');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const { organization, days } = options;
    const only = organization === undefined ? undefined : (await findOrganization(database, organization)).id;
    const teams = await database.prisma.team.findMany({
      where: { isActive: true, ...(only !== undefined && { organizationId: only }) },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      select: { id: true },
    });
    const on = { run: <Row>(statement: Statement) => database.query<Row>(statement) };
    const query = { teamIds: teams.map(({ id }) => id), now: new Date(), days, limit: pageSize };
    const found: UpcomingReminder[] = [];
    let isMore = true;
    while (isMore && found.length < maxRows) {
      const page = await listUpcoming(on, { ...query, after: found.at(-1) });
      found.push(...page);
      isMore = page.length === pageSize;
    }
    const rows = await toRows(database, found);
    await printTable(io, options, {
      rows,
      columns,
      empty: `No reminders are due in the next ${days} days.`,
    });
    if (isMore) await print(io.stderr, `These are only the first ${found.length}; there are more.`);
    if (!config.mail && !(await isMailStored(database))) await print(io.stderr, notSetUp);
    if (await readSilence(database)) await print(io.stderr, silentText);
  });
}

/** Options of `reminders run`. */
interface RunOptions extends ReportOptions {
  readonly until?: Date;
}

/**
 * Decides everything that came due up to a given time. `serve` or `worker` send the mails.
 * @throws {Error} if mail is not set up, because nobody would get the decided reminders
 */
export async function runCommand(io: Io, options: RunOptions): Promise<void> {
  const config = readSettings(io.env, 'reminders run');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    if (!config.mail && !(await isMailStored(database)))
      throw new Error(`${notSetUp} Until then no reminders are decided, so that none are missed.`);
    if (await readSilence(database)) throw new Error(silentText);
    const until = options.until ?? new Date();
    const told = await catchUp(database, until, config.demoMailTo);
    const text = `Decided everything due until ${until.toISOString()}: ${told} reminders will be sent.`;
    await report(io, options, { until: until.toISOString(), told }, text);
  });
}
