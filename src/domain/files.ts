/** A file's bytes on their way to the database: kept out of whatever is written as JSON, such as the event log. */
export class FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  toJSON(): undefined {
    return undefined;
  }
}

/**
 * Reads base64 (RFC 4648 §4); white space in it does not count, as in .NET.
 * @returns undefined for what is no base64
 */
export function decodeBase64(text: string): FileContent | undefined {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return new FileContent(new Uint8Array(Buffer.from(compact, 'base64')));
}

/** A file's bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
