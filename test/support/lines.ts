import { once } from 'node:events';
import { Writable } from 'node:stream';

/** Collects log lines, and reports each one. */
export class Lines extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
    this.emit('line');
  }

  get all(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Waits for a line with these members, and returns it. */
  async with(members: Record<string, unknown>): Promise<Record<string, unknown>> {
    const isIt = (line: Record<string, unknown>) =>
      Object.entries(members).every(([name, value]) => line[name] === value);
    while (!this.all.some(isIt)) await once(this, 'line');
    return this.all.find(isIt) ?? {};
  }

  /** Waits until a number of lines are written. */
  async count(lines: number): Promise<Record<string, unknown>[]> {
    while (this.all.length < lines) await once(this, 'line');
    return this.all;
  }
}
