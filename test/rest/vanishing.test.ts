import { expect, test } from 'vitest';
import type { PrismaTransaction } from '../../src/db/connection/pool.js';
import { eventually } from '../support/eventually.js';
import { type TestGateway, useGateway } from '../support/gateway.js';
import { waiters } from '../support/locks.js';
import { createItem, readItem } from './items.support.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const post = async (path: string, body: unknown) => {
  const { status, json } = await gateway.send('POST', path, { body });
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
};

/** Sends a request that waits for a deletion, which then is committed. */
async function afterDeletion(
  remove: (tx: PrismaTransaction) => Promise<unknown>,
  send: () => ReturnType<TestGateway['send']>,
) {
  const { sent } = await gateway.database.prisma.$transaction(async (tx) => {
    await remove(tx);
    // In an object, so that it is not waited for in here.
    const sent = send();
    await eventually(async () => expect(await waiters(gateway)).not.toEqual([]));
    return { sent };
  });
  return sent;
}

test('400 for a workspace that is deleted while an item with new records is created in it', async () => {
  const { id } = await post('/v1/teams', { name: 'Vanishing' });
  const body = { name: 'Late', expiration_date: '2027-01-01', team_id: id, category_name: 'New here' };
  const answer = await afterDeletion(
    (tx) => tx.team.delete({ where: { id } }),
    () => gateway.send('POST', '/v1/expirationitems', { body }),
  );
  expectBadRequest(answer, /^team_id: names no record that exists$/);
});

test('400 for a contact that is deleted while an item gets it', async () => {
  const item = await createItem(gateway);
  const { id } = await post('/v1/contacts', { name: 'Vanishing', email: 'vanishing@example.com' });
  const answer = await afterDeletion(
    (tx) => tx.contact.delete({ where: { id } }),
    () => gateway.send('POST', `/v1/expirationitems/${item.id}/contacts`, { body: [{ id }] }),
  );
  expectBadRequest(answer, /^contact_id: names no record that exists$/);
  expect((await readItem(gateway, item)).contacts).toEqual([]);
});

test('404 for a file that is deleted as soon as it is stored', async () => {
  const { prisma } = gateway.database;
  const { id } = await createItem(gateway);
  await prisma.$executeRaw`
    CREATE FUNCTION vanish() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN DELETE FROM attachments WHERE id = NEW.id; RETURN NULL; END $$`;
  await prisma.$executeRaw`
    CREATE CONSTRAINT TRIGGER vanish AFTER INSERT ON attachments DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.name = 'vanishing') EXECUTE FUNCTION vanish()`;
  const query = `mutation { addAttachment(itemId: "${id}", input: { name: "vanishing", content: "eA==" }) { id } }`;
  const { json } = await gateway.send('POST', '/graphql', { body: { query } });
  expect(json.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});

test('409 for the id of a deleted workspace, whose events only admins see', async () => {
  const { id } = await post('/v1/teams', { name: 'Vanishing' });
  expect((await gateway.send('DELETE', `/v1/teams/${id}`)).status).toBe(200);
  const again = await gateway.send('POST', '/v1/teams', { body: { id, name: 'Again' } });
  expectError(again, 409, 'CONFLICT', /^id: is already in use$/);
  expect((await gateway.send('GET', `/v1/teams/${id}`)).status).toBe(404);
});
