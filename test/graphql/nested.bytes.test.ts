import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entityTypes } from '../../src/domain/models.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { many } from './attacks.js';
import { ask } from './support.js';

let gateway: TestGateway;
let ids: string[];
/** Notes of 64 KB, each of which is about all vehicles: for forty of them, that is 80 MB and more to read. */
const [notes, vehicles] = [32, 40];

beforeAll(async () => {
  // So many bytes take seconds where others use the processors, and the bound is to refuse them, not the time.
  gateway = await startGateway({}, undefined, { patience: { statement: 60_000, answer: 60_000 } });
  const made = await ask(
    gateway,
    `mutation { ${many(vehicles, (n) => `v${n}: createVehicle(input: {name: "v${n}"}) { id }`)} }`,
  );
  ids = Object.values(made as Record<string, { id: string }>).map(({ id }) => id);
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
    message: expect.stringMatching(/^The response would be too large/),
    extensions: { code: 'BAD_REQUEST' },
  });
}, 60_000);

describe('a mutation below which too much would be read', () => {
  /** Forty lists of the same notes: 80 MB and more. */
  const lists = many(40, (n) => `l${n}: notes(first: ${notes + n}) { nodes { id } }`);
  const mutation = (color: string) => `mutation {
    large: updateVehicle(id: "${ids[0]}", input: {color: "${color}"}) { ${lists} }
    small: updateVehicle(id: "${ids[1]}", input: {color: "${color}"}) { color notes(first: 1) { nodes { id } } }
  }`;
  const colors = async () => {
    const read = (id = '') => ask(gateway, `{ vehicle(id: "${id}") { color } }`);
    return (await Promise.all([read(ids[0]), read(ids[1])])).map(({ vehicle }) => vehicle.color);
  };
  const tooMuch = 'The response would be too large: ask for fewer rows, or for fewer fields.';

  test('says that it is done, and later ones are answered', async () => {
    const { data, errors } = await gateway.graphql(mutation('red'));
    expect(errors).toMatchObject([
      {
        message: `${tooMuch} The changes were made, up to and including those of \`large\`.`,
        path: ['large', expect.stringMatching(/^l/), 'nodes'],
      },
    ]);
    expect(data).toMatchObject({ large: null, small: { color: 'red', notes: { nodes: [{}] } } });
    expect(await colors()).toEqual(['red', 'red']);
  }, 60_000);

  test('is rolled back with a key, and does not say that it is done', async () => {
    const before = await colors();
    const { json } = await gateway.send('POST', '/graphql', {
      body: { query: mutation('blue') },
      headers: { 'Idempotency-Key': 'too-much' },
    });
    expect([json.data, json.errors[0].message]).toEqual([null, tooMuch]);
    expect(await colors()).toEqual(before);
  }, 60_000);
});
