import type { FileContent } from '../../domain/files.js';
import type { FileStore } from './store.js';

/** An object that was written for a file that is not committed yet. */
export interface StagedFile {
  readonly store: FileStore['kind'];
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** Thrown instead of a commit whose new files are not in their store yet. */
export class FilesNeeded extends Error {
  override readonly name = 'FilesNeeded';
  readonly contents: readonly FileContent[];

  constructor(contents: readonly FileContent[]) {
    super('New files are not in their store yet.');
    this.contents = contents;
  }
}

/** The new files of a transaction. */
export class TransactionFiles {
  /** The store that they go to; undefined for the database. */
  readonly target: FileStore | undefined;
  readonly #free: StagedFile[];
  readonly #needed: FileContent[] = [];

  constructor(target: FileStore | undefined, staged: readonly StagedFile[]) {
    this.target = target;
    this.#free = [...staged];
  }

  /** Takes the object that was written for a file. Without one, the transaction cannot be committed. */
  take(content: FileContent): StagedFile | undefined {
    // Repeated work decodes its input again, so only the bytes are the same.
    const at = this.#free.findIndex(({ bytes }) => Buffer.compare(bytes, content.bytes) === 0);
    if (at >= 0) return this.#free.splice(at, 1)[0];
    this.#needed.push(content);
    return undefined;
  }

  /** @throws {FilesNeeded} if files are not in their store yet */
  checkStored(): void {
    if (this.#needed.length > 0) throw new FilesNeeded(this.#needed);
  }
}
