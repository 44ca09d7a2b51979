import { createHash, randomUUID } from 'node:crypto';
import type { Session } from '../../../db/connection/session.js';
import { GatewayError } from '../../../domain/errors.js';
import { base64Length, decodeBase64, encodeBase64, FileError, largestFile } from '../../../domain/files.js';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../domain/text/json.js';
import { readFiles, readReadable } from '../../../items/attachments/contents.js';

/** Prefix of the texts that represent stored files. It is random, so nobody can send it. */
const mark = `${randomUUID()}:`;

/** Represents a stored file's bytes in a patched document without reading them. */
export const fileToken = (id: string, bytes: number): string => `${mark}${id}:${bytes}`;

const hashOf = (bytes: Uint8Array) => mark + createHash('sha256').update(bytes).digest('base64url');

/** A stored file, by its id in a token. */
interface StoredFile {
  readonly id: string;
  readonly bytes: number;
}

/** Reads a token. Returns undefined for any other value. */
function readToken(value: JsonValue | undefined): StoredFile | undefined {
  if (typeof value !== 'string' || !value.startsWith(mark)) return undefined;
  const [id = '', bytes] = value.slice(mark.length).split(':');
  return { id, bytes: Number(bytes) };
}

/**
 * Removes the tokens of files from the objects that show them. Without bytes, these keep their files.
 * @param content name of the member that shows a file's bytes. Elsewhere, a token stands for a copy
 */
function withoutOwnTokens(value: JsonValue, content: string): JsonValue {
  if (isList(value)) return value.map((item) => withoutOwnTokens(item, content));
  if (!isObject(value)) return value;
  const file = readToken(value[content]);
  const isOwn = file !== undefined && file.id === value.id;
  const others = Object.entries(value).filter(([name]) => !isOwn || name !== content);
  return Object.fromEntries(others.map(([name, member]) => [name, withoutOwnTokens(member, content)]));
}

/** Lists the stored files in a value. */
function filesIn(value: JsonValue): StoredFile[] {
  if (isList(value)) return value.flatMap(filesIn);
  if (isObject(value)) return Object.values(value).flatMap(filesIn);
  const file = readToken(value);
  return file ? [file] : [];
}

/**
 * The files of a patched document. Their bytes are only read if the patch compares them with bytes of the same length,
 * or copies them.
 */
export class PatchedFiles {
  readonly #session: Session;
  readonly #content: string;
  readonly #hashes = new Map<string, string>();
  readonly #sent = new Map<string, { readonly bytes: number; readonly hash: string } | undefined>();
  #stored: readonly StoredFile[] = [];
  #wanted = new Set<string>();

  /** @param content name of the member that shows a file's bytes */
  constructor(session: Session, content: string) {
    this.#session = session;
    this.#content = content;
  }

  /**
   * Returns the form in which a file's bytes are compared. It is their hash, or the token of a file that has not been
   * read. It notes which files need to be read.
   */
  canonical = (value: JsonValue): JsonValue => {
    if (typeof value !== 'string') return value;
    const token = readToken(value);
    if (token) return this.#hashes.get(token.id) ?? value;
    const sent = this.#read(value);
    if (!sent) return value;
    for (const { id, bytes } of this.#stored)
      if (bytes === sent.bytes && !this.#hashes.has(id)) this.#wanted.add(id);
    return sent.hash;
  };

  /** Decodes and hashes base64 once, if a stored file has its length. */
  #read(text: string) {
    if (this.#sent.has(text)) return this.#sent.get(text);
    // Only line breaks make it longer than its bytes need.
    const isPossible = this.#stored.some(({ bytes }) => text.length >= base64Length(bytes));
    const bytes = isPossible ? decodeBase64(text)?.bytes : undefined;
    const sent = bytes && { bytes: bytes.length, hash: hashOf(bytes) };
    this.#sent.set(text, sent);
    return sent;
  }

  /** Applies a patch to a document. If it compares bytes that were not read, it does so again with them. */
  async apply(document: JsonObject, patch: (document: JsonObject) => JsonObject): Promise<JsonObject> {
    this.#stored = filesIn(document);
    for (;;) {
      let failure: { readonly error: unknown } | undefined;
      let patched = document;
      try {
        patched = patch(document);
      } catch (error) {
        failure = { error };
      }
      const wanted = this.#wanted;
      this.#wanted = new Set();
      if (wanted.size === 0 && failure) throw failure.error;
      if (wanted.size === 0) return patched;
      // One after the other, because together they may be large.
      for (const id of wanted) this.#hashes.set(id, await this.#hashStored(id));
    }
  }

  async #hashStored(id: string): Promise<string> {
    const bytes = await readReadable(this.#session, id);
    return bytes ? hashOf(bytes) : `${mark}${id}`;
  }

  async #readBytes(id: string): Promise<Uint8Array | undefined> {
    const found = (await readFiles(this.#session, [id])).get(id);
    if (!(found instanceof FileError)) return found;
    // Bytes that are gone cannot be copied, whenever it is tried again.
    throw found.problem === 'unavailable'
      ? found
      : new GatewayError('CONFLICT', found.message, { cause: found });
  }

  /**
   * Replaces the tokens in a value by the bytes of their files, in base64. A file that stays where it is needs none.
   * @throws GatewayError PAYLOAD_TOO_LARGE for more bytes than a request could send; CONFLICT for bytes that are gone;
   *   {FileError} if they cannot be read now
   */
  async withBytes(sent: JsonValue): Promise<JsonValue> {
    const value = withoutOwnTokens(sent, this.#content);
    const copied = filesIn(value);
    if (copied.length === 0) return value;
    const most = `A patch may copy at most ${largestFile} bytes of files.`;
    if (copied.reduce((sum, { bytes }) => sum + bytes, 0) > largestFile)
      throw new GatewayError('PAYLOAD_TOO_LARGE', most);
    return this.#filled(value);
  }

  async #filled(value: JsonValue): Promise<JsonValue> {
    if (isList(value)) {
      const items: JsonValue[] = [];
      for (const item of value) items.push(await this.#filled(item));
      return items;
    }
    if (isObject(value)) {
      const members: Record<string, JsonValue> = {};
      for (const [name, member] of Object.entries(value)) members[name] = await this.#filled(member);
      return members;
    }
    const file = readToken(value);
    const bytes = file && (await this.#readBytes(file.id));
    return bytes ? encodeBase64(bytes) : file ? null : value;
  }
}
