import type { TestGateway } from '../support/gateway.js';
import type { Records } from './records.js';

/** Workspaces, for the tests that apply to every kind of record. */
export const recordsOf = (gateway: () => TestGateway): Records => ({
  gateway,
  type: 'Team',
  one: 'team',
  many: 'teams',
  kind: 9,
  noun: 'workspace',
  plain: () => ({ name: 'Night shift', isActive: false, timezone: 'Asia/Calcutta', reminderDays: 3_650 }),
  blank: { name: '', isActive: true, timezone: 'UTC', reminderDays: 30 },
  needed: () => ({ name: 'Depot' }),
  links: async () => ({}),
  searched: ['name'],
});
