import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import { loadTools } from '../../src/mcp/tools.js';
import { expectTold } from '../fuzz/answers.js';
import { values } from '../fuzz/awkward.js';
import { foreignWords, makeWorld, type World } from '../isolation/world.js';
import { call, messageIn, post } from './support.js';

const tools = loadTools(schema, undefined);

/** The kinds of records that arguments name. */
const kinds = {
  id: ['expirationItem', 'uploadNotification'],
  itemId: ['expirationItem'],
  expirationItemId: ['expirationItem'],
  categoryId: ['category'],
  contactId: ['contact'],
  locationId: ['location'],
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

let world: World;
beforeAll(async () => {
  world = await makeWorld({ MCP: 'on' });
});
afterAll(() => world.close());

test('every argument that is an id is walked', () => {
  const named = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
  const ids = named.filter((name) => /^(id|.*Id)$/.test(name));
  expect(ids.filter((name) => !isId(name))).toEqual([]);
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const { properties, required } = tool.inputSchema;
  const needed = (required as readonly string[]).filter((argument) => argument !== 'idempotencyKey');
  const isWrite = 'idempotencyKey' in properties;
  const filled = (own: World['own']) =>
    Object.fromEntries(
      needed.map((argument) => [
        argument,
        isId(argument)
          ? own[name === 'confirm_upload' ? 'uploadNotification' : 'expirationItem']
          : valid[argument],
      ]),
    );

  test('tells nothing of records beyond the caller', async () => {
    for (const { ids, token } of world.beyond) {
      const sets: Record<string, unknown>[] = [isWrite ? {} : filled(world.own)];
      for (const argument of Object.keys(properties).filter(isId)) {
        for (const kind of kinds[argument]) {
          const value = ['locations', 'tags'].includes(argument) ? [{ id: ids[kind] }] : ids[kind];
          sets.push({ ...filled(world.own), [argument]: value });
        }
      }
      for (const word of foreignWords) if ('term' in properties) sets.push({ term: word });
      for (const args of sets) {
        const key = isWrite ? { idempotencyKey: newId() } : {};
        const result = await call(world.gateway, name, { ...args, ...key }, { token });
        const foreign = foreignWords.filter((word) => token === world.gateway.member || word === 'zzabroad');
        const shown = JSON.stringify(result).replaceAll(String(args.term ?? '\0'), '');
        for (const word of foreign) expect(shown).not.toContain(word);
      }
    }
  });

  test('answers anything that is sent with sentences, and never fails', async () => {
    const names = Object.keys(properties);
    const sent = fc.tuple(fc.constantFrom(...names, '__proto__', 'nothing'), values, fc.boolean());
    await fc.assert(
      fc.asyncProperty(sent, async ([argument, value, others]) => {
        const base = { ...(others && filled(world.own)), ...(isWrite && { idempotencyKey: newId() }) };
        const members = Object.entries(base)
          .filter(([member]) => member !== argument)
          .map(([member, given]) => `${JSON.stringify(member)}:${JSON.stringify(given)}`);
        const args = `{${[...members, `${JSON.stringify(argument)}:${value}`].join(',')}}`;
        const raw = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
        const response = await world.gateway.send('POST', '/mcp', {
          raw,
          headers: { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
        });
        expect(response.status, response.text).toBeLessThan(500);
        const message = messageIn(response);
        const told = message?.result?.isError ? message.result.content[0].text : message?.error?.message;
        if (told) for (const line of String(told).split('\n')) expectTold(line.slice(0, 500));
        expect(JSON.stringify(message)).not.toContain('Something went wrong');
        expect(JSON.stringify(message)).not.toContain('zzabroad');
      }),
      { numRuns: 40 },
    );
  });
});

test('the gateway still answers', async () => {
  expect((await post(world.gateway, 'ping')).status).toBe(200);
});
