import { expect, test } from 'vitest';
import { patience, seed } from '../fuzz/runs.js';
import { useGateway } from '../support/gateway.js';
import { liveThrough } from './year.support.js';

const gateway = useGateway();

test(
  `what is foretold of each month of a year is what is sent in it (seed ${seed})`,
  async () => {
    let count = 0;
    const options = { items: 500, months: 12, changes: 100, seed, marks: true };
    for await (const { foretold, sent, mails } of liveThrough(gateway, options)) {
      expect(sent).toEqual(foretold);
      expect(mails.arrived).toEqual(mails.foretold);
      count += mails.arrived.length;
    }
    expect(count).toBeGreaterThan(2_000);
  },
  patience * 10,
);
