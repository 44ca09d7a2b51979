import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archiveLimits, manifestText, openArchive } from '../../src/csv/workspace/archive.js';
import { GatewayError } from '../../src/domain/errors.js';
import { largestFile } from '../../src/domain/files.js';
import { writeArchive } from '../../src/exports/archive-writer.js';
import { maxFiles } from '../../src/exports/exports.js';
import { settings } from '../fuzz/runs.js';
import { manifestOf, workspaceZip, type Zipped, zipOf } from './zip.support.js';

const list: Zipped = { name: 'contacts.csv', content: 'id,name\r\n' };
const file: Zipped = { name: 'files/Licence 0123/1 scan.pdf', content: 'scan', isStored: true };

const open = (zip: Buffer) =>
  openArchive(async (first, length) => zip.subarray(first, first + length), zip.length);

/** Opens an archive, and reads all that its manifest lists. */
async function readAll(zip: Buffer): Promise<Map<string, string>> {
  const archive = await open(zip);
  const texts = new Map<string, string>();
  for (const { path } of archive.manifest.entries) {
    const pieces: Uint8Array[] = [];
    for await (const bytes of archive.read(path)) pieces.push(bytes);
    texts.set(path, Buffer.concat(pieces).toString());
  }
  return texts;
}

/** Returns why an archive is refused. */
const refusal = (zip: Buffer) =>
  readAll(zip).then(
    () => undefined,
    (error) => {
      if (!(error instanceof GatewayError) || error.code !== 'BAD_REQUEST') throw error;
      return error.message.replace(/^The ZIP file cannot be imported: |\.$/g, '');
    },
  );

test('archives are read as they were written, in pieces', async () => {
  const parts: Uint8Array[] = [];
  const large = Buffer.alloc(9 * 1024 * 1024, 'x y z');
  const content = async function* (bytes: Buffer | string) {
    yield bytes;
  };
  const signal = new AbortController().signal;
  await writeArchive(
    async ({ add }) => {
      const entries = [
        await add('contacts.csv', content('id,name\r\n'), true),
        await add('files/ü 0123/1 scan.pdf', content(large), false),
      ];
      const team = { id: '018f3c5e-0000-7000-8000-000000000001', name: 'Ümlaut' };
      const head = { created: new Date().toISOString(), team, counts: { contacts: 0 }, missing: [] };
      await add('manifest.json', content([...manifestText(head, entries)].join('')), true);
    },
    async (bytes) => void parts.push(bytes),
    { mtime: new Date(), signal },
  );
  const zip = Buffer.concat(parts);
  let mostBytes = 0;
  const archive = await openArchive(async (first, length) => {
    mostBytes = Math.max(mostBytes, length);
    return zip.subarray(first, first + length);
  }, zip.length);
  expect(archive.manifest.team.name).toBe('Ümlaut');
  expect(archive.find('contacts.csv')).toMatchObject({ size: 9 });
  expect(Buffer.from(await archive.readAll('files/ü 0123/1 scan.pdf')).equals(large)).toBe(true);
  expect(mostBytes).toBeLessThanOrEqual(1024 * 1024);
});

test('folders and files that other programs add are left alone', async () => {
  const added: Zipped[] = [
    { name: 'files/', content: '', isStored: true, mode: 0o040755 },
    { name: '__MACOSX/._contacts.csv', content: 'x' },
  ];
  const files = await readAll(zipOf([...added, list, file, manifestOf([list, file])]));
  expect([...files]).toEqual([
    [list.name, list.content],
    [file.name, file.content],
  ]);
});

