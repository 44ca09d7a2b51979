import type pg from 'pg';
import { pino } from 'pino';
import { checkSample, evaluateTurns } from '../../src/compliance/turns.js';
import { purgeExpired } from '../../src/db/bin/bin.js';
import { forgetChanges } from '../../src/db/changes/changes.js';
import type { Database } from '../../src/db/connection/database.js';
import type { SentStatement } from '../../src/db/connection/pool.js';
import { readTimes } from '../../src/db/queue/loop.js';
import { setBackTimes } from '../../src/db/queue/queue.js';
import { deleteOldDeliveries, deleteOldEvents } from '../../src/db/retention/retention.js';
import { addUpCounts } from '../../src/db/sql/select.js';
import { claimExports, forgetExports } from '../../src/exports/exports.js';
import { claimImports, forgetImports } from '../../src/imports/queue.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { readWorkers } from '../../src/reminders/health.js';
import { claimDeliveries, remindersState } from '../../src/reminders/send/queue.js';
import { setBackMarks } from '../../src/reminders/set-back.js';
import { askByThemselves } from '../../src/requests/by-itself.js';
import { closeRequests, queueRequestMails } from '../../src/requests/mails.js';
import { forgetSignIns } from '../../src/sign-in/sessions.js';
import { claimUploads, queueState } from '../../src/uploads/queue.js';
import { forgetResumable } from '../../src/uploads/resumable.js';
import { fanOut } from '../../src/webhooks/send/fan-out.js';
import { claimMessages } from '../../src/webhooks/send/sender.js';
import { testTime as now, type TestGateway } from '../support/gateway.js';
import { countOf, noteFigures } from './growth.support.js';
import type { Amounts } from './growth-data.support.js';

/** A claim as a worker makes it. */
const claim = { count: 8, now, leaseUntil: new Date(now.getTime() + 60_000) };
const clock = () => now;
const log = pino({ level: 'silent' });

/** What workers do again and again, whether there is anything to do or not. */
export const works: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'counts are added up': addUpCounts,
  'clocks are compared': readTimes,
  'times are set back': async (database) => [
    await setBackMarks(database, now),
    await setBackTimes(database, now),
  ],
  'workers are listed': (database) => readWorkers(database, now),
  'uploads are claimed': (database) => claimUploads(database, 'FILING', claim),
  'uploads are counted': queueState,
  'imports are claimed': (database) => claimImports(database, claim),
  'exports are claimed': (database) => claimExports(database, claim),
  'mails are claimed': (database) => claimDeliveries(database, { ...claim, host: 'example.com' }),
  'mails are counted': (database) => remindersState(database, now),
  'messages are made': (database) =>
    fanOut({ database, clock, log, readRecord: async () => undefined, origin: async () => undefined }),
  'messages are claimed': (database) => claimMessages(database, claim),
  'reminders are decided': (database) => evaluateReminders({ database, clock, isMailSetUp: () => true }),
  'compliance is evaluated': (database) => evaluateTurns(database, clock),
  'compliance is checked': (database) => checkSample(database, now),
  'requests are closed': (database) => closeRequests(database, now),
  'documents are asked for': (database) => askByThemselves(database, now),
  'requests are mailed': (database) => queueRequestMails(database, now),
  'the bin is emptied': (database) => purgeExpired(database, now),
  'changes are forgotten': (database) => forgetChanges(database, new Date(now.getTime() - 86_400_000)),
  'sessions are forgotten': (database) => forgetSignIns(database, now),
  'resumable uploads are forgotten': (database) => forgetResumable(database, now),
  'imports are forgotten': (database) => forgetImports(database, now),
  'exports are forgotten': (database) => forgetExports(database, now),
  'events are forgotten': (database) => deleteOldEvents(database, now, 130),
  'deliveries are forgotten': (database) => deleteOldDeliveries(database, now, 60),
};

/** Pages of a statement that reads or writes nothing. */
const least = 400;

/** Pages for each row that is given, answered or written, with an entry in each of its indexes. */
const each = 60;

/** Statements that look at each organization. */
const ofOrganizations = new Set(['record_changes.forget']);

/** Returns the number of rows that a value of a statement speaks of: a list, or one in JSON. */
function rowsIn(value: unknown): number {
  const list = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value;
  return Array.isArray(list) ? list.length : 0;
}

/** Returns the number of rows that the values of a statement speak of. */
const rowsGiven = ({ values }: SentStatement) => Math.max(0, ...values.map(rowsIn));

/**
 * Lets workers do all that they do, and returns the statements that read more than in proportion to what they are given,
 * answer or write. They run once more to be counted, which is when the next rows have their turn.
 */
export async function findDearWork(
  gateway: TestGateway,
  client: pg.Client,
  { others }: Amounts,
): Promise<string[]> {
  const dear: string[] = [];
  for (const [name, work] of Object.entries(works)) {
    const sent = await gateway.sentStatements(() => work(gateway.database));
    const texts = new Map<string, SentStatement>();
    for (const statement of sent) texts.set(statement.query, statement);
    for (const statement of texts.values()) {
      const count = await countOf(client, statement);
      if (!count) continue;
      const rows = Math.max(count.rows, rowsGiven(statement));
      const most = least + each * rows + (ofOrganizations.has(statement.name) ? 3 * others : 0);
      const said = `${name}: ${statement.name}: ${count.pages} pages for ${rows} rows`;
      noteFigures(count.pages, most, said);
      if (count.pages > most) dear.push(`${said}, at most ${most}`);
    }
  }
  return dear;
}
