import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { internalError } from '../../src/domain/errors.js';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import { loadTools } from '../../src/mcp/tools.js';
import { expectTold } from '../fuzz/answers.js';
import { values } from '../fuzz/awkward.js';
import { patience, seed, settings } from '../fuzz/runs.js';
import { observe } from '../isolation/observe.js';
import { foreignWords, holdForeignRows, makeWorld, type World } from '../isolation/world.js';
import { messageIn, post } from './support.js';

/** All tools, those that read first: notes of the others may be about any id. */
const tools = loadTools(schema, undefined, true).toSorted(
  (one, other) => Number(one.right === 'write') - Number(other.right === 'write'),
);

/** The kinds of records that arguments name. */
const kinds = {
  id: ['expirationItem', 'uploadNotification'],
  itemId: ['expirationItem'],
  expirationItemId: ['expirationItem'],
  categoryId: ['category'],
  contactId: ['contact'],
  holderId: ['vehicle', 'contact', 'company', 'location'],
  recipientId: ['contact'],
  locationId: ['location'],
  requirementId: ['requirement'],
  teamId: ['team'],
  entityId: ['expirationItem', 'contact', 'vehicle', 'note'],
  locations: ['location'],
  tags: ['tag'],
} as const;
const isId = (name: string): name is keyof typeof kinds => name in kinds;

/** Arguments of which none is wrong but a foreign id. */
const valid: Readonly<Record<string, unknown>> = {
  ...{ name: 'x', text: 'x', expirationDate: '2040-01-01' },
};

const headers = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

/** Returns a call as it is sent. @param args the arguments as JSON */
const callText = (name: string, args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

let world: World;
let release: Awaited<ReturnType<typeof holdForeignRows>>;
beforeAll(async () => {
  world = await makeWorld({ MCP: 'on', MCP_ASKING: 'on' });
  // Held throughout: no refusal waits for a row that is not the caller's to know of.
  release = await holdForeignRows(world);
});
afterAll(async () => {
  await release();
  await world.close();
});

test('every argument that is an id is walked', () => {
  const named = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
  const ids = named.filter((name) => /^(id|.*Id)$/.test(name));
  expect(ids.filter((name) => !isId(name))).toEqual([]);
});

describe.each(tools.map((tool) => [tool.name, tool] as const))(`%s, seed ${seed}`, (name, tool) => {
  const { properties, required } = tool.inputSchema;
  const needed = (required as readonly string[]).filter((argument) => argument !== 'idempotencyKey');
  const isWrite = 'idempotencyKey' in properties;
  const ownKind = name === 'confirm_upload' ? 'uploadNotification' : 'expirationItem';
  const filled = () =>
    Object.fromEntries(
      needed.map((argument) => [argument, isId(argument) ? world.own[ownKind] : valid[argument]]),
    );
  const keyed = (args: object) => ({ ...args, ...(isWrite && { idempotencyKey: newId() }) });
  const watch = (args: object, token: string) =>
    observe(world, {
      ...{ method: 'POST', path: '/mcp', headers, token },
      raw: callText(name, JSON.stringify(keyed(args))),
    });

  test('a foreign id is answered like one that nobody has', async () => {
    for (const { ids, token } of world.beyond) {
      for (const argument of Object.keys(properties).filter(isId)) {
        const among = (id: string) => (['locations', 'tags'].includes(argument) ? [{ id }] : id);
        for (const kind of kinds[argument]) {
          const foreign = await watch({ ...filled(), [argument]: among(ids[kind]) }, token);
          const nobodys = await watch({ ...filled(), [argument]: among(newId()) }, token);
          expect(foreign.body).toEqual(nobodys.body);
          expect(foreign).toEqual(nobodys);
          // A note may be about anything, and shows only what its reader may see of it.
          if (isWrite && argument !== 'itemId') expect(foreign.body).toContain('"isError":true');
        }
      }
    }
  });

  test('lists and searches have nothing of foreign records', async () => {
    if (isWrite) return;
    for (const { token } of world.beyond) {
      const terms = 'term' in properties ? foreignWords : [];
      for (const args of [filled(), ...terms.map((term) => ({ term }))]) {
        const { body } = await watch(args, token);
        const words = foreignWords.filter((word) => token === world.gateway.member || word === 'zzabroad');
        const told = String(body).replaceAll(String('term' in args ? args.term : '\0'), '');
        for (const word of words) expect(told).not.toContain(word);
      }
    }
  });

  test(
    'anything that is sent is answered with sentences, and never with a failure',
    async () => {
      const names = [...Object.keys(properties), '__proto__', 'nothing'];
      const sent = fc.tuple(
        fc.array(fc.tuple(fc.constantFrom(...names), values), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
      );
      await fc.assert(
        fc.asyncProperty(sent, async ([odd, isFilled]) => {
          const usual = Object.entries(keyed(isFilled ? filled() : {}));
          const members = [
            ...usual.map(([member, value]) => [member, JSON.stringify(value)] as const),
            ...odd,
          ];
          const args = members.map(([member, value]) => `${JSON.stringify(member)}:${value}`).join(',');
          const response = await world.gateway.send('POST', '/mcp', {
            raw: callText(name, `{${args}}`),
            headers,
          });
          expect(response.status, response.text).toBeLessThan(500);
          const message = messageIn(response);
          const told = message?.result?.isError ? message.result.content[0].text : message?.error?.message;
          if (told) for (const line of String(told).split('\n')) expectTold(line.slice(0, 500));
          expect(response.text).not.toContain(internalError.message);
          expect(response.text).not.toContain('zzabroad');
        }),
        settings(40),
      );
    },
    patience,
  );
});

test('no foreign row has changed, and the gateway still answers', async () => {
  const { before, after } = await release();
  expect(after).toEqual(before);
  expect((await post(world.gateway, 'ping')).status).toBe(200);
});
