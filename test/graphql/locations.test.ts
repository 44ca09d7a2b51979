import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { operationsOn } from './records.declared.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const { create, update, replace, patch, list, remove } = operationsOn('Location');
let count = 0;
const make = async (input: object = {}) =>
  (await ask(gateway, create, { input: { name: `Place ${++count}`, ...input } })).record;

test('a location lies in none of those that lie in it, whatever the mutation', async () => {
  const top = await make();
  const bottom = await make({ parentLocationId: top.id });
  const parentLocationId = bottom.id;
  const operations = [{ op: 'replace', path: '/parentLocationId', value: parentLocationId }];
  const refused = [
    refusal(gateway, update, { id: top.id, input: { parentLocationId } }),
    refusal(gateway, replace, { id: top.id, input: { name: 'Top', parentLocationId } }),
    refusal(gateway, update, { id: top.id, input: { parentLocationId: top.id } }),
  ];
  for (const work of refused) await expectRefusal(work, 'BAD_REQUEST', 'parentLocationId', /itself/);
  const patched = refusal(gateway, patch, { id: top.id, operations });
  await expectRefusal(patched, 'BAD_REQUEST', undefined, /parentLocationId: must not be the location itself/);
});

test('is filtered by its parent, one level down', async () => {
  const top = await make();
  const middle = await make({ parentLocationId: top.id });
  await make({ parentLocationId: middle.id });
  const { list: found } = await ask(gateway, list, { filter: { parentLocationId: top.id } });
  expect(found).toEqual({ totalCount: 1, nodes: [middle] });
});

test('deleting a location whose child would then share a name with another: CONFLICT', async () => {
  const top = await make();
  await make({ parentLocationId: top.id, name: 'Twin' });
  await make({ name: 'twin' });
  await expectRefusal(refusal(gateway, remove, { id: top.id }), 'CONFLICT', 'name');
});
