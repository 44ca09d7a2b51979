import { expect, test } from 'vitest';
import { patience, seed } from '../fuzz/runs.js';
import { useGateway } from '../support/gateway.js';
import { liveThrough } from './year.support.js';

const gateway = useGateway();

test(
  'what is foretold of three months is what is sent in them',
  async () => {
    let count = 0;
    const options = { items: 40, months: 3, changes: 20, seed, marks: false };
    for await (const { foretold, sent, mails } of liveThrough(gateway, options)) {
      expect(sent).toEqual(foretold);
      expect(mails.arrived).toEqual(mails.foretold);
      count += mails.arrived.length;
    }
    expect(count).toBeGreaterThan(50);
  },
  patience,
);
