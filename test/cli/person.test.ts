import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unzip } from '../csv/workspace.support.js';
import { dumpOf } from '../personal-data/support.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { execute, jsonOf, start } from './support.js';

let gateway: TestGateway;
let folder: string;
const run = (...argv: string[]) =>
  execute({ DATABASE_URL: gateway.databaseUrl, DATA_DIR: folder }, 'person', ...argv);
const place = () => ['--organization', gateway.organizationId];
beforeAll(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'gateway-person-'));
});
afterAll(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a contact and a user with the same address, and an item with a file of the contact. */
async function add(word: string) {
  const email = `${word}@only-here.example`;
  const contact = await gateway.send('POST', '/v1/contacts', { body: { name: `${word} Person`, email } });
  const made = await execute(
    { DATABASE_URL: gateway.databaseUrl },
    ...['user', 'invite', email, '--role', 'member', '--json', ...place()],
  );
  expect(made.exitCode, made.stderr).toBe(0);
  const item = await gateway.send('POST', '/v1/expirationitems', {
    body: {
      name: 'Passport',
      details: `Ask ${email}`,
      expiration_date: '2027-11-25',
      contact_id: contact.json.id,
      attachments: [{ name: 'passport.txt', content: Buffer.from('A passport').toString('base64') }],
    },
  });
  const user = await gateway.database.prisma.user.findFirstOrThrow({ where: { email } });
  return { email, contactId: contact.json.id as string, userId: user.id, itemId: item.json.id as string };
}

test('an export has the rows and files of a person, and replaces no file unasked', async () => {
  const { email, contactId, userId } = await add('amabel');
  const file = join(folder, 'amabel.zip');
  const made = await run('export', email.toUpperCase(), file, '--json', ...place());
  expect(jsonOf(made)).toEqual({ file, contactId, userId });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const files = await unzip(await readFile(file));
  expect([...files.keys()].filter((name) => name.endsWith('passport.txt'))).toHaveLength(1);
  const { person, tables } = JSON.parse(String(files.get('person.json')));
  expect(person.emails).toEqual([email]);
  expect(Object.keys(tables)).toEqual(expect.arrayContaining(['contacts', 'users', 'expiration_items']));

  await writeFile(file, 'mine');
  expect(await run('export', email, file, ...place())).toMatchObject({ exitCode: 1, stdout: '' });
  expect(String(await readFile(file))).toBe('mine');
  expect(await run('export', contactId, file, '--force', ...place())).toMatchObject({ exitCode: 0 });
  const piped = start({ DATABASE_URL: gateway.databaseUrl }, 'person', 'export', userId, '-', ...place());
  expect(await piped.outcome).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('to stdout') });
  expect([...(await unzip(piped.bytes())).keys()]).toContain('person.json');
});

test('an erasure asks first, and lists what somebody has to decide about', async () => {
  const { email, contactId, userId, itemId } = await add('barnaby');
  const unasked = await run('erase', email, ...place());
  expect(unasked).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('add --yes') });
  expect(unasked.stderr).toContain(`contact and user ${email}`);
  expect(await gateway.database.prisma.contact.count({ where: { email } })).toBe(1);

  const done = await run('erase', contactId, '--yes', '--json', ...place());
  const { mentions, ...erased } = jsonOf(done);
  expect(erased).toEqual({ contactId, userId, erased: expect.any(Number), hasMore: false });
  expect(mentions).toContainEqual({
    kind: 'expiration item',
    id: itemId,
    field: 'details',
    excerpt: `Ask ${email}`,
  });
  const left = await dumpOf(gateway.database, ['barnaby']);
  expect(left.map((line) => line.split(' ')[0])).toEqual(['expiration_items']);
  const again = await run('erase', contactId, '--yes', ...place());
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('0 other rows') });
  expect((await run('erase', email, '--yes', ...place())).stderr).toContain(
    'There is no person with the address',
  );
});

test('the last administrator stays, and people of another organization are not found', async () => {
  const { prisma } = gateway.database;
  const last = await run('erase', gateway.userId, '--yes', ...place());
  expect(last).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('last active admin'),
  });
  expect(await prisma.user.findUnique({ where: { id: gateway.userId } })).toMatchObject({ isActive: true });
  const query = 'mutation ($id: ID!) { erasePerson(id: $id) { erased } }';
  expect((await gateway.graphql(query, { id: gateway.userId })).errors).toMatchObject([
    { message: expect.stringMatching(/^This is your own account: .+\.$/), extensions: { code: 'CONFLICT' } },
  ]);

  const other = await createTenant(gateway.database);
  const { contactId, email } = await add('cosima');
  for (const id of [contactId, email])
    for (const verb of [
      ['erase', id, '--yes'],
      ['export', id, join(folder, 'none.zip')],
    ])
      expect(await run(...verb, '--organization', other.organizationId)).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringContaining('There is no person with the'),
      });
  await expect(stat(join(folder, 'none.zip'))).rejects.toThrow('ENOENT');
  for (const field of ['personalData', 'erasePerson']) {
    const operation = `${field === 'erasePerson' ? 'mutation' : 'query'} ($id: ID!) { ${field}(id: $id) { erased } }`;
    const { errors } = await gateway.graphql(operation, { id: contactId }, other.admin);
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  }
  expect(await prisma.contact.count({ where: { email } })).toBe(1);
});
