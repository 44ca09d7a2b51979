import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { expectNoTrace, made } from './records.js';
import { expectBadRequest, expectError, nowhere } from './support.js';

const gateway = useGateway();

const path = '/v1/locations';
const make = (name: string | null, parent?: { id: string }) =>
  made(gateway, path, { name, ...(parent && { parent_location_id: parent.id }) });
const move = ({ id }: { id: string }, parent: { id: string } | null, token?: string) =>
  gateway.send('PATCH', `${path}/${id}`, {
    body: [{ op: 'replace', path: '/parent_location_id', value: parent?.id ?? null }],
    ...(token && { token }),
  });

test('400: it does not exist before it is made, so it cannot be its own parent', async () => {
  const body = { id: nowhere, parent_location_id: nowhere };
  await expectNoTrace(gateway, async () =>
    expectBadRequest(await gateway.send('POST', path, { body }), /^parent_location_id\b/),
  );
});

describe('one name is one location under a parent', () => {
  test('409: on create, on renaming and on moving there', async () => {
    const [here, there] = [await make('Here'), await make('There')];
    const first = await make('Shelf', here);
    const second = await make(' SHELF', there);
    const third = await make('Rack', here);
    await expectNoTrace(gateway, async () => {
      const body = { name: 'shelf ', parent_location_id: here.id };
      expectError(await gateway.send('POST', path, { body }), 409, 'CONFLICT', /^name\b/);
      expectError(await move(second, here), 409, 'CONFLICT', /^name\b/);
      const operations = [{ op: 'replace', path: '/name', value: 'shelf' }];
      const renamed = await gateway.send('PATCH', `${path}/${third.id}`, { body: operations });
      expectError(renamed, 409, 'CONFLICT', /\bname\b/);
    });
    expect((await move(first, null)).status).toBe(200);
    expect((await move(second, here)).status).toBe(200);
  });

  test('409: outside of any other, in any workspace; no name collides with nothing', async () => {
    await made(gateway, path, { name: 'Root', team_id: gateway.otherTeamId });
    await expectNoTrace(gateway, async () => {
      expectError(await gateway.send('POST', path, { body: { name: 'ROOT' } }), 409, 'CONFLICT', /^name\b/);
    });
    for (const name of [null, null, '', '']) await make(name);
  });
});

describe('a location never lies in itself', () => {
  test('400: not directly, not through others', async () => {
    const top = await make('Top');
    const middle = await make('Middle', top);
    const bottom = await make('Bottom', middle);
    await expectNoTrace(gateway, async () => {
      for (const parent of [top, middle, bottom]) {
        expectBadRequest(await move(top, parent), /\bparent_location_id\b.*itself/);
      }
    });
    expect((await move(bottom, top)).status).toBe(200);
    expect((await move(middle, bottom)).status).toBe(200);
  });

  test('moves at once build no circle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ring = await Promise.all(Array.from({ length: 8 }, () => make(null)));
      const moves = await Promise.all(
        ring.map((location, i) => move(location, ring[(i + 1) % ring.length] as { id: string })),
      );
      // Each alone is right; one had to be the last, and closes the ring.
      expect(moves.filter(({ status }) => status === 200)).toHaveLength(ring.length - 1);
      expectBadRequest(moves.find(({ status }) => status !== 200) as (typeof moves)[number], /itself/);
    }
  });
});

test('a move takes two statements more than another change, whatever the depth', async () => {
  let deepest = await make(null);
  for (let depth = 0; depth < 10; depth += 1) deepest = await make(null, deepest);
  const location = await make(null);
  const changed = ['locations.update', 'COMMIT'];
  const begin = ['locations.lock'];
  const moved = await namesOf(gateway, () => move(location, deepest));
  expect(moved).toEqual([
    ...begin,
    ...['locations.find', 'locations.lock_moves', 'locations.look_above'],
    ...changed,
  ]);
  expect(await namesOf(gateway, () => move(location, null))).toEqual([...begin, ...changed]);
});
