import type { Database } from '../../src/db/connection/database.js';
import type { RowOf } from '../../src/db/sql/conditions.js';
import { dayKeys } from '../../src/domain/reminders/decide.js';
import { type ItemDate, leadDays } from '../../src/domain/reminders/policy.js';
import { newId } from '../../src/domain/rules.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { createDatabase, createTenant, type Tenant } from '../support/gateway.js';

/** A workspace whose reminders are decided by the test's clock. */
export interface World extends Tenant {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly categoryId: string;
  /** Names of the statements that were sent so far. */
  readonly sent: readonly string[];
  /** Decides everything that is due at a given time; returns the number of reminders to send. */
  at(time: string): Promise<number>;
  /** Creates an item. */
  item(expirationDate: string, values?: object): Promise<string>;
  /** Changes an item. */
  change(id: string, values: object): Promise<unknown>;
  /** Replaces the steps of the workspace's policy. */
  steps(...steps: readonly StepValues[]): Promise<void>;
  /** The ledger's reminders, first decided first. */
  decided(): Promise<RowOf<'Reminder'>[]>;
  /** The ledger's entries for an item, first due first. */
  ledger(id: string): Promise<string[]>;
  /** The deliveries, by address. */
  deliveries(): Promise<
    { address: string; dueAt: Date | null; state: string; subjectKind: string; id: string }[]
  >;
  drop(): Promise<void>;
}

interface StepValues {
  readonly about?: ItemDate;
  readonly offsetDays: number;
  readonly repeatEveryDays?: number;
  readonly repeatCount?: number;
  readonly onlyUnacknowledged?: boolean;
  readonly recipients?: string[];
  readonly addresses?: string[];
  readonly channelIds?: string[];
}

/** The start time of a test's workspace. */
export const begin = '2027-01-01T00:00:00.000Z';

/** Creates a workspace in a time zone, evaluated up to the test's start time. */
export async function makeWorld(timezone = 'Europe/Berlin'): Promise<World> {
  // Like gateways of tests: the tests must also pass with row-level security.
  const rowSecurity = process.env.ROW_SECURITY === 'on';
  const sent: string[] = [];
  const note = ({ name }: { name?: string }) => void sent.push(name ?? '');
  const { url: databaseUrl, database, drop } = await createDatabase(note, { rowSecurity });
  const { prisma } = database;
  const tenant = await createTenant(database);
  const { organizationId, teamId } = tenant;
  await prisma.team.update({ where: { id: teamId }, data: { timezone } });
  // Keep the rest of the organization out of it.
  await prisma.reminderMark.deleteMany({ where: { teamId: { not: teamId } } });
  await prisma.reminderMark.updateMany({ data: { through: new Date(begin), nextAt: new Date(begin) } });
  const categoryId = newId();
  await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
  const clock = { now: new Date(begin) };
  const touched = () => ({ modified: clock.now });
  return {
    ...tenant,
    database,
    databaseUrl,
    categoryId,
    sent,
    drop,
    at: (time) => {
      clock.now = new Date(time);
      return evaluateReminders({ database, clock: () => clock.now, isMailSetUp: () => true });
    },
    item: async (expirationDate, values = {}) => {
      const id = newId();
      const data = { id, organizationId, teamId, categoryId, name: 'Trade licence', ...touched(), ...values };
      await prisma.expirationItem.create({ data: { ...data, expirationDate: new Date(expirationDate) } });
      return id;
    },
    change: (id, values) =>
      prisma.expirationItem.update({ where: { id }, data: { ...touched(), ...values } }),
    steps: async (...steps) => {
      const { reminderPolicyId: policyId } = await prisma.team.findUniqueOrThrow({ where: { id: teamId } });
      if (policyId === null) throw new Error('The workspace has no policy.');
      await prisma.reminderStep.deleteMany({ where: { policyId } });
      const recipients = ['CONTACTS', 'MAIN_CONTACT', 'ASSIGNEE', 'WATCHERS'];
      await prisma.reminderStep.createMany({
        data: steps.map((step, position) => ({ id: newId(), policyId, position, recipients, ...step })),
      });
      await prisma.reminderPolicy.update({ where: { id: policyId }, data: { leadDays: leadDays(steps) } });
    },
    decided: () =>
      prisma.reminder.findMany({
        where: { stepKey: { notIn: Object.values(dayKeys) } },
        orderBy: [{ decidedAt: 'asc' }, { id: 'asc' }],
      }),
    ledger: async (itemId) => {
      const rows = await prisma.reminder.findMany({
        where: { itemId, stepKey: { notIn: Object.values(dayKeys) } },
        orderBy: [{ slot: 'asc' }, { occurrence: 'asc' }],
      });
      return rows.map(({ slot, state, reason, expirationDate, occurrence }) =>
        [
          slot.toISOString().slice(0, 16),
          Math.round((slot.getTime() - expirationDate.getTime()) / 86_400_000 - 0.4),
          ...(occurrence > 0 && occurrence < 400 ? [`#${occurrence}`] : []),
          state,
          ...(reason && reason !== 'without recipient' ? [reason] : []),
        ].join(' '),
      );
    },
    deliveries: () => prisma.delivery.findMany({ orderBy: [{ address: 'asc' }, { dueAt: 'asc' }] }),
  };
}
