import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextModified } from '../../src/domain/dates.js';
import { recordVersion } from '../../src/domain/versions.js';

const moment = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });

test('a version fits into an entity tag as it is', () => {
  fc.assert(fc.property(moment, (modified) => /^[0-9a-z]+$/.test(recordVersion(modified))));
});

test('two versions are the same only at the same time', () => {
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      expect(recordVersion(one) === recordVersion(other)).toBe(one.getTime() === other.getTime());
    }),
  );
});

test('a change has another version, whatever the clock says', () => {
  fc.assert(
    fc.property(moment, moment, (now, modified) => {
      expect(recordVersion(nextModified(now, modified))).not.toBe(recordVersion(modified));
    }),
  );
});
