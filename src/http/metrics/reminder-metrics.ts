import type { Registry } from 'prom-client';
import { type RemindersState, remindersState } from '../../reminders/state.js';
import { type DatabaseMetricsOptions, sharedGauges } from './database-metrics.js';

/** Measures the queue of mails, and whether reminders are decided in time. All processes read the same values. */
export function measureReminders(
  { database, clock }: Pick<DatabaseMetricsOptions, 'database' | 'clock'>,
  registers: Registry[],
): void {
  const { gauge } = sharedGauges<RemindersState>(() => remindersState(database), registers);
  gauge(
    'gateway_deliveries_queue',
    'Mails that wait to be sent, or are being sent, digests of later included; counted up to 10,000.',
    'max',
    (state) => state?.queued,
  );
  gauge(
    'gateway_reminder_lag_seconds',
    'How long ago reminders of some workspace were to be decided; 0 when none are late.',
    'max',
    (state) => state && Math.max(0, state.next ? clock().getTime() - state.next.getTime() : 0) / 1_000,
  );
}
