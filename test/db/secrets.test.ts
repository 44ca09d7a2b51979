import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets, parseKey, SecretKeyError } from '../../src/db/secrets/secrets.js';
import { newId } from '../../src/domain/rules.js';

let root: string;
let dataDir: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gateway-secrets-'));
});
beforeEach(() => {
  dataDir = join(root, newId());
});
afterAll(() => rm(root, { recursive: true, force: true }));

const bytes = Buffer.alloc(32, 7);
const key = parseKey(bytes.toString('base64'));
const id = newId();
const configured = () => createSecrets({ secretKey: key, dataDir });
const fromFile = () => createSecrets({ secretKey: undefined, dataDir });
const file = () => join(dataDir, 'secret.key');

describe('parseKey', () => {
  const raw = Buffer.from('fbff'.repeat(16), 'hex');

  test.each([
    raw.toString('hex'),
    raw.toString('hex').toUpperCase(),
    raw.toString('base64'),
    raw.toString('base64').replace('=', ''),
    raw.toString('base64url'),
  ])('reads %s', (text) => {
    expect(parseKey(text)?.export().equals(raw)).toBe(true);
  });

  test.each([
    '',
    'secret',
    'x'.repeat(32),
    raw.toString('hex').slice(2),
    `${raw.toString('hex')}00`,
    raw.toString('base64').slice(4),
    `${raw.toString('base64')}=`,
    ` ${raw.toString('base64')}`,
    Buffer.alloc(48, 0xff).toString('base64'),
  ])('refuses %j', (text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  test('gives a key that shows nothing of itself', () => {
    expect(JSON.stringify({ key })).not.toContain(bytes.toString('base64'));
    expect(JSON.stringify({ key })).toBe('{"key":{}}');
  });
});

describe('a sealed secret', () => {
  test('opens for its token, and only whole, for it and with its key', async () => {
    const secrets = configured();
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(), async (secret, place) => {
        const sealed = await secrets.seal(secret, id);
        expect(await secrets.open(sealed, id)).toBe(Buffer.from(secret).toString());
        expect(Buffer.from(sealed).includes(Buffer.from(secret)) && secret.length > 3).toBe(false);
        const changed = Uint8Array.from(sealed);
        const at = place % changed.length;
        changed[at] = (changed[at] ?? 0) ^ 1;
        await expect(secrets.open(changed, id)).rejects.toThrow(SecretKeyError);
        await expect(secrets.open(sealed.subarray(0, at), id)).rejects.toThrow(SecretKeyError);
      }),
      { numRuns: 30 },
    );
  });

  test('is another one each time', async () => {
    const secrets = configured();
    const sealed = await Promise.all(Array.from({ length: 20 }, () => secrets.seal('secret', id)));
    expect(new Set(sealed.map((each) => Buffer.from(each.subarray(1, 13)).toString('hex'))).size).toBe(20);
  });

  test('does not open for another token, or with another key', async () => {
    const sealed = await configured().seal('a secret of ours', id);
    const other = createSecrets({ secretKey: parseKey('0'.repeat(64)), dataDir });
    const refusals = [() => configured().open(sealed, newId()), () => other.open(sealed, id)];
    for (const refusal of refusals) {
      await expect(refusal()).rejects.toThrow(
        /^The secret stored for [-\w]+ cannot be read: SECRET_KEY is not the one/,
      );
    }
  });

  test('with a configured key, no file is made or read', async () => {
    await configured().open(await configured().seal('a secret of ours', id), id);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });
});

describe('the key file', () => {
  test('is created when first needed, by one of many processes, readable only by its owner', async () => {
    const all = Array.from({ length: 20 }, fromFile);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
    const sealed = await Promise.all(all.map((secrets, index) => secrets.seal(`secret ${index}`, id)));
    expect(await readdir(dataDir)).toEqual(['secret.key']);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    // Whoever made it, each reads what any other has written, a later start included.
    for (const [index, each] of sealed.entries()) {
      const reader = all[(index + 1) % all.length] ?? fromFile();
      expect(await reader.open(each, id)).toBe(`secret ${index}`);
      expect(await fromFile().open(each, id)).toBe(`secret ${index}`);
    }
  });

  test('holds what can be given as SECRET_KEY instead', async () => {
    const sealed = await fromFile().seal('a secret of ours', id);
    const secretKey = parseKey((await readFile(file(), 'utf8')).trim());
    expect(await createSecrets({ secretKey, dataDir: root }).open(sealed, id)).toBe('a secret of ours');
  });

  test('that is lost is not replaced when reading, and can be restored', async () => {
    const sealed = await fromFile().seal('a secret of ours', id);
    const text = await readFile(file(), 'utf8');
    await rm(file());
    const secrets = fromFile();
    await expect(secrets.open(sealed, id)).rejects.toThrow(
      /SECRET_KEY is not set, and there is no .*secret\.key/,
    );
    await expect(stat(file())).rejects.toThrow('ENOENT');
    await writeFile(file(), text);
    expect(await secrets.open(sealed, id)).toBe('a secret of ours');
  });

  test('that is a different one is reported', async () => {
    const sealed = await fromFile().seal('a secret of ours', id);
    await writeFile(file(), `${bytes.toString('base64')}\n`);
    await expect(fromFile().open(sealed, id)).rejects.toThrow(/the key in .*secret\.key is not the one/);
  });

  test.each(['', 'not a key', Buffer.alloc(31).toString('base64')])(
    'that holds %j is refused, and kept',
    async (text) => {
      await mkdir(dataDir);
      await writeFile(file(), text);
      for (const work of [
        () => fromFile().seal('a secret of ours', id),
        () => fromFile().open(Uint8Array.of(1), id),
      ]) {
        await expect(work()).rejects.toThrow(/secret\.key does not contain a key/);
      }
      expect(await readFile(file(), 'utf8')).toBe(text);
    },
  );

  test('that is a dangling link is reported', async () => {
    await mkdir(dataDir);
    await symlink(join(dataDir, 'gone'), file());
    await expect(fromFile().seal('a secret of ours', id)).rejects.toThrow(
      /secret\.key exists, but does not lead/,
    );
    expect(await readdir(dataDir)).toEqual(['secret.key']);
  });

  test('that cannot be read or made says so', async () => {
    await mkdir(file(), { recursive: true });
    await expect(fromFile().seal('a secret of ours', id)).rejects.toThrow(
      /secret\.key cannot be read: EISDIR/,
    );
    const blocked = join(root, `${newId()}.txt`);
    await writeFile(blocked, '');
    const secrets = createSecrets({ secretKey: undefined, dataDir: join(blocked, 'data') });
    await expect(secrets.seal('a secret of ours', id)).rejects.toThrow(SecretKeyError);
  });
});
