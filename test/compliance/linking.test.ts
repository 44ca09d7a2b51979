import { expect, test } from 'vitest';

/** The console's comparison of names. It is not of this project's types. */
const place = '../../console/src/compliance/linking';
const { matchesOf } = await import(place);

const truck = {
  kind: 'VEHICLE',
  id: 'truck',
  name: 'Truck 101',
  licensePlate: 'B-XY 1234',
  vin: 'WDB9634031L123456',
};
const old = { kind: 'VEHICLE', id: 'old', name: 'Truck', licensePlate: null, vin: null };
const anna = { kind: 'CONTACT', id: 'anna', name: 'Anna Müller' };
const [twin, other] = ['twin', 'other'].map((id) => ({ kind: 'LOCATION', id, name: 'Yard' }));

/** Returns the ids of the records that an item names, with the words. */
const named = (name: string): readonly string[] =>
  matchesOf([{ id: 'item', version: '1', name }], [truck, old, anna, twin, other]).map(
    ({ holder, words }: { holder: { id: string }; words: string }) => `${holder.id}: ${words}`,
  );

test.each([
  ['Registration Truck 101', ['truck: Truck 101']],
  ['registration TRUCK-101', ['truck: TRUCK 101']],
  ['Registration Truck 1010', ['old: Truck']],
  ['Tax bxy1234', ['truck: bxy1234']],
  ['Tax B XY 1234 (copy)', ['truck: B XY 1234']],
  ['Lease wdb9634031l123456', ['truck: wdb9634031l123456']],
  ['Licence of Anna Müller, Truck 101', ['anna: Anna Müller', 'truck: Truck 101']],
  ['Anna', []],
  ['Yard permit', []],
  ['Xtruck', []],
  ['', []],
])('%s names %j', (name, expected) => expect([...named(name)].sort()).toEqual(expected));

test('a plate that two vehicles have names neither', () => {
  const again = { ...truck, id: 'again', name: 'Other', vin: null };
  const item = { id: 'item', version: '1', name: 'Tax bxy1234' };
  expect(matchesOf([item], [truck, again])).toEqual([]);
});
