import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { manifestFormat } from '../../src/csv/workspace/archive.js';
import { version } from '../../src/version.js';

/** A file for a ZIP archive, with what its headers say wrongly. */
export interface Zipped {
  readonly name: string;
  readonly content: Buffer | string;
  readonly isStored?: boolean;
  /** General purpose bits; 0x800 says that names are in UTF-8. */
  readonly flags?: number;
  readonly method?: number;
  /** Mode as Unix has it. */
  readonly mode?: number;
  /** The size that its directory entry says. */
  readonly size?: number;
  /** The packed size that its directory entry says. */
  readonly packedSize?: number;
  /** The place that its directory entry says. */
  readonly offset?: number;
  /** Values of 64 bits instead, from which the 32-bit fields say that they are too large. */
  readonly zip64?: { readonly size: bigint; readonly packedSize: bigint };
}

/** What the end of the directory says wrongly. */
export interface ZipEnd {
  readonly count?: number;
  readonly directory?: number;
  /** Count and place of the directory in 64 bits. */
  readonly zip64?: { readonly count: bigint; readonly directory: bigint };
}

const u16 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2);
  return bytes;
};
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4);
  return bytes;
};
const u64 = (...values: bigint[]) => {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [at, value] of values.entries()) bytes.writeBigUInt64LE(value, at * 8);
  return bytes;
};

const crcOf = (bytes: Buffer): number => (typeof crc32 === 'function' ? crc32(bytes) : 0);

/** Writes a ZIP archive, byte by byte, so that it can be wrong. */
export function zipOf(files: readonly Zipped[], end: ZipEnd = {}): Buffer {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const file of files) {
    const content = Buffer.from(file.content as string);
    const name = Buffer.from(file.name);
    const packed = file.isStored ? content : deflateRawSync(content);
    const method = file.method ?? (file.isStored ? 0 : 8);
    const flags = file.flags ?? 0x800;
    const head = [u16(flags, method, 0, 0x21), u32(crcOf(content))];
    const local = Buffer.concat([
      ...[u32(0x04034b50), u16(20), ...head, u32(packed.length, content.length)],
      ...[u16(name.length, 0), name, packed],
    ]);
    const extra = file.zip64
      ? Buffer.concat([u16(1, 16), u64(file.zip64.size, file.zip64.packedSize)])
      : Buffer.alloc(0);
    const sizes = file.zip64
      ? u32(0xffffffff, 0xffffffff)
      : u32(file.packedSize ?? packed.length, file.size ?? content.length);
    entries.push(
      Buffer.concat([
        ...[u32(0x02014b50), u16((3 << 8) | 20, 20), ...head, sizes],
        ...[u16(name.length, extra.length, 0, 0, 0), u32(((file.mode ?? 0o100644) << 16) >>> 0)],
        ...[u32(file.offset ?? at), name, extra],
      ]),
    );
    bodies.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const { zip64 } = end;
  const end64 = zip64
    ? Buffer.concat([
        ...[u32(0x06064b50), u64(44n), u16(45, 45), u32(0, 0), u64(zip64.count, zip64.count)],
        ...[u64(BigInt(directory.length), zip64.directory)],
        ...[u32(0x07064b50, 0), u64(BigInt(at + directory.length)), u32(1)],
      ])
    : Buffer.alloc(0);
  const count = end.count ?? files.length;
  return Buffer.concat([
    ...[...bodies, directory, end64, u32(0x06054b50), u16(0, 0, count, count)],
    ...[u32(directory.length, end.directory ?? at), u16(0)],
  ]);
}

/** A manifest that suits files, with changes. */
export function manifestOf(files: readonly Zipped[], changes: object = {}): Zipped {
  const entries = files.map(({ name, content }) => {
    const bytes = Buffer.from(content as string);
    return { path: name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const manifest = {
    ...{ format: manifestFormat, version: 1, gateway: version, created: '2026-11-20T09:30:00.000Z' },
    team: { id: '018f3c5e-0000-7000-8000-000000000001', name: 'Elsewhere' },
    ...{ counts: {}, missing: [], entries, ...changes },
  };
  return { name: 'manifest.json', content: JSON.stringify(manifest) };
}

/** Writes an archive of a workspace with its manifest. */
export const workspaceZip = (files: readonly Zipped[], changes: object = {}, end: ZipEnd = {}): Buffer =>
  zipOf([...files, manifestOf(files, changes)], end);
