import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHeads, type EventHead, encodeHeads } from '../../src/domain/models.js';

const entity = fc.record({ id: fc.uuid(), typeId: fc.integer({ min: 1, max: 12 }) });
const head: fc.Arbitrary<EventHead> = fc.record({
  id: fc.uuid(),
  typeId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  organizationId: fc.uuid(),
  teamId: fc.uuid(),
  entities: fc.array(entity, { maxLength: 150 }),
  more: fc.boolean(),
});

/** Returns a head as others see it: of very many records, the first, and that there are more. */
const shortened = ({ entities, ...rest }: EventHead): EventHead => ({
  ...rest,
  entities: entities.slice(0, 100),
  more: rest.more || entities.length > 100,
});

test('heads arrive as they were sent, in order, in payloads that PostgreSQL takes', () => {
  fc.assert(
    fc.property(fc.array(head, { maxLength: 60 }), (heads) => {
      const payloads = encodeHeads(heads, false);
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      expect(payloads.flatMap((payload) => decodeHeads(payload))).toEqual(heads.map(shortened));
    }),
    { numRuns: 200 },
  );
});

test('small heads share a payload', () => {
  const id = '01a1fbb9-12cc-7677-b0bc-13353b4cb527';
  const small = { id, typeId: 1, organizationId: id, teamId: id, entities: [{ id, typeId: 3 }], more: false };
  expect(encodeHeads([], false)).toEqual([]);
  expect(encodeHeads(Array(40).fill(small), false)).toHaveLength(1);
  expect(encodeHeads(Array(80).fill(small), false)).toHaveLength(2);
});

test('lost heads are announced before later ones', () => {
  const id = '01a1fbb9-12cc-7677-b0bc-13353b4cb527';
  const after = { id, typeId: 1, organizationId: id, teamId: id, entities: [], more: false };
  expect(encodeHeads([after], true).map(decodeHeads)).toEqual([undefined, [after]]);
  expect(encodeHeads([], true).map(decodeHeads)).toEqual([undefined]);
});

test.each(['', '{', 'null', '{}', '[1]', '[[]]', '[["x",1,"x","x",[],false]]'])(
  '%j is nobody’s payload, so something is missing',
  (payload) => {
    expect(decodeHeads(payload)).toBeUndefined();
  },
);
