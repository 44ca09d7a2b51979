import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readText } from '../docs/pages.js';
import { eventually } from '../support/eventually.js';
import { useGateway } from '../support/gateway.js';
import { createProject, type Project } from './project.js';
import { createItems, idOf } from './support.js';

const gateway = useGateway();

/** The files of the page, by their names. */
const recipes = Object.fromEntries(
  [...readText('docs/use/clients.md').matchAll(/^```ts\n\/\/ ([\w-]+\.ts)\n([\s\S]*?)^```/gm)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);
const names = ['gateway-fetch.ts', 'ask.ts', 'urql.ts', 'apollo.ts', 'live.ts'];

let project: Project;
beforeAll(async () => {
  await createItems(gateway, 'ABCD');
  project = await createProject();
  await project.write(recipes);
  project.compile(names);
});
afterAll(() => project.remove());

/** Runs a recipe, which names its neighbours as bundlers do. */
async function load(name: string) {
  await project.write({ [name]: (recipes[name] ?? '').replace(/'\.\/(\w+)'/g, "'./$1.ts'") });
  return project.run(name);
}

const address = () => `${gateway.url}/graphql`;

/** Returns the recipe's `fetch`, and how often it has asked for a new token. */
async function sender() {
  const { gatewayFetch } = await load('gateway-fetch.ts');
  const asked: boolean[] = [];
  const send: typeof fetch = gatewayFetch(async (hasExpired: boolean) => {
    asked.push(hasExpired);
    return asked.includes(true) ? gateway.admin : 'expired';
  });
  return { send, asked };
}

test.each(names)('%s compiles', (name) => {
  expect(Object.keys(recipes)).toEqual(names);
  expect(project.complaints(name)).toEqual([]);
});

test('an expired token is replaced, once', async () => {
  const { send, asked } = await sender();
  const { connect } = await load('ask.ts');
  expect(await connect(address(), send)('{ me { role } }', {})).toEqual({ me: { role: 'ADMIN' } });
  expect(asked).toEqual([false, true]);
});

test('after 429, the request is sent again once the time is up', async () => {
  const { send } = await sender();
  let requests = 0;
  const busy = createServer((_request, response) => {
    const isFirst = ++requests === 1;
    response.writeHead(isFirst ? 429 : 200, { 'Retry-After': '0' }).end(String(requests));
  });
  await new Promise<void>((done) => busy.listen(0, '127.0.0.1', done));
  const response = await send(`http://127.0.0.1:${(busy.address() as AddressInfo).port}`);
  expect([response.status, await response.text()]).toEqual([200, '2']);
  busy.close();
});

test('a file goes along in a form', async () => {
  const { send } = await sender();
  const { connect } = await load('ask.ts');
  const document = `mutation($itemId: ID!, $file: Upload!) {
    addAttachment(input: { itemId: $itemId, file: $file }) { name contentUrl }
  }`;
  const file = new File(['%PDF-1.7'], 'scan.pdf', { type: 'application/pdf' });
  const variables = { itemId: await idOf(gateway, 'A'), file: null };
  const { addAttachment } = await connect(address(), send)(document, variables, { file });
  expect(addAttachment.name).toBe('scan.pdf');
  expect(await (await send(addAttachment.contentUrl)).text()).toBe('%PDF-1.7');
});

test('urql shows a renewal at once, and then what the gateway says', async () => {
  const { send } = await sender();
  const { connectUrql, itemQuery, renew } = await load('urql.ts');
  const client = connectUrql(address(), send);
  const id = await idOf(gateway, 'B');
  const shown: unknown[] = [];
  const screen = client
    .query(itemQuery, { id })
    .subscribe(({ data }: { data: { expirationItem: object } }) => shown.push(data.expirationItem));
  await eventually(() => expect(shown).toHaveLength(1));
  await client.mutation(renew, { id, input: { expirationDate: '2029-01-31' } }).toPromise();
  await eventually(() => expect(shown.length).toBeGreaterThanOrEqual(3));
  expect(shown[1]).toMatchObject({ version: '', expirationDate: '2029-01-31' });
  expect(shown.at(-1)).toMatchObject({ version: expect.stringMatching(/./), expirationDate: '2029-01-31' });
  screen.unsubscribe();
});

test('Apollo Client shows a renewal at once', async () => {
  const { send } = await sender();
  const [{ connectApollo, renewAtOnce }, { itemQuery }] = [await load('apollo.ts'), await load('urql.ts')];
  const client = connectApollo(address(), send);
  const id = await idOf(gateway, 'C');
  const shown: unknown[] = [];
  const screen = client
    .watchQuery({ query: itemQuery, variables: { id } })
    .subscribe(({ data }: { data?: { expirationItem?: object } }) => shown.push(data?.expirationItem));
  await eventually(() => expect(shown.at(-1)).toMatchObject({ id }));
  const { version } = shown.at(-1) as { version: string };
  const { data } = await renewAtOnce(client, id, '2029-01-31');
  expect(data.renewExpirationItem).toMatchObject({ id, expirationDate: '2029-01-31' });
  await eventually(() => expect(shown.at(-1)).toMatchObject({ version: data.renewExpirationItem.version }));
  // The version that it had, with the new date.
  expect(shown).toContainEqual(expect.objectContaining({ version, expirationDate: '2029-01-31' }));
  screen.unsubscribe();
  client.stop();
});

test('a live list hears of a change', async () => {
  const { send } = await sender();
  const { onItemChange } = await load('live.ts');
  let changes = 0;
  const stop = onItemChange(address(), send, () => changes++);
  await eventually(async () => {
    await gateway.graphql(
      'mutation($id: ID!) { updateExpirationItem(id: $id, input: { details: "x" }) { id } }',
      {
        id: await idOf(gateway, 'D'),
      },
    );
    await gateway.graphql(
      'mutation($id: ID!) { updateExpirationItem(id: $id, input: { details: "y" }) { id } }',
      {
        id: await idOf(gateway, 'D'),
      },
    );
    expect(changes).toBeGreaterThan(0);
  });
  stop();
});
