import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';
import { collectParts } from '../db/files/file-parts.js';

/** A file in a ZIP archive, as the manifest lists it. */
export interface ArchiveEntry {
  readonly path: string;
  /** Size in bytes, as it is unpacked. */
  readonly size: number;
  /** Hash of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Stores the next part of an archive. All but the last one have the same size. */
type StorePart = (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;

/** Adds files to an archive, one after the other. */
export interface ArchiveWriter {
  /**
   * Adds a file, and returns once its bytes have been read.
   * @param isText true if compressing it is worthwhile. Most attached files are compressed already
   */
  readonly add: (
    path: string,
    content: AsyncIterable<string | Uint8Array>,
    isText: boolean,
  ) => Promise<ArchiveEntry>;
}

/**
 * Writes a ZIP archive in parts. It holds one part in memory, and a little for each file.
 * @param work adds the files
 * @param store may wait; nothing is read meanwhile
 * @throws what `work` and `store` throw, and the reason of `signal` if it is aborted
 */
export async function writeArchive(
  work: (writer: ArchiveWriter) => Promise<void>,
  store: StorePart,
  { mtime, signal }: { readonly mtime: Date; readonly signal: AbortSignal },
): Promise<void> {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  zip.on('error', (error: Error) => output.destroy(error));

  const add: ArchiveWriter['add'] = async (path, content, isText) => {
    ended.throwIfAborted();
    const hash = createHash('sha256');
    let size = 0;
    async function* counted() {
      for await (const piece of content) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
        hash.update(bytes);
        size += bytes.length;
        yield bytes;
      }
    }
    const source = Readable.from(counted(), { objectMode: false, highWaterMark: 1024 * 1024 });
    zip.addReadStream(source, path, { mtime, compress: isText, mode: 0o100644 });
    try {
      await finished(source, { signal: ended });
    } catch (error) {
      source.destroy();
      throw ended.aborted ? ended.reason : error;
    }
    return { path, size, sha256: hash.digest('hex') };
  };
  const adding = async () => {
    try {
      await work({ add });
      zip.end();
    } catch (error) {
      output.destroy(error as Error);
      throw error;
    }
  };
  const storing = collectParts(output as AsyncIterable<Uint8Array>, store).catch((error) => {
    failed.abort(error);
    throw error;
  });
  const [added, stored] = await Promise.allSettled([adding(), storing]);
  if (added.status === 'rejected') throw added.reason;
  if (stored.status === 'rejected') throw stored.reason;
}
