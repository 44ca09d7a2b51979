import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import yauzl, { type Entry } from 'yauzl';
import * as z from 'zod';
import { type ExportKind, exportKinds } from '../../domain/doors/paths.js';
import { GatewayError } from '../../domain/errors.js';
import { largestFile } from '../../domain/files.js';
import type { ArchiveEntry } from '../../exports/archive-writer.js';
import { maxFiles } from '../../exports/exports.js';
import { version } from '../../version.js';

/** Reads a range of a file that may be larger than memory. */
type ReadRange = (first: number, length: number) => Promise<Uint8Array>;

/** Limits of what a ZIP file may contain. */
interface ZipLimits {
  readonly entries: number;
  /** Unpacked bytes of all files, besides `growth` times those of the ZIP file. */
  readonly bytes: number;
}

/** Growth from the ZIP file to its contents, beyond the limit of bytes. */
const growth = 20;

/** Growth of a single file. Deflate itself manages a thousand. */
const maxRatio = 200;

/** Bytes for which no ratio is checked. */
const smallBytes = 1024 * 1024;

/** The most characters of a path. */
const longestPath = 1_000;

/** Creates the error of a ZIP file that is not read. */
export const refuseZip = (why: string): GatewayError =>
  new GatewayError('BAD_REQUEST', `The ZIP file cannot be imported: ${why}.`);

/** A file in a ZIP file, as its directory describes it. */
interface ZippedFile {
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
  if (size > smallBytes && size > packedSize * maxRatio)
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
async function readZipDirectory(
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
    throw refuseZip(isNone ? 'it is not a ZIP file, or it is cut off' : message.replace(/\.$/, ''));
  }
}

/** Reads the index of the first byte of a file. Its local header tells it. @throws GatewayError BAD_REQUEST */
async function startOf(read: ReadRange, { path, offset, packedSize, end }: ZippedFile): Promise<number> {
  const header = Buffer.from(await read(offset, headerBytes));
  if (header.readUInt32LE(0) !== 0x04034b50)
    throw refuseZip(`${JSON.stringify(path)} is not where the directory says`);
  const first = offset + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (first + packedSize > end) throw refuseZip(`${JSON.stringify(path)} shares bytes with what follows it`);
  return first;
}

/** Identifies the manifest of an exported workspace. */
export const manifestFormat = 'expiration-gateway workspace';

/** Version of the format. A newer one may have what this program does not understand. */
const formatVersion = 1;

/** Names of files in an exported workspace. */
export const manifestPath = 'manifest.json';
export const filesPath = 'files.csv';
/** Returns the path of a list in an exported workspace. */
export const listPath = (kind: ExportKind): string => `${kind}.csv`;

/** The contents of an exported workspace. */
interface Manifest {
  readonly format: typeof manifestFormat;
  readonly version: number;
  /** Version of the gateway that wrote it. */
  readonly gateway: string;
  readonly created: string;
  readonly team: { readonly id: string; readonly name: string };
  /** Rows of each list. */
  readonly counts: Readonly<Record<string, number>>;
  /** Ids in `files.csv` of files that were deleted meanwhile, or cannot be read. */
  readonly missing: readonly string[];
  readonly entries: readonly ArchiveEntry[];
}

/** The part of a manifest that is not about single files. */
type ManifestHead = Pick<Manifest, 'created' | 'team' | 'counts' | 'missing'>;

/** Yields the manifest as JSON, some files at a time. */
export function* manifestText(head: ManifestHead, entries: readonly ArchiveEntry[]): Generator<string> {
  const { created, team, counts, missing } = head;
  const said = { format: manifestFormat, version: formatVersion, gateway: version, created, team, counts };
  yield `${JSON.stringify({ ...said, missing }, null, 2).slice(0, -2)},\n  "entries": [`;
  for (const [at, entry] of entries.entries()) yield `${at === 0 ? '' : ','}\n    ${JSON.stringify(entry)}`;
  yield '\n  ]\n}\n';
}

/** Lists that an exported workspace has. Compliance follows from the others. */
export const archivedKinds = exportKinds.filter((kind) => kind !== 'compliance');

const manifestRules = z.object({
  gateway: z.string().max(100),
  created: z.iso.datetime(),
  team: z.object({ id: z.guid(), name: z.string() }),
  counts: z.record(z.string(), z.int().min(0)),
  missing: z.array(z.guid()),
  entries: z.array(
    z.object({ path: z.string(), size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** Parses the manifest of an exported workspace. @throws GatewayError BAD_REQUEST for another one, or a newer one */
function parseManifest(text: string): Manifest {
  let said: { readonly format?: unknown; readonly version?: unknown } | null;
  try {
    said = JSON.parse(text);
  } catch {
    throw refuseZip(`its ${manifestPath} is not JSON`);
  }
  if (said?.format !== manifestFormat)
    throw refuseZip(`its ${manifestPath} is not that of an exported workspace`);
  if (!Number.isInteger(said.version) || Number(said.version) < 1)
    throw refuseZip(`its ${manifestPath} has no version`);
  if (Number(said.version) > formatVersion) {
    const versions = `it is in version ${said.version} of the format, and this gateway knows ${formatVersion}`;
    throw refuseZip(`${versions}; update the gateway`);
  }
  const { success, data, error } = manifestRules.safeParse(said);
  if (success) return { format: manifestFormat, version: Number(said.version), ...data };
  const [{ path = [], message = '' } = {}] = error.issues;
  throw refuseZip(`in its ${manifestPath}, ${path.join('.') || 'the object'} is wrong: ${message}`);
}

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
const maxBytes = (path: string) => (path.startsWith('files/') ? largestFile : archiveLimits.listBytes);

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
    if (file.size > maxBytes(entry.path))
      throw refuseZip(`${name} has more than ${maxBytes(entry.path)} bytes`);
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
    ...{ entries: maxFiles + archiveLimits.otherEntries, bytes: archiveLimits.bytes },
  });
  const head = files.get(manifestPath);
  if (!head) throw refuseZip(`it has no ${manifestPath}, so it is not an exported workspace`);
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
