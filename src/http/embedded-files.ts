import { Readable } from 'node:stream';
import { unavailableOf } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { Patience } from '../db/files/store.js';
import { GatewayError } from '../domain/errors.js';
import {
  base64Length,
  encodeBase64,
  FileError,
  type FileProblem,
  writtenReferences,
} from '../domain/files.js';
import { type AttachedBytes, fileSlices, findFiles, readFileRange } from '../items/attachment-files.js';
import { readFiles, responsePatienceMs } from '../items/attachments.js';
import type { HttpResponse } from '../web/response.js';
import type { MemoryHold } from './load/memory.js';

/** Bytes of a file that are read at a time. A multiple of three, so that base64 needs no padding. */
const sliceBytes = 768 * 1024;

/** The most bytes that an answer keeps after it has looked at them. It reads others again when it sends them. */
const maxHeld = 16 * 1024 * 1024;

/** The most bytes that an answer looks at before it begins. Of further files, it reads only the last byte. */
const maxExamined = 64 * 1024 * 1024;

/** The header that names files whose bytes an answer lacks because they cannot be read. */
const unreadableFilesHeader = 'Unreadable-Files';

/** Creates the 503 for files that are replaced again and again while they are read. */
const filesChange = () =>
  new GatewayError('UNAVAILABLE', 'A file was replaced while it was read; try again.', {
    headers: { 'Retry-After': '1' },
  });

/** Number of new attempts if files change while they are looked at. */
const maxRetries = 5;

/** The most files that the header names. */
const maxNamed = 20;

/** Groups files that are read with one statement. A group fits into a slice, or is one larger file. */
function groupFiles(files: Iterable<AttachedBytes>): AttachedBytes[][] {
  const groups: AttachedBytes[][] = [];
  let room = 0;
  for (const file of files) {
    if (file.size > room || groups.length === 0) {
      groups.push([]);
      room = sliceBytes;
    }
    groups.at(-1)?.push(file);
    room -= file.size;
  }
  return groups;
}

/** Drops files that would exceed a total number of bytes. Smaller files after them may still fit. */
function fitting(found: ReadonlyMap<string, AttachedBytes>, ids: readonly string[], most: number) {
  let left = most;
  const files = new Map<string, AttachedBytes>();
  for (const id of ids) {
    const file = found.get(id);
    if (!file || file.size > left) continue;
    left -= file.size;
    files.set(id, file);
  }
  return files;
}

type HeldMemory = Pick<MemoryHold, 'tryGrow' | 'shrink'>;

/** The files of an answer. They are looked at before it begins, because its head says which are unreadable. */
class AnswerFiles {
  readonly problems = new Map<string, FileProblem>();
  /** True if a file was replaced or removed since it was found. */
  isChanged = false;
  readonly #files = new Map<string, AttachedBytes>();
  readonly #session: Session;
  readonly #memory: HeldMemory | undefined;
  readonly #held = new Map<string, readonly Uint8Array[]>();
  readonly #groups = new Map<string, readonly AttachedBytes[]>();
  readonly #patience = new Patience(responsePatienceMs);
  #examined = 0;
  #heldBytes = 0;

  constructor(session: Session, memory: HeldMemory | undefined) {
    this.#session = session;
    this.#memory = memory;
  }

  /** Adds files that the answer shows. */
  add(files: ReadonlyMap<string, AttachedBytes>): void {
    for (const [id, file] of files) this.#files.set(id, file);
  }

  /** Returns a file that the answer shows. */
  get(id: string): AttachedBytes | undefined {
    return this.#files.get(id);
  }

  /** Returns the memory of what it has kept. */
  release(): void {
    this.#memory?.shrink(this.#heldBytes, 'stream');
  }

  /** Leaves out files, because the database cannot tell about them now. */
  leaveOut(ids: readonly string[]): void {
    for (const id of ids) this.problems.set(id, 'unavailable');
    this.#files.clear();
  }

