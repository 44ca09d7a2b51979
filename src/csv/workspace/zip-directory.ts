import yauzl, { type Entry } from 'yauzl';
import { GatewayError } from '../../domain/errors.js';

/** Reads a range of a file that may be larger than memory. */
export type ReadRange = (first: number, length: number) => Promise<Uint8Array>;

/** Limits of what a ZIP file may contain. */
export interface ZipLimits {
  readonly entries: number;
  /** Unpacked bytes of all files, besides `growth` times those of the ZIP file. */
  readonly bytes: number;
}

/** Growth from the ZIP file to its contents, beyond the limit of bytes. */
const growth = 20;

/** Growth of a single file. Deflate itself manages a thousand. */
const mostRatio = 200;

/** Bytes for which no ratio is checked. */
const smallBytes = 1024 * 1024;

/** The most characters of a path. */
const longestPath = 1_000;

/** Creates the error of a ZIP file that is not read. */
export const refuseZip = (why: string): GatewayError =>
  new GatewayError('BAD_REQUEST', `The ZIP file cannot be imported: ${why}.`);

/** A file in a ZIP file, as its directory describes it. */
export interface ZippedFile {
  readonly path: string;
  /** Index of its local header. */
  readonly offset: number;
  /** Index of what follows it. Its bytes end before. */
  readonly end: number;
  readonly packedSize: number;
  /** Size in bytes, as it is unpacked. */
  readonly size: number;
  readonly isDeflated: boolean;
}

/** Bytes that reading the directory takes at a time. */
const blockBytes = 64 * 1024;

/** Reads a ZIP file for yauzl, and remembers one block. It is asked for some bytes at a time. */
class BlockReader extends yauzl.RandomAccessReader {
  readonly #read: ReadRange;
  readonly #size: number;
  #first = 0;
  #block: Uint8Array = new Uint8Array();
  /** The error of reading itself. */
  failure: unknown;

  constructor(read: ReadRange, size: number) {
    super();
    this.#read = read;
    this.#size = size;
  }

  async #bytesAt(position: number, length: number): Promise<Uint8Array> {
    if (!Number.isSafeInteger(position) || position < 0 || position + length > this.#size)
      throw new Error('it is cut off, or its directory is wrong');
    const isKnown = position >= this.#first && position + length <= this.#first + this.#block.length;
    if (!isKnown) {
      try {
        this.#block = await this.#read(
          position,
          Math.min(Math.max(length, blockBytes), this.#size - position),
        );
        this.#first = position;
      } catch (error) {
        this.failure = error;
        throw error;
      }
    }
    return this.#block.subarray(position - this.#first, position - this.#first + length);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bytesAt(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(null);
      },
      (error) => callback(error),
    );
  }
}

/** File types in the upper half of an entry's attributes, as Unix has them. */
const fileTypes = { mask: 0o170000, file: 0o100000, folder: 0o040000 } as const;

/** Reads an entry of the directory. @throws GatewayError BAD_REQUEST if it is nothing that an export has */
function fileOf(entry: Entry): Omit<ZippedFile, 'end'> {
  const { fileName: path, uncompressedSize: size, compressedSize: packedSize } = entry;
  const name = JSON.stringify(path.slice(0, 100));
  if (path.length > longestPath) throw refuseZip(`the name ${name} is too long`);
  if (path.includes('\0')) throw refuseZip(`the name ${name} contains the character NUL`);
  if (entry.isEncrypted()) throw refuseZip(`${name} is encrypted`);
  const type = (entry.externalFileAttributes >>> 16) & fileTypes.mask;
  const isUnix = entry.versionMadeBy >>> 8 === 3;
  if (isUnix && type !== 0 && type !== fileTypes.file && type !== fileTypes.folder)
    throw refuseZip(`${name} is a link or a device`);
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw refuseZip(`${name} is compressed by a method that is not supported`);
  if (size > smallBytes && size > packedSize * mostRatio)
    throw refuseZip(`${name} would become ${Math.floor(size / Math.max(packedSize, 1))} times as large`);
  const isDeflated = entry.compressionMethod === 8;
  return { path, offset: entry.relativeOffsetOfLocalHeader, packedSize, size, isDeflated };
}

/** Bytes of a local header without its name. */
const headerBytes = 30;

/** Adds where each file ends at the latest. @throws GatewayError BAD_REQUEST if files share bytes */
function withEnds(files: readonly Omit<ZippedFile, 'end'>[], directory: number): ZippedFile[] {
  const inOrder = [...files].sort((one, other) => one.offset - other.offset);
  return inOrder.map((file, at) => {
    const end = inOrder[at + 1]?.offset ?? directory;
    if (file.offset + headerBytes + file.packedSize > end)
      throw refuseZip(`${JSON.stringify(file.path)} shares bytes with what follows it`);
    return { ...file, end };
  });
}

/**
 * Reads the directory of a ZIP file, which does not have to fit into memory.
 * @returns its files by their paths
 * @throws GatewayError BAD_REQUEST for what no export has: bombs, paths that lead elsewhere, links, duplicates,
 *   encryption, shared bytes; and what `read` throws
 */
export async function readZipDirectory(
  read: ReadRange,
  size: number,
  limits: ZipLimits,
): Promise<ReadonlyMap<string, ZippedFile>> {
  const reader = new BlockReader(read, size);
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, size, {
      ...{ autoClose: false, strictFileNames: true },
    });
    if (zip.entryCount > limits.entries)
      throw refuseZip(`it says that it has ${zip.entryCount} files, and at most ${limits.entries} are read`);
    // The cursor is at the directory until the first entry is read.
    const directory = Number(zip.readEntryCursor);
    const files: Omit<ZippedFile, 'end'>[] = [];
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      const file = fileOf(entry);
      total += file.size;
      if (total > limits.bytes + growth * size) throw refuseZip('its contents would be too large');
      files.push(file);
    }
    const placed = new Map(withEnds(files, directory).map((file) => [file.path, file]));
    const twice = files.find((file) => placed.get(file.path)?.offset !== file.offset);
    if (twice) throw refuseZip(`it has two files with the name ${JSON.stringify(twice.path)}`);
    return placed;
  } catch (error) {
    if (reader.failure !== undefined) throw reader.failure;
    if (error instanceof GatewayError) throw error;
    const { message } = error as Error;
    const isNone = message.startsWith('End of central directory');
    throw refuseZip(isNone ? 'it is no ZIP file, or it is cut off' : message.replace(/\.$/, ''));
  }
}

/** Reads the index of the first byte of a file. Its local header tells it. @throws GatewayError BAD_REQUEST */
export async function startOf(
  read: ReadRange,
  { path, offset, packedSize, end }: ZippedFile,
): Promise<number> {
  const header = Buffer.from(await read(offset, headerBytes));
  if (header.readUInt32LE(0) !== 0x04034b50)
    throw refuseZip(`${JSON.stringify(path)} is not where the directory says`);
  const first = offset + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (first + packedSize > end) throw refuseZip(`${JSON.stringify(path)} shares bytes with what follows it`);
  return first;
}
