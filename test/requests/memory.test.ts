import { randomUUID as newId } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { expectNothingHeld, heldBy } from '../support/held.js';
import { linkTo, look, type Office, openOffice, pdf, request } from './support.js';

const MiB = 1024 * 1024;
let office: Office;
const categoryId = newId();
beforeAll(async () => {
  // The share of a link is a quarter.
  office = await openOffice({}, { memory: { limit: 320 * MiB } });
  const { organizationId, teamId } = office.gateway;
  const category = { id: categoryId, organizationId, teamId, name: 'Insurance' };
  await office.gateway.database.prisma.category.create({ data: category });
});
afterAll(() => office.close());

/** Begins to send a large answer to a link, and does not end it. */
function beginAnswer(link: string) {
  const { hostname, port } = new URL(office.gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const { pathname } = new URL(link);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${16 * MiB}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(15 * MiB));
  return socket;
}

test('slow answers to one link take its share of memory, and answers to another link find room', async () => {
  const links = [];
  for (const email of ['ann@example.org', 'bo@example.org']) {
    const { id } = await request(office, { categoryId, email });
    links.push({ id, link: await linkTo(office, email) });
  }
  const [ann, bo] = links as [(typeof links)[0], (typeof links)[0]];
  const slow = Array.from({ length: 6 }, () => beginAnswer(ann.link));
  // Together they would hold more than four shares.
  await eventually(async () => expect(await heldBy(office.gateway)).toBeGreaterThan(70 * MiB));
  const bytes = Buffer.concat([pdf(), Buffer.alloc(8 * MiB)]);
  const { status } = await office.answer(bo.link, { request: bo.id }, [{ name: 'a.pdf', bytes }]);
  expect(status).toBe(303);
  expect((await look(office, bo.id)).state).toBe('RECEIVED');
  expect(await heldBy(office.gateway)).toBeLessThanOrEqual(80 * MiB);
  for (const socket of slow) socket.destroy();
  await expectNothingHeld(office.gateway);
});
