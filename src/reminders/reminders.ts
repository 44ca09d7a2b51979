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
  /** True if mail can be sent. Until then nothing is decided: when it is set up, what was missed is. */
  readonly isMailSetUp: boolean;
  /** Address that all reminders of the demo go to; absent: nowhere. */
  readonly demoMailTo?: string | undefined;
  /** Told how many reminders were decided, and how, whenever some were. */
  readonly onDecided?: ((decided: DecidedCounts) => void) | undefined;
  /** Milliseconds between two looks. */
  readonly tickMs?: number;
}

/** Most transactions of one look. There is another one soon. */
const mostRounds = 100;

/**
 * Decides all that is due now. That is jobs, days that have begun, items that changed, and slots that have come.
 * @returns how many reminders are told
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
  if (!isMailSetUp) {
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
 * Decides what is due, again and again. Any number of processes may: locks and the ledger's unique key keep each
 * reminder one.
 * @returns ends that, and waits for what is under way
 */
export function startReminders(options: ReminderOptions): () => Promise<void> {
  const { log, tickMs = 1_000 } = options;
  const onFault = (err: Error, teamId: string) => log.error({ err, teamId }, 'a workspace is not reminded');
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
