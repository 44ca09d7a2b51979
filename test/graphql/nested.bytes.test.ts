import { afterAll, beforeAll, expect, test } from 'vitest';
import { entityTypes } from '../../src/domain/events.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { many } from './attacks.js';
import { ask } from './support.js';

let gateway: TestGateway;
/** Notes of 64 KB, each of which is about all vehicles: for forty of them, that is 80 MB and more to read. */
const [notes, vehicles] = [32, 40];

beforeAll(async () => {
  gateway = await startGateway();
  const made = await ask(
    gateway,
    `mutation { ${many(vehicles, (n) => `v${n}: createVehicle(input: {name: "v${n}"}) { id }`)} }`,
  );
  const ids = Object.values(made as Record<string, { id: string }>).map(({ id }) => id);
  const create = 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }';
  for (let n = 0; n < notes; n++) {
    const input = { name: `n${n}`, body: 'x'.repeat(65_000) };
    const { id } = (await ask(gateway, create, { input })).createNote;
    await gateway.database.prisma.$executeRaw`
      INSERT INTO note_relations (note_id, entity_id, entity_type, position)
      SELECT ${id}::uuid, vehicle, ${entityTypes.vehicle}::int, 0 FROM unnest(${ids}::uuid[]) AS vehicle`;
  }
}, 60_000);
afterAll(() => gateway.close());

const read = (first: number) =>
  gateway.graphql(`{ vehicles(first: ${first}) { nodes { notes { nodes { id } } } } }`);

test('rows of nested lists are read up to a bound, and refused beyond it', async () => {
  const { data, errors } = await read(12);
  expect(errors).toBeUndefined();
  const lists = data.vehicles.nodes.map(({ notes }: { notes: { nodes: object[] } }) => notes.nodes.length);
  expect(lists).toEqual(Array.from({ length: 12 }, () => notes));
  const refused = await read(vehicles);
  expect(refused.errors[0]).toMatchObject({
    message: expect.stringMatching(/^More would have to be read/),
    extensions: { code: 'BAD_REQUEST' },
  });
}, 60_000);
