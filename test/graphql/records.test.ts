import { describe, expect, test } from 'vitest';
import { models } from '../../src/domain/models.js';
import { useGateway } from '../support/gateway.js';
import { recordsOf, written } from './records.declared.js';
import { describeRecords } from './records.js';

const gateway = useGateway();

describe.each([...written])('%s', (_type, resource) => describeRecords(recordsOf(() => gateway, resource)));

test('kinds have the numbers of the contract', () => {
  const kinds = Object.fromEntries([...written.keys()].map((type) => [type, models[type]]));
  expect(kinds).toMatchObject({
    Category: { entityType: 2 },
    Vehicle: { entityType: 3 },
    Company: { entityType: 4 },
    Contact: { entityType: 5 },
    ContactType: { entityType: 6 },
    Location: { entityType: 7 },
    Note: { entityType: 8 },
    Team: { entityType: 9 },
    Tag: { entityType: 10 },
  });
});
