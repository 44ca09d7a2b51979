import { pino } from 'pino';
import { expect } from 'vitest';
import { withFaults } from '../../src/cli/process/faults.js';
import { familiesOf } from './exposition.js';
import type { TestGateway } from './gateway.js';

/** Listens for unhandled rejections, exceptions and warnings, like the served process does. */
export class Unhandled {
  readonly #met: unknown[] = [];
  readonly #over: Promise<void>;
  #end = () => {};

  constructor() {
    process.on('unhandledRejection', this.#listen).on('warning', this.#listen);
    const options = { log: pino({ level: 'silent' }), shutdownDelay: 0, stop: () => {} };
    this.#over = withFaults(options, () => new Promise((resolve) => (this.#end = resolve)));
  }

  readonly #listen = (reason: unknown) => void this.#met.push(reason);

  /** Expects that there were none. Node reports them after the microtasks. */
  async expectNone(text?: string): Promise<void> {
    await new Promise(setImmediate);
    expect(this.#met.splice(0), text).toEqual([]);
  }

  /** Clears those so far, for example the fault of another library. */
  async forget(): Promise<void> {
    await new Promise(setImmediate);
    this.#met.length = 0;
  }

  async close(): Promise<void> {
    process.off('unhandledRejection', this.#listen).off('warning', this.#listen);
    this.#end();
    await this.#over;
  }
}

/** Reads the number of unhandled rejections and exceptions from a gateway's metrics. */
export async function unhandledErrors(gateway: TestGateway): Promise<number> {
  const { text } = await gateway.send('GET', '/metrics', { token: null });
  const samples = familiesOf(text).get('gateway_unhandled_errors_total')?.samples ?? [];
  expect(samples).toHaveLength(2);
  return samples.reduce((sum, { value }) => sum + Number(value), 0);
}
