import { afterAll, beforeAll, expect, test } from 'vitest';
import { nowhere } from '../rest/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { settle } from '../support/statements.js';
import { describeRecords, expectStatements, operationsOf, type Records } from './records.js';
import { ask, expectRefusal, refusal } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await settle(gateway);
});
afterAll(() => gateway.close());

const records: Records = {
  gateway: () => gateway,
  type: 'ContactType',
  one: 'contactType',
  many: 'contactTypes',
  kind: 6,
  noun: 'contact type',
  plain: { isActive: false },
  blank: { name: null, isActive: true },
  needed: undefined as never,
  links: async () => ({ teamId: { value: gateway.otherTeamId, shown: 'team' } }),
  searched: ['name'],
};