describe('what is refused', () => {
  const zeros = (size: number) => Buffer.alloc(size);

  test('no ZIP file, and one that is cut off', async () => {
    expect(await refusal(Buffer.from('id,name\n'))).toBe('it is not a ZIP file, or it is cut off');
    expect(await refusal(Buffer.alloc(0))).toBe('it is not a ZIP file, or it is cut off');
    const zip = workspaceZip([list, file]);
    for (const kept of [zip.length - 1, zip.length - 30, 100, 10]) {
      expect(await refusal(zip.subarray(0, kept)), `${kept} bytes`).toBeDefined();
      expect(await refusal(zip.subarray(zip.length - kept)), `the last ${kept} bytes`).toBeDefined();
    }
  });

  test('bombs that say what they become', async () => {
    const bomb = { name: 'contacts.csv', content: zeros(4 * 1024 * 1024) };
    expect(await refusal(workspaceZip([bomb]))).toMatch(/would become \d+ times as large/);
    const declared = { ...list, size: archiveLimits.bytes + 1024, packedSize: 10_000_000 };
    expect(await refusal(workspaceZip([declared]))).toMatch(/contents would be too large|shares bytes/);
  });

  test('bombs that hide what they become', async () => {
    const bomb = { name: 'contacts.csv', content: zeros(4 * 1024 * 1024), size: 9 };
    const entries = [{ path: 'contacts.csv', size: 9, sha256: 'a'.repeat(64) }];
    expect(await refusal(workspaceZip([bomb], { entries }))).toBe(
      '"contacts.csv" is larger than its directory says',
    );
    const short = { ...list, size: 100 };
    const more = [{ path: 'contacts.csv', size: 100, sha256: 'a'.repeat(64) }];
    expect(await refusal(workspaceZip([short], { entries: more }))).toBe(
      '"contacts.csv" is smaller than its directory says',
    );
  });

  test('too many entries', async () => {
    const count = BigInt(maxFiles + archiveLimits.otherEntries + 1);
    const zip = workspaceZip([list], {}, { zip64: { count, directory: 0n } });
    expect(await refusal(zip)).toMatch(/says that it has 150001 files/);
  });

  test.each(['../contacts.csv', 'files/../../x', '/etc/passwd', 'C:/x', 'files\\..\\x', 'a\0b'])(
    'the path %s',
    async (name) => {
      expect(await refusal(zipOf([{ name, content: 'x' }, list, manifestOf([list])]))).toBeDefined();
    },
  );

  test('a wrong checksum, of a list and of a file', async () => {
    for (const changed of [list, file]) {
      const entries = JSON.parse(String(manifestOf([list, file]).content)).entries.map(
        (entry: { path: string }) =>
          entry.path === changed.name ? { ...entry, sha256: 'b'.repeat(64) } : entry,
      );
      expect(await refusal(workspaceZip([list, file], { entries }))).toBe(
        `${JSON.stringify(changed.name)} is not as it was exported: its checksum is another one`,
      );
    }
  });

  test('a missing manifest, a foreign one, and a newer one', async () => {
    expect(await refusal(zipOf([list]))).toBe('it has no manifest.json, so it is not an exported workspace');
    expect(await refusal(workspaceZip([list], { format: 'other' }))).toMatch(/not that of an exported/);
    expect(await refusal(workspaceZip([list], { version: 2 }))).toBe(
      'it is in version 2 of the format, and this gateway knows 1; update the gateway',
    );
    expect(await refusal(workspaceZip([list], { version: 'x' }))).toMatch(/has no version/);
    expect(await refusal(workspaceZip([list], { team: null }))).toMatch(
      /in its manifest.json, team is wrong/,
    );
    for (const content of ['', 'null', '[]', '{', '"text"'])
      expect(await refusal(zipOf([list, { name: 'manifest.json', content }])), content).toBeDefined();
  });

  test('a manifest that lists what is not there, or has another size', async () => {
    expect(await refusal(zipOf([list, manifestOf([list, file])]))).toBe(
      `it lacks ${JSON.stringify(file.name)}, which its manifest lists`,
    );
    expect(await refusal(zipOf([list, manifestOf([list, list])]))).toMatch(/lists "contacts.csv" twice/);
    expect(await refusal(zipOf([list, manifestOf([{ ...list, content: 'x' }])]))).toMatch(/another size/);
  });

  test('encrypted files, and other methods of compression', async () => {
    expect(await refusal(workspaceZip([{ ...list, flags: 0x801 }]))).toBe('"contacts.csv" is encrypted');
    expect(await refusal(workspaceZip([{ ...list, flags: 0x841 }]))).toMatch(/encryption/);
    expect(await refusal(workspaceZip([{ ...list, method: 12 }]))).toMatch(/method that is not supported/);
  });

  test('two files with one name', async () => {
    expect(await refusal(zipOf([list, { ...list, content: 'x' }, manifestOf([list])]))).toBe(
      'it has two files with the name "contacts.csv"',
    );
  });

  test('links and devices', async () => {
    for (const mode of [0o120777, 0o020666])
      expect(await refusal(workspaceZip([{ ...file, mode }]))).toMatch(/is a link or a device/);
  });

  test('an attached file that is too large', async () => {
    const size = largestFile + 1;
    const packed = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));
    const content = Buffer.concat(Array.from({ length: Math.ceil(size / packed.length) }, () => packed));
    const large = { ...file, content: content.subarray(0, size) };
    expect(await refusal(workspaceZip([large]))).toMatch(/has more than 16777216 bytes/);
  });

  test('a list that is too large', async () => {
    const size = archiveLimits.listBytes + 1;
    const entries = [{ path: list.name, size, sha256: 'a'.repeat(64) }];
    const start = 30 + list.name.length;
    const listed = { ...list, content: '', isStored: true, size, packedSize: size };
    const manifest = { ...manifestOf([], { entries }), offset: start + size };
    const head = zipOf([listed, manifest]);
    // Zeros without end take the place of the list.
    const zip = zipOf([listed, manifest], { directory: size + head.readUInt32LE(head.length - 6) });
    const read = async (first: number, length: number) => {
      const bytes = zeros(length);
      const copy = (from: Buffer, at: number) => {
        const skipped = Math.max(0, first - at);
        if (skipped < from.length && at + skipped < first + length)
          from.copy(bytes, at + skipped - first, skipped);
      };
      copy(zip.subarray(0, start), 0);
      copy(zip.subarray(start), start + size);
      return bytes;
    };
    await expect(openArchive(read, zip.length + size)).rejects.toThrow(
      `"contacts.csv" has more than ${archiveLimits.listBytes} bytes`,
    );
  });

  test('lies in 64 bits', async () => {
    const huge = { size: 1n << 40n, packedSize: 1n << 40n };
    expect(await refusal(workspaceZip([{ ...list, zip64: huge }]))).toBeDefined();
    const unsafe = { size: (1n << 63n) + 1n, packedSize: 5n };
    expect(await refusal(workspaceZip([{ ...list, zip64: unsafe }]))).toBeDefined();
    for (const directory of [1n << 40n, (1n << 64n) - 1n, 7n])
      expect(await refusal(workspaceZip([list], {}, { zip64: { count: 2n, directory } }))).toBeDefined();
    expect(await refusal(workspaceZip([list], {}, { count: 1 }))).toMatch(/no manifest.json/);
  });

  test('files that share bytes', async () => {
    const first = workspaceZip([list]);
    expect(await refusal(workspaceZip([list, { ...file, offset: 0 }]))).toMatch(/shares bytes/);
    expect(await refusal(workspaceZip([list, { ...file, offset: 5 }]))).toMatch(/shares bytes/);
    expect(await refusal(workspaceZip([{ ...list, packedSize: first.length }]))).toMatch(/shares bytes/);
  });

  test('anything else that is changed, without an error that nobody expects', async () => {
    const zip = workspaceZip([list, file]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const changed = Buffer.from(zip);
          for (const [at, byte] of changes) changed[at] = byte;
          await refusal(changed);
        },
      ),
      settings(2_000),
    );
  });
});

test('what storage throws is no fault of the file', async () => {
  const zip = workspaceZip([list]);
  const failing = openArchive(async () => {
    throw new Error('no connection');
  }, zip.length);
  await expect(failing).rejects.toThrow('no connection');
});