  /** Looks at all files, and drops those that cannot be read. */
  async examine(): Promise<void> {
    for (const group of groupFiles(this.#files.values())) {
      const bytes = group.reduce((sum, { size }) => sum + size, 0);
      this.#examined += bytes;
      const [first] = group;
      if (this.#examined > maxExamined) for (const file of group) await this.#probe(file);
      else if (first && first.size > sliceBytes) await this.#examineLarge(first);
      else await this.#examineSmall(group);
    }
    const again = [...this.#files.values()].filter(({ id }) => !this.#held.has(id));
    for (const group of groupFiles(again)) for (const { id } of group) this.#groups.set(id, group);
  }

  /** Leaves out a file because of an error. @throws any error of another kind */
  #drop({ id }: AttachedBytes, error: unknown): void {
    if (error instanceof FileError) this.problems.set(id, error.problem);
    // It was replaced or removed meanwhile, so there are no such bytes any more.
    else if (error instanceof GatewayError && error.code === 'NOT_FOUND') this.isChanged = true;
    else throw error;
    this.#files.delete(id);
  }

  #hold({ id, size }: AttachedBytes, slices: readonly Uint8Array[]): void {
    if (this.#heldBytes + size > maxHeld || this.#memory?.tryGrow(size, 'stream') === false) return;
    this.#heldBytes += size;
    this.#held.set(id, slices);
  }

  async #probe(file: AttachedBytes): Promise<void> {
    const { store, size } = file;
    if (store === null || size === 0) return;
    const read = () => readFileRange(this.#session, file, size - 1, 1);
    await this.#patience.attempt(store, read).catch((error) => this.#drop(file, error));
  }

  async #examineSmall(group: readonly AttachedBytes[]): Promise<void> {
    const ids = group.map(({ id }) => id);
    const read = await readFiles(this.#session, ids, this.#patience);
    for (const file of group) {
      const found = read.get(file.id);
      if (found instanceof Uint8Array && found.length === file.size) this.#hold(file, [found]);
      else if (found instanceof FileError) this.#drop(file, found);
      else {
        this.isChanged = true;
        this.#files.delete(file.id);
      }
    }
  }

  async #examineLarge(file: AttachedBytes): Promise<void> {
    const isHeld = this.#heldBytes + file.size <= maxHeld;
    const slices: Uint8Array[] = [];
    const read = async () => {
      for await (const slice of fileSlices(this.#session, file, sliceBytes)) if (isHeld) slices.push(slice);
    };
    try {
      await this.#patience.attempt(file.store, read);
      if (isHeld) this.#hold(file, slices);
    } catch (error) {
      this.#drop(file, error);
    }
  }

  /** Yields a file in base64, as JSON. If it cannot be read any more, it yields null, and spaces up to its length. */
  async *json(id: string, read: Map<string, Uint8Array | FileError>): AsyncGenerator<string> {
    const file = this.#files.get(id);
    if (!file) return yield 'null';
    const held = this.#held.get(id);
    if (held) {
      yield '"';
      for (const slice of held) yield encodeBase64(slice);
      yield '"';
      if (this.#held.delete(id)) this.#memory?.shrink(file.size, 'stream');
      return;
    }
    if (file.size > sliceBytes) {
      yield '"';
      for await (const slice of fileSlices(this.#session, file, sliceBytes)) yield encodeBase64(slice);
      return yield '"';
    }
    if (!read.has(id)) {
      read.clear();
      const group = await this.#readAgain(this.#groups.get(id) ?? [file]);
      for (const [other, bytes] of group) read.set(other, bytes);
    }
    const bytes = read.get(id);
    if (bytes instanceof Uint8Array && bytes.length === file.size) yield `"${encodeBase64(bytes)}"`;
    else yield 'null'.padEnd(jsonLength(file));
  }

  async #readAgain(files: readonly AttachedBytes[]): Promise<Map<string, Uint8Array | FileError>> {
    const ids = files.map(({ id }) => id);
    try {
      return await readFiles(this.#session, ids, this.#patience);
    } catch (error) {
      const known = error instanceof GatewayError ? error : unavailableOf(error);
      if (!known) throw error;
      return new Map(ids.map((id) => [id, new FileError('unavailable', known)]));
    }
  }
}

const jsonLength = (file: AttachedBytes | undefined) =>
  file === undefined ? 'null'.length : base64Length(file.size) + 2;

/** Yields a text with its file references replaced by the files' contents. */
async function* expandReferences(parts: readonly string[], files: AnswerFiles) {
  const read = new Map<string, Uint8Array | FileError>();
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) yield part;
    else yield* files.json(part, read);
  }
}

/** Names files whose bytes cannot be read, as a list of structured fields (RFC 9651). */
const unreadableFiles = (problems: ReadonlyMap<string, FileProblem>) =>
  [...problems]
    .slice(0, maxNamed)
    .map(([id, problem]) => `"${id}";problem=${problem}`)
    .join(', ');

interface ShownFiles {
  /** The most bytes of all files together; files beyond it become null. */
  readonly most?: number;
  /** True after a write. It is committed, so its answer must not be an error. */
  readonly isWritten?: boolean;
  /** True if only the head is sent. */
  readonly headOnly?: boolean;
  /** The memory for bytes that are kept until they are sent. */
  readonly memory?: HeldMemory;
}

/**
 * Replaces file references in an answer with the files' contents. Files that cannot be read become null, and a
 * header names them. Large files are read as the caller takes them, so an answer with a hundred of them needs
 * little more memory than one without.
 */
export async function withFileContents(
  session: Session,
  answer: HttpResponse,
  { most = Number.POSITIVE_INFINITY, isWritten, headOnly, memory }: ShownFiles = {},
): Promise<HttpResponse> {
  if (typeof answer.body !== 'string') return answer;
  // The capturing group puts the ids between the parts.
  const parts = answer.body.split(writtenReferences);
  if (parts.length === 1) return answer;
  const ids = parts.filter((_part, at) => at % 2 === 1);
  let files = new AnswerFiles(session, memory);
  try {
    for (let left = maxRetries; ; left--) {
      files.add(fitting(await findFiles(session, ids), ids, most));
      // Its head is right unless a file cannot be read, which only reading it could tell.
      if (!headOnly) await files.examine();
      if (!files.isChanged) break;
      // Nothing has been sent yet.
      files.release();
      if (left === 0) throw filesChange();
      files = new AnswerFiles(session, memory);
    }
  } catch (error) {
    if (!isWritten || !(error instanceof GatewayError || unavailableOf(error))) throw error;
    files.leaveOut(ids);
  }
  const lengths = parts.map((part, at) =>
    at % 2 === 0 ? Buffer.byteLength(part) : jsonLength(files.get(part)),
  );
  const length = lengths.reduce((sum, bytes) => sum + bytes, 0);
  const body = Readable.from(expandReferences(parts, files), {
    objectMode: false,
    highWaterMark: sliceBytes,
  });
  const { problems } = files;
  const told = problems.size > 0 && {
    [unreadableFilesHeader]: unreadableFiles(problems),
    // It would be found valid by its tag when the files can be read again.
    'Cache-Control': 'no-store',
  };
  return { ...answer, headers: { ...answer.headers, ...told, 'Content-Length': String(length) }, body };
}
