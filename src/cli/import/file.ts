import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { EnumOf } from '../../db/sql/columns.js';
import { importLimits, isOfWorkspace } from '../../imports/options.js';
import { largeWorkspaceFile, type WorkspaceFile } from '../../imports/workspace-file.js';
import type { Io } from '../terminal/io.js';
import { input } from '../terminal/stdin.js';
import type { ImportReporter } from './report.js';

/** Reads a stream into memory, and stops soon after the most bytes of a file. */
async function readSmall(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > importLimits.bytes) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Opens the file of an import. A ZIP file with a name is read as it is stored, so it can have any size; other
 * files are read into memory.
 * @param signal ends reading it
 */
export async function openImportFile(
  io: Io,
  file: string,
  kind: EnumOf<'ImportKind'>,
  reporter: ImportReporter,
  signal: AbortSignal,
): Promise<Uint8Array | WorkspaceFile> {
  if (file === '-') return readSmall(addAbortSignal(signal, input(io)));
  const found = await stat(file);
  if (!isOfWorkspace({ kind }) || !found.isFile()) return readSmall(createReadStream(file, { signal }));
  let pass = 'Reading';
  async function* read() {
    let done = 0;
    for await (const bytes of createReadStream(file, { signal })) {
      yield bytes as Uint8Array;
      done += bytes.length;
      reporter.reading(`${pass} the file: ${Math.floor((100 * done) / Math.max(found.size, 1))} %`);
    }
    pass = 'Storing';
  }
  return largeWorkspaceFile(read);
}
