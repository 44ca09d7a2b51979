import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { nextData, post, quiet, subscribe } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await quiet(gateway);
});
afterAll(() => gateway.close());

async function made(path: string, body: object): Promise<string> {
  const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
  expect(status, text).toBe(201);
  return json.id;
}

test('a subscriber hears of records whose compliance changes, and that match the filter then', async () => {
  const type = await made('categories', { name: 'Insurance' });
  await made('requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: [type] });
  const there = { team_id: gateway.otherTeamId };
  const elsewhere = await made('categories', { name: 'Insurance there', ...there });
  await made('requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: [elsewhere], ...there });
  const evaluate = () => evaluateTurns(gateway.database, () => gateway.clock.now);
  const follow = (filter: string, token: string) =>
    subscribe(gateway, {
      query: `subscription { complianceChanged(filter: ${filter}) { holderKind holderId name state holder { __typename } } }`,
      token,
    });
  const lacking = await follow('{ state: NON_COMPLIANT }', gateway.viewer);
  const trucks = await follow('{ kind: VEHICLE, term: "truck" }', gateway.admin);
  const change = (holderId: string, name: string, state: string) => ({
    complianceChanged: {
      ...{ holderKind: 'VEHICLE', holderId, name, state },
      holder: { __typename: 'Vehicle' },
    },
  });
  const hidden = await made('vehicles', { name: 'Truck there', ...there });
  await evaluate();
  const truck = await made('vehicles', { name: 'Truck 8' });
  await evaluate();
  expect(await nextData(trucks)).toEqual(change(hidden, 'Truck there', 'NON_COMPLIANT'));
  expect(await nextData(trucks)).toEqual(change(truck, 'Truck 8', 'NON_COMPLIANT'));
  // The viewer does not see the other workspace.
  expect(await nextData(lacking)).toEqual(change(truck, 'Truck 8', 'NON_COMPLIANT'));
  const body = { name: 'Policy', category: { id: type }, expiration_date: '2030-01-31' };
  const item = await made('expirationitems', body);
  const holders = { holders: [{ kind: 'vehicle', id: truck }] };
  await gateway.send('POST', `/v1/expirationitems/${item}/holders`, { body: holders });
  await evaluate();
  expect(await nextData(trucks)).toEqual(change(truck, 'Truck 8', 'COMPLIANT'));
  const van = await made('vehicles', { name: 'Van 9' });
  await evaluate();
  expect(await nextData(lacking)).toEqual(change(van, 'Van 9', 'NON_COMPLIANT'));
  for (const stream of [lacking, trucks]) await stream.return?.();
});

test('a filter that is not valid is refused', async () => {
  const query = 'subscription { complianceChanged(filter: { within: -1 }) { id } }';
  const text = await (await post(gateway, { query })).text();
  expect(text).toContain('BAD_REQUEST');
  expect(text).toContain('filter.within');
});
