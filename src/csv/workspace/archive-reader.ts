import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { GatewayError } from '../../domain/errors.js';
import { largestFile } from '../../domain/files.js';
import type { ArchiveEntry } from '../../exports/archive-writer.js';
import { mostFiles } from '../../exports/team-files.js';
import { type Manifest, manifestPath, parseManifest } from './manifest.js';
import { type ReadRange, readZipDirectory, refuseZip, startOf, type ZippedFile } from './zip-directory.js';

/** Limits of an imported workspace. */
export const archiveLimits = {
  /** Entries besides attached files: lists, the manifest, and folders that other programs add. */
  otherEntries: 50_000,
  manifestBytes: 64 * 1024 * 1024,
  /** Bytes of a list. */
  listBytes: 512 * 1024 * 1024,
  /** Bytes of everything, besides what the size of the ZIP file allows. */
  bytes: 1024 * 1024 * 1024,
} as const;

/** Bytes that are read at a time. */
const sliceBytes = 1024 * 1024;

/** Yields the bytes of a range, some at a time. */
async function* slices(read: ReadRange, first: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += sliceBytes)
    yield await read(first + at, Math.min(sliceBytes, length - at));
}

/** Yields the unpacked bytes of a file, however many there are. */
async function* unpacked(read: ReadRange, file: ZippedFile): AsyncGenerator<Uint8Array> {
  const packed = slices(read, await startOf(read, file), file.packedSize);
  if (!file.isDeflated) {
    yield* packed;
    return;
  }
  const inflate = createInflateRaw();
  const pumping = pipeline(Readable.from(packed), inflate);
  // The loop below throws the same error.
  pumping.catch(() => {});
  try {
    for await (const bytes of inflate) yield bytes as Uint8Array;
  } finally {
    inflate.destroy();
  }
}

/** Yields the bytes of a file, and checks their number and their hash. */
async function* checked(
  read: ReadRange,
  file: ZippedFile,
  sha256: string | undefined,
): AsyncGenerator<Uint8Array> {
  const name = JSON.stringify(file.path);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const bytes of unpacked(read, file)) {
      size += bytes.length;
      if (size > file.size) throw refuseZip(`${name} is larger than its directory says`);
      hash.update(bytes);
      yield bytes;
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw refuseZip(`${name} is damaged`);
  }
  if (size !== file.size) throw refuseZip(`${name} is smaller than its directory says`);
  if (sha256 !== undefined && hash.digest('hex') !== sha256)
    throw refuseZip(`${name} is not as it was exported: its checksum is another one`);
}

/** Collects all bytes of a file that fits into memory. */
async function collect(bytes: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(size);
  let at = 0;
  for await (const piece of bytes) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** An exported workspace that is read. */
export interface WorkspaceArchive {
  readonly manifest: Manifest;
  /** Finds a file that the manifest lists. */
  readonly find: (path: string) => ArchiveEntry | undefined;
  /**
   * Reads a file, some bytes at a time.
   * @throws GatewayError BAD_REQUEST at its end if it is not what was exported
   */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** Reads all bytes of an attached file. @throws GatewayError BAD_REQUEST */
  readonly readAll: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Returns the most bytes of a file in an archive. */
const mostBytes = (path: string) => (path.startsWith('files/') ? largestFile : archiveLimits.listBytes);

/** Checks that an archive has what its manifest lists. Returns that by path. */
function listedFiles(
  { entries }: Manifest,
  files: ReadonlyMap<string, ZippedFile>,
): ReadonlyMap<string, ArchiveEntry> {
  const listed = new Map<string, ArchiveEntry>();
  for (const entry of entries) {
    const name = JSON.stringify(entry.path);
    const file = files.get(entry.path);
    if (!file) throw refuseZip(`it lacks ${name}, which its manifest lists`);
    if (listed.has(entry.path)) throw refuseZip(`its manifest lists ${name} twice`);
    if (file.size !== entry.size) throw refuseZip(`${name} has another size than its manifest says`);
    if (file.size > mostBytes(entry.path))
      throw refuseZip(`${name} has more than ${mostBytes(entry.path)} bytes`);
    listed.set(entry.path, entry);
  }
  return listed;
}

/**
 * Opens an exported workspace. It is read in pieces, so that it may be larger than memory. Files that its
 * manifest does not list are never read.
 * @param size size of the ZIP file in bytes
 * @throws GatewayError BAD_REQUEST for what was not exported here, or was changed; and what `read` throws
 */
export async function openArchive(read: ReadRange, size: number): Promise<WorkspaceArchive> {
  const files = await readZipDirectory(read, size, {
    ...{ entries: mostFiles + archiveLimits.otherEntries, bytes: archiveLimits.bytes },
  });
  const head = files.get(manifestPath);
  if (!head) throw refuseZip(`it has no ${manifestPath}, so it is no exported workspace`);
  if (head.size > archiveLimits.manifestBytes) throw refuseZip(`its ${manifestPath} is too large`);
  const text = Buffer.from(await collect(checked(read, head, undefined), head.size)).toString();
  const manifest = parseManifest(text);
  const listed = listedFiles(manifest, files);
  const bytesOf = (path: string) => {
    const [file, entry] = [files.get(path), listed.get(path)];
    if (!file || !entry) throw refuseZip(`it lacks ${JSON.stringify(path)}`);
    return { bytes: checked(read, file, entry.sha256), size: file.size };
  };
  return {
    manifest,
    find: (path) => listed.get(path),
    read: (path) => bytesOf(path).bytes,
    readAll(path) {
      const { bytes, size: length } = bytesOf(path);
      if (length > largestFile) throw new GatewayError('BAD_REQUEST', `${path} is too large.`);
      return collect(bytes, length);
    },
  };
}
