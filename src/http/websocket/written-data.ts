import { randomUUID } from 'node:crypto';
import { exactText } from '../../domain/text/exact-json.js';

/**
 * Data of results as JSON. Small objects represent it in the messages of graphql-ws, whose `JSON.stringify`
 * rejects numbers that a double would round.
 */
export class WrittenData {
  readonly #texts = new Map<string, string>();

  /** Stores data until its message is sent. @returns an object to write in its place */
  keep(data: unknown): Record<string, unknown> {
    const standIn = { [randomUUID()]: true };
    this.#texts.set(JSON.stringify(standIn), exactText(data));
    return standIn;
  }

  /** Inserts the data into its message, and drops it. */
  fill(message: string): string {
    for (const [standIn, text] of this.#texts) {
      if (!message.includes(standIn)) continue;
      this.#texts.delete(standIn);
      return message.replace(standIn, () => text);
    }
    return message;
  }
}
