import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerQuery } from '../../src/http/pages/pages.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { idOf, makeConsole, meOperation } from './console.support.js';

let files: Awaited<ReturnType<typeof makeConsole>>;
let gateway: TestGateway;
let without: TestGateway;
let strict: TestGateway;
beforeAll(async () => {
  files = await makeConsole();
  const start = (env: Record<string, string>) =>
    startGateway({ CONSOLE: 'on', ...env }, undefined, { consoleFolder: files.consoleFolder });
  const operations = new URL('../../schema/operations', import.meta.url).pathname;
  [gateway, without, strict] = await Promise.all([
    start({}),
    start({ CONSOLE: 'off' }),
    start({ PERSISTED_OPERATIONS: operations, PERSISTED_OPERATIONS_ONLY: 'on' }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway, without, strict].map((one) => one?.close()));
  await files.remove();
});

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const open = (path: string, to: TestGateway) =>
  to.send('GET', path, { token: null, headers: { Accept: browser } });

describe('without a console', () => {
  test('the start is a page of links, and there are no screens', async () => {
    const { status, text } = await open('/', without);
    expect(status).toBe(200);
    expect(text).toContain('<dl class="links">');
    const others = [
      '/items',
      '/items/x',
      '/callback',
      '/console/config.json',
      '/console/assets/style-00000000.css',
    ];
    for (const path of others) expect((await open(path, without)).status, path).toBe(404);
    const { json } = await without.send('POST', '/graphql', { body: { documentId: idOf(meOperation) } });
    expect(json.errors[0].message).toBe('PersistedQueryNotSupported');
  });

  test('it is no fault that it was not built', async () => {
    const consoleFolder = new URL('nothing/', files.consoleFolder);
    const bare = await startGateway({ CONSOLE: 'on' }, undefined, { consoleFolder });
    try {
      expect((await open('/', bare)).text).toContain('<dl class="links">');
      expect((await open('/items', bare)).status).toBe(404);
    } finally {
      await bare.close();
    }
  });
});

describe('operations of the console', () => {
  const body = { documentId: `sha256:${idOf(meOperation)}` };
  const answer = { data: { me: { role: 'ADMIN' } } };

  test('are answered by their ids, whatever else is', async () => {
    for (const to of [gateway, strict])
      for (let time = 0; time < 3; time++)
        expect((await to.send('POST', '/graphql', { body })).json).toEqual(answer);
    expect((await strict.graphql('{ me { role } }')).errors[0].message).toMatch(/^Only persisted/);
    expect((await strict.graphql(meOperation)).data).toEqual(answer.data);
    expect((await strict.graphql(callerQuery)).data.me).toMatchObject(answer.data.me);
  });

  test('give nobody more rights', async () => {
    expect((await gateway.send('POST', '/graphql', { body, token: null })).status).toBe(401);
    const { json } = await gateway.send('POST', '/graphql', { body, token: gateway.uploader });
    expect(json).toEqual(await gateway.graphql(meOperation, undefined, gateway.uploader));
    expect(json.data?.me?.role).not.toBe('ADMIN');
  });

  test('are planned as others are', async () => {
    const names = await gateway.statementNames(() => gateway.send('POST', '/graphql', { body }));
    const others = await gateway.statementNames(() => gateway.graphql('query Other { me { role } }'));
    expect(names).toEqual(others);
  });
});
