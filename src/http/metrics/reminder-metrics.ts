import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { WorkersState } from '../../domain/reminders/obstacle.js';
import { isMailStored } from '../../reminders/mail-server.js';
import type { MailingEvents } from '../../reminders/mailing.js';
import { type RemindersState, remindersState } from '../../reminders/send/queue.js';
import { deliveryOutcomes } from '../../reminders/send/sender.js';
import { readWorkers } from '../../reminders/workers.js';
import type { MessageEvents } from '../../webhooks/send/sending.js';
import { messageOutcomes } from '../../webhooks/send/settle.js';
import { type DatabaseMetricsOptions, sharedGauges } from './database-metrics.js';

/** Measures the workers that run, and whether they have a mail server. These metrics do not need mail. */
export function measureWorkers(
  { database, clock, hasMail }: Pick<DatabaseMetricsOptions, 'database' | 'clock' | 'hasMail'>,
  registers: Registry[],
): void {
  const { gauge } = sharedGauges<WorkersState>(() => readWorkers(database, clock()), registers);
  gauge(
    'gateway_workers_running',
    'Workers in all processes that have reported within the last minute. They file uploads and send reminders.',
    'min',
    (state) => state?.running,
  );
  gauge(
    'gateway_database_silent',
    'Whether the database was restored and nothing is sent, until somebody says that it is the real one.',
    'max',
    (state) => state && (state.isSilent ? 1 : 0),
  );
  gauge(
    'gateway_mail_configured',
    'Whether a running worker has a mail server (SMTP_URL); without one, no reminder is decided or sent.',
    'min',
    (state) => ((state?.hasMail ?? hasMail) ? 1 : 0),
  );
  gauge(
    'gateway_reminders_decided_age_seconds',
    'Time since a worker last looked for reminders that are due; no sample if none has.',
    'max',
    (state) => state?.decidedAt && Math.max(0, clock().getTime() - state.decidedAt.getTime()) / 1_000,
  );
}

/**
 * Measures the queue of mails, and whether reminders are decided on time. All processes read the same values.
 */
export function measureReminders(
  { database, clock, hasMail }: Pick<DatabaseMetricsOptions, 'database' | 'clock' | 'hasMail'>,
  registers: Registry[],
): void {
  // Without a mail server nothing is decided or sent, and how late that is means nothing.
  const read = async () => (hasMail || (await isMailStored(database)) ? remindersState(database) : undefined);
  const { gauge } = sharedGauges<RemindersState | undefined>(read, registers);
  gauge(
    'gateway_deliveries_queue',
    'Mails waiting to be sent or being sent, including digests for later; counted up to 10,000.',
    'max',
    (state) => state?.queued,
  );
  gauge(
    'gateway_reminder_lag_seconds',
    'How late the decision on reminders is, for the workspace that has waited longest; 0 if none is late.',
    'max',
    (state) => state && Math.max(0, state.next ? clock().getTime() - state.next.getTime() : 0) / 1_000,
  );
  gauge(
    'gateway_delivery_oldest_age_seconds',
    'How late the oldest waiting mail is, including retries; 0 if none is late.',
    'max',
    (state) => state && Math.max(0, state.oldest ? clock().getTime() - state.oldest.getTime() : 0) / 1_000,
  );
}

/**
 * Histogram buckets in seconds. A mail server takes a mail within a second, and is given up after half a
 * minute.
 */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures a process's decisions about reminders, its mails and its webhook messages. */
export function measureMailing(registers: Registry[]): Required<MailingEvents & MessageEvents> {
  const decided = new Counter({
    name: 'gateway_reminders_decided_total',
    help: 'Decided reminders: told (will be sent), skipped (only recorded), or without_recipient.',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'gateway_delivery_duration_seconds',
    help: 'Duration of an attempt to send a mail, chat or webhook message, by outcome.',
    labelNames: ['kind', 'outcome'],
    buckets,
    registers,
  });
  // A counter that first appears with the value 1 hides the first failure from `rate`.
  for (const outcome of ['told', 'skipped', 'without_recipient']) decided.inc({ outcome }, 0);
  for (const outcome of deliveryOutcomes) durations.zero({ kind: 'mail', outcome });
  for (const outcome of deliveryOutcomes) durations.zero({ kind: 'chat', outcome });
  for (const outcome of messageOutcomes) durations.zero({ kind: 'webhook', outcome });
  let isServerUp: boolean | undefined;
  new Gauge({
    name: 'gateway_mail_up',
    help: 'Whether the mail server accepted the last mail or greeting; no sample in a process that sends no mail.',
    registers,
    collect() {
      if (isServerUp === undefined) this.remove();
      else this.set(isServerUp ? 1 : 0);
    },
  });
  return {
    onDecided({ told, skipped, withoutRecipient }) {
      decided.inc({ outcome: 'told' }, told);
      decided.inc({ outcome: 'skipped' }, skipped);
      decided.inc({ outcome: 'without_recipient' }, withoutRecipient);
    },
    onDelivered: (outcome, ms) => durations.observe({ kind: 'mail', outcome }, ms / 1_000),
    onChat: (outcome, ms) => durations.observe({ kind: 'chat', outcome }, ms / 1_000),
    onSent: (outcome, ms) => durations.observe({ kind: 'webhook', outcome }, ms / 1_000),
    onServer(problem) {
      isServerUp = problem === undefined;
    },
  };
}
