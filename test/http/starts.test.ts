import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StartScheduler } from '../../src/http/load/admission.js';

/** Requests that wait to be started, and the numbers of the turns of the event loop in which each was. */
function waiting(count: number) {
  const startedIn: number[] = [];
  let turn = 0;
  const starts = new StartScheduler(() => startedIn.push(turn) < count);
  /** Goes through turns of the event loop. */
  const turns = async (many: number, during = () => {}) => {
    for (let n = 0; n < many; n++) {
      turn += 1;
      during();
      await nextTurn();
    }
  };
  return { starts, startedIn, turns };
}

test('one request is started in a turn of the event loop', async () => {
  const { starts, startedIn, turns } = waiting(3);
  starts.begin();
  starts.begin();
  expect(startedIn).toEqual([]);
  await turns(5);
  expect(startedIn).toEqual([1, 2, 3]);
});

test('while connections are accepted, four turns go before each start', async () => {
  const { starts, startedIn, turns } = waiting(2);
  starts.begin();
  await turns(15, () => starts.noteConnection());
  expect(startedIn).toEqual([5, 10]);
});

test('a turn without a new connection ends the waiting', async () => {
  const { starts, startedIn, turns } = waiting(1);
  starts.begin();
  await turns(1, () => starts.noteConnection());
  await turns(2);
  expect(startedIn).toEqual([2]);
});
