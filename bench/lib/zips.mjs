// ZIP files that are hard on whoever reads them.
import { crc32, deflateRawSync } from 'node:zlib';

/** Bytes of the names that one file may take. */
const longestName = 60_000;

/** Writes a ZIP file of entries, each with a name, its bytes and, if they are deflated, their size and checksum. */
function zipOf(entries) {
  const [parts, list] = [[], []];
  let offset = 0;
  for (const { name, bytes, size, sum } of entries) {
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(size === undefined ? 0 : 8, 4);
    head.writeUInt32LE(sum ?? (size === undefined && crc32 ? crc32(bytes) : 0), 10);
    head.writeUInt32LE(bytes.length, 14);
    head.writeUInt32LE(size ?? bytes.length, 18);
    head.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), head, name, bytes);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    list.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), head, rest, name);
    offset += 30 + name.length + bytes.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 4);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
}

const manifest = { name: Buffer.from('manifest.json'), bytes: Buffer.from('{}') };

/** Creates a file with a number of empty entries. */
export const manyEntries = (count) =>
  zipOf([
    manifest,
    ...Array.from({ length: count }, (_, n) => ({ name: Buffer.from(`files/${n}`), bytes: Buffer.alloc(0) })),
  ]);

/** Creates a file with a number of entries whose names are long paths. */
export const deepNames = (count) =>
  zipOf([
    manifest,
    ...Array.from({ length: count }, (_, n) => ({
      name: Buffer.from(`${'a/'.repeat(longestName / 2)}${n}`),
      bytes: Buffer.alloc(0),
    })),
  ]);

/** Creates a file whose manifest is 256 MiB of spaces. */
export function bomb() {
  const size = 256 * 1024 * 1024;
  return zipOf([{ name: manifest.name, bytes: deflateRawSync(Buffer.alloc(size, ' ')), size }]);
}

/** Writes a ZIP file of deflated texts, by their names. */
export const deflatedZip = (texts) =>
  zipOf(
    Object.entries(texts).map(([name, text]) => {
      const plain = Buffer.from(text);
      return {
        name: Buffer.from(name),
        bytes: deflateRawSync(plain),
        size: plain.length,
        sum: crc32?.(plain),
      };
    }),
  );
