import { beforeAll, expect, test } from 'vitest';
import { limitMessage, requestLimits } from '../../src/graphql/limits/limits.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { many } from './attacks.js';
import { ask } from './support.js';

const gateway = useGateway();
let itemId: string;
/** A note's body, and how many of it are a little less than what an answer may have. */
const body = 'x'.repeat(65_000);
const most = Math.floor(requestLimits.answerBytes / (body.length + 20));

beforeAll(async () => {
  const create = 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }';
  for (let n = 0; n < 8; n++) await ask(gateway, create, { input: { name: `n${n}`, body } });
  const item = 'mutation { createExpirationItem(input: {name: "i", expirationDate: "2030-01-01"}) { id } }';
  itemId = (await ask(gateway, item)).createExpirationItem.id;
  const add = `mutation ($id: ID!, $c: String!) { addAttachment(itemId: $id, input: {name: "a", content: $c}) { id } }`;
  await ask(gateway, add, { id: itemId, c: Buffer.alloc(11 * 1024 * 1024).toString('base64') });
});

const refusal = { message: limitMessage('answerBytes'), extensions: { code: 'BAD_REQUEST' } };
const bodies = (count: number) => many(count, (n) => `a${n}: body`);
/** Asks for the bodies of all eight notes, so many times in all. */
const notes = (count: number) =>
  `{ notes { nodes { ${bodies(Math.floor(count / 8))} } } part: notes(first: 1) { nodes { ${many(count % 8, (n) => `b${n}: body`)} id } } }`;

test('an answer just below the limit is sent, and a larger one is rejected without data', async () => {
  expect(await ask(gateway, notes(most - 8))).toHaveProperty('notes');
  const { data, errors } = await gateway.graphql(notes(most + 8));
  expect(data).toBeNull();
  expect(errors).toMatchObject([refusal]);
}, 30_000);

test('files count before they are read, and are read once however often they are answered', async () => {
  const content = (names: string) =>
    `{ expirationItem(id: "${itemId}") { attachments { nodes { ${names} } } } }`;
  const one = await namesOf(gateway, () => ask(gateway, content('a: content')));
  let answer: { data?: unknown; errors?: unknown } = {};
  const three = await namesOf(gateway, async () => {
    answer = await gateway.graphql(content('a: content b: content c: content'));
  });
  expect(answer).toMatchObject({ data: null, errors: [refusal] });
  expect(one.filter((name) => name.includes('attachment_contents'))).toHaveLength(1);
  expect(three.filter((name) => name.includes('attachment_contents'))).toEqual([]);
}, 30_000);

test('a mutation with too large an answer is done, and says so; with a key it is not', async () => {
  const query = (name: string) => `mutation { first: createTag(input: {name: "${name}"}) { id }
    second: createTag(input: {name: "${name} 2"}) { team { notes { nodes { ${bodies(70)} } } } }
    third: createTag(input: {name: "${name} 3"}) { id } }`;
  const tags = async () =>
    (await ask(gateway, '{ tags { nodes { name } } }')).tags.nodes.map((tag: { name: string }) => tag.name);
  const { data, errors } = await gateway.graphql(query('a'));
  expect(data).toBeNull();
  expect(errors).toMatchObject([
    { message: `${refusal.message} The changes were made, up to and including those of \`second\`.` },
  ]);
  expect((await tags()).sort()).toEqual(['a', 'a 2']);
  const headers = { 'Idempotency-Key': 'one' };
  const { json } = await gateway.send('POST', '/graphql', { body: { query: query('b') }, headers });
  expect(json).toMatchObject({ data: null, errors: [refusal] });
  expect((await tags()).sort()).toEqual(['a', 'a 2']);
}, 30_000);
