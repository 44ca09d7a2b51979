import type { Logger } from 'pino';
import type { Database } from '../db/connection/database.js';
import { beginDay } from './days/days.js';
import { dropChecks, evaluateChecks } from './evaluate/checks.js';
import type { DecidedCounts, EvaluateOptions } from './evaluate/decide-items.js';
import { evaluateWorkspace } from './evaluate/evaluate.js';
import { workOnJob } from './evaluate/jobs.js';

/** Settings of the decisions about reminders. */
export interface ReminderOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /**
   * Returns whether mail can be sent. Nothing is decided before; once mail is set up, missed reminders are
   * decided.
   */
  readonly isMailSetUp: () => boolean;
  /** Address for all reminders of the demo. Without it, they are not sent. */
  readonly demoMailTo?: string | undefined;
  /** Called with the numbers of decided reminders, whenever there are some. */
  readonly onDecided?: ((decided: DecidedCounts) => void) | undefined;
  /** Milliseconds between two looks. */
  readonly tickMs?: number;
}

/** The most transactions of one look. The next look follows soon. */
const mostRounds = 100;

/**
 * Decides everything that is due now: jobs, new days, changed items, and slots.
 * @returns the number of reminders to send
 */
export async function evaluateReminders({
  database,
  clock,
  isMailSetUp,
  demoMailTo,
  onDecided,
  onFault,
}: Pick<ReminderOptions, 'database' | 'clock' | 'isMailSetUp' | 'demoMailTo' | 'onDecided'> &
  Pick<EvaluateOptions, 'onFault'>): Promise<number> {
  let told = 0;
  for (const work of [workOnJob, beginDay]) {
    for (let rounds = 0; rounds < mostRounds && (await work(database, clock(), { onFault })); rounds++);
  }
  if (!isMailSetUp()) {
    await dropChecks(database);
    return 0;
  }
  for (const evaluate of [evaluateChecks, evaluateWorkspace]) {
    for (let rounds = 0; rounds < mostRounds; rounds++) {
      const evaluated = await evaluate(database, clock(), { demoMailTo, onFault });
      told += evaluated.told;
      onDecided?.(evaluated);
      if (!evaluated.worked) break;
    }
  }
  return told;
}

/**
 * Decides what is due at an interval. Any number of processes may do so: locks and the ledger's unique key
 * prevent duplicate reminders.
 * @returns a function that stops it, and waits for a look in progress
 */
export function startReminders(options: ReminderOptions): () => Promise<void> {
  const { log, tickMs = 1_000 } = options;
  const onFault = (err: Error, teamId: string) =>
    log.error({ err, teamId }, 'reminders of a workspace cannot be decided');
  let underWay: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    underWay ??= evaluateReminders({ ...options, onFault })
      .catch((err: Error) => log.warn({ reason: err.message }, 'reminders cannot be decided'))
      .finally(() => {
        underWay = undefined;
      });
  }, tickMs);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
