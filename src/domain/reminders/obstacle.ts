/** State of all workers together, as it bears on reminders. */
export interface WorkersState {
  /** Number of workers that have reported within the last minute. */
  readonly running: number;
  /** Time of the last report of any worker. */
  readonly seenAt: Date | null;
  /** Time at which any worker last looked for reminders that are due. */
  readonly decidedAt: Date | null;
  /** Time since which no running worker with mail has looked for due reminders. A new one counts from its start. */
  readonly idleSince: Date | null;
  /** True if a running worker has a mail server; null when none runs. */
  readonly hasMail: boolean | null;
  /** True if a running worker has `DEMO_MAIL_TO`; null when none runs. */
  readonly hasDemoMail: boolean | null;
  /** Problem of the mail server at the last try; null when it took the mail. */
  readonly mailProblem: string | null;
}

/** Obstacles to sending reminders, the one that hides the others first. */
export const reminderObstacles = ['NO_WORKER', 'NO_MAIL', 'MAIL_REFUSED', 'STANDSTILL'] as const;

/** Obstacle that keeps reminders from being sent. */
export type ReminderObstacle = (typeof reminderObstacles)[number];

/** Milliseconds that decisions may be late before they are said to stand still. */
export const standstillMs = 600_000;

/**
 * Names what keeps reminders from being sent, if anything does.
 * @param lateSince since when some workspace waits to be decided, or cannot be; null when none does
 */
export function obstacleOf(
  { running, hasMail, mailProblem, idleSince }: WorkersState,
  lateSince: Date | null,
  now: Date,
): ReminderObstacle | null {
  if (running === 0) return 'NO_WORKER';
  if (!hasMail) return 'NO_MAIL';
  if (mailProblem !== null) return 'MAIL_REFUSED';
  const standsStill = (since: Date | null) =>
    since !== null && now.getTime() - since.getTime() >= standstillMs;
  return standsStill(lateSince) || standsStill(idleSince) ? 'STANDSTILL' : null;
}
