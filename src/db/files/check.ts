import { randomUUID } from 'node:crypto';
import { type FileStore, StoreProblem } from './store.js';

/** A step of the check of a store, as messages name it. */
export type CheckStep = 'write' | 'read' | 'remove';

/**
 * Checks a store by writing an object, reading a part, and removing it.
 * @param explain says in one sentence what is wrong with a step, and how to mend it
 * @throws {StoreProblem}
 */
export async function checkStore(
  store: FileStore,
  explain: (cause: unknown, step: CheckStep) => string,
): Promise<void> {
  const key = `check/${randomUUID()}`;
  const attempt = <T>(step: CheckStep, work: Promise<T>) =>
    work.catch((error: Error) => {
      const cause = error.cause ?? error;
      throw new StoreProblem(explain(cause, step), { cause });
    });
  await attempt('write', store.write(key, Buffer.from('0123456789')));
  try {
    const part = await attempt('read', store.read(key, 2, 3));
    if (Buffer.from(part).toString() !== '234') {
      throw new StoreProblem(`${store.address} of FILES does not support ranges: use another store.`);
    }
  } catch (error) {
    await store.remove(key).catch(() => {});
    throw error;
  }
  await attempt('remove', store.remove(key));
}
