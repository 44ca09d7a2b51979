import type { Database } from '../../src/db/connection/database.js';
import { dayKeys } from '../../src/domain/reminders/due.js';
import { newId } from '../../src/domain/rules.js';
import { evaluateReminders } from '../../src/reminders/reminders.js';
import { createDatabase, createTenant, type Tenant } from '../support/gateway.js';

/** A workspace whose reminders are decided as the test's clock goes. */
export interface World extends Tenant {
  readonly database: Database;
  readonly categoryId: string;
  /** Decides all that is due at a time; answers how many are to be told. */
  at(time: string): Promise<number>;
  /** Makes an item. */
  item(expirationDate: string, values?: object): Promise<string>;
  /** Changes an item. */
  change(id: string, values: object): Promise<unknown>;
  /** Replaces the steps of the workspace's policy. */
  steps(...steps: readonly StepValues[]): Promise<void>;
  /** What the ledger has of an item, the first due first. */
  ledger(id: string): Promise<string[]>;
  /** The deliveries, by address. */
  deliveries(): Promise<
    { address: string; dueAt: Date | null; state: string; subjectKind: string; id: string }[]
  >;
  drop(): Promise<void>;
}

interface StepValues {
  readonly offsetDays: number;
  readonly repeatEveryDays?: number;
  readonly repeatCount?: number;
  readonly onlyUnacknowledged?: boolean;
  readonly recipients?: string[];
  readonly addresses?: string[];
}

/** The time at which a test's workspace begins. */
export const begin = '2027-01-01T00:00:00.000Z';

/** Makes a workspace in a time zone, evaluated up to the test's beginning. */
export async function makeWorld(timezone = 'Europe/Berlin'): Promise<World> {
  // As gateways of tests are: the same holds with row security.
  const rowSecurity = process.env.ROW_SECURITY === 'on';
  const { database, drop } = await createDatabase(undefined, { rowSecurity });
  const { prisma } = database;
  const tenant = await createTenant(database);
  const { organizationId, teamId } = tenant;
  await prisma.team.update({ where: { id: teamId }, data: { timezone } });
  // The rest of the organization keeps out of it.
  await prisma.reminderMark.deleteMany({ where: { teamId: { not: teamId } } });
  await prisma.reminderMark.updateMany({ data: { through: new Date(begin), nextAt: new Date(begin) } });
  const categoryId = newId();
  await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
  const clock = { now: new Date(begin) };
  const touched = () => ({ modified: clock.now });
  return {
    ...tenant,
    database,
    categoryId,
    drop,
    at: (time) => {
      clock.now = new Date(time);
      return evaluateReminders({ database, clock: () => clock.now, isMailSetUp: true });
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
      const leadDays = Math.max(-1, ...steps.map(({ offsetDays }) => -offsetDays));
      await prisma.reminderPolicy.update({ where: { id: policyId }, data: { leadDays } });
    },
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
