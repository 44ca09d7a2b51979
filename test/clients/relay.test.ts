import { join } from 'node:path';
import { requestSubscription } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streams } from '../live/support.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createProject, type Project, source } from './project.js';
import { commit, compileRelay, connectRelay, type Flow, type List } from './relay.support.js';
import { createFilledIn, createItems, expectQuietConsole, idOf, update } from './support.js';

let gateway: TestGateway;
let project: Project;
let flow: Flow;
expectQuietConsole();
beforeAll(async () => {
  project = await createProject();
  await compileRelay(project, await source('relay.documents'));
  const sound = await source('relay.flow');
  const mistaken = sound
    .replace('historyQuery, { id }', 'historyQuery, { key: id }')
    .replace('expirationItems.edges', 'expirationItems.rows');
  await project.write({ 'src/flow.ts': sound, 'src/mistaken.ts': mistaken });
  project.compile(['src/flow.ts', 'src/mistaken.ts']);
  flow = await project.run('src/flow.ts');
  gateway = await startGateway();
  await createItems(gateway, 'ABCDEFG');
});
afterAll(async () => {
  await gateway.close();
  await project.remove();
});

const connect = (token?: string) => connectRelay(gateway, flow, token);

const namesOf = async (list: List) => (await list.rows()).map(({ name }) => name).join('');

describe('the compiler', () => {
  test.each([
    ['a field', 'expirationDate', 'expiryDate'],
    ['an argument', 'first: $first', 'limit: $first'],
    ['a refetchable type', 'on ExpirationItem @refetchable', 'on CustomField @refetchable'],
  ])('refuses %s that the schema does not have', async (_name, right, wrong) => {
    const other = await createProject();
    const documents = (await source('relay.documents')).replace(right, wrong);
    await expect(compileRelay(other, documents)).rejects.toThrow(/ERROR/);
    await other.remove();
  });

  test('generates types that fit, and find mistakes', () => {
    expect(project.complaints('src/flow.ts')).toEqual([]);
    const messages = project.complaints('src/mistaken.ts').map(({ message }) => message);
    expect(messages).toContainEqual(
      expect.stringMatching(/'key' does not exist in type 'itemsHistoryQuery\$variables'/),
    );
    expect(messages).toContainEqual(expect.stringMatching(/^Property 'rows' does not exist/));
  });
});

test('a @connection grows page by page, each row once', async () => {
  const { environment, sent } = connect();
  const list = await flow.openList(environment);
  for (const [names, more] of [
    ['ABC', true],
    ['ABCDEF', true],
    ['ABCDEFG', false],
  ] as const) {
    expect(await namesOf(list)).toBe(names);
    expect(await list.loadNext()).toBe(more);
  }
  expect(sent).toHaveLength(3);
});

test('a @refetchable row is refetched by its id alone', async () => {
  const { environment, sent } = connect();
  const list = await flow.openList(environment);
  const id = await idOf(gateway, 'C');
  await update(gateway, id, { name: 'C2' });
  expect(await namesOf(list)).toBe('ABC');
  await list.refetchRow(2);
  expect(await namesOf(list)).toBe('ABC2');
  expect(sent).toHaveLength(2);
  await update(gateway, id, { name: 'C' });
});

test('a list below a record grows through node(id)', async () => {
  const { environment } = connect();
  const id = await idOf(gateway, 'D');
  await update(gateway, id, { details: 'No' });
  const history = await flow.openHistory(environment, id);
  expect(await history.events()).toMatchObject([{ type: 'CREATED' }]);
  expect(await history.loadNext()).toBe(true);
  expect(await history.events()).toMatchObject([{ type: 'CREATED' }, { type: 'UPDATED' }]);
  expect(await history.loadNext()).toBe(false);
});

test('mutations change and delete the records that are shown', async () => {
  const { environment, sent } = connect();
  const list = await flow.openList(environment, { term: 'E' });
  const id = await idOf(gateway, 'E');
  expect(await commit(environment, flow.operations.rename, { id, name: 'E2' })).toBeNull();
  expect(await namesOf(list)).toBe('E2');
  expect(
    await commit(environment, flow.operations.remove, { id, connections: [await list.connection()] }),
  ).toBeNull();
  expect(await namesOf(list)).toBe('');
  expect(sent).toHaveLength(3);
});

test('a subscription changes the records that are shown', async () => {
  const { environment } = connect();
  const list = await flow.openList(environment, { term: 'F' });
  const id = await idOf(gateway, 'F');
  const { changed: subscription } = flow.operations;
  const following = requestSubscription(environment, { subscription, variables: { id } });
  await streams(gateway, 1);
  await update(gateway, id, { name: 'F2' });
  await eventually(async () => expect(await namesOf(list)).toBe('F2'));
  following.dispose();
  await streams(gateway, 0);
});

test('ids that stand in several types are no records of the store', async () => {
  const { environment } = connect();
  const categoryId = await createFilledIn(gateway, ['X', 'Y']);
  await update(gateway, await idOf(gateway, 'X'), { assignedTo: { id: gateway.userId } });
  const list = await flow.openList(environment, { categoryId });
  expect(list.me.name).toBe('Ada Admin');
  expect(await list.rows()).toMatchObject([
    { customFields: [{ value: 'X' }], assignedTo: { id: gateway.userId } },
    { customFields: [{ value: 'Y' }], assignedTo: null },
  ]);
});

test('an error answer comes with its code', async () => {
  const { environment } = connect(gateway.viewer);
  const refused = await commit(environment, flow.operations.rename, { id: 'none', name: 'A' });
  expect(refused).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  const nobody = connect('egw_unknown');
  await expect(flow.openList(nobody.environment)).rejects.toMatchObject({
    source: { errors: [{ extensions: { code: 'UNAUTHORIZED' } }] },
  });
});

test('persisted operations are requested only by their ids', async () => {
  const other = await createProject();
  const persistConfig = { file: './operations/items.json', algorithm: 'SHA256' };
  await compileRelay(other, await source('relay.documents'), { persistConfig });
  await other.write({ 'src/flow.ts': await source('relay.flow') });
  const PERSISTED_OPERATIONS = join(other.folder, 'operations');
  const strict = await startGateway({ PERSISTED_OPERATIONS, PERSISTED_OPERATIONS_ONLY: 'on' });
  const persisted: Flow = await other.run('src/flow.ts');
  const list = await persisted.openList(connectRelay(strict, persisted).environment);
  expect(list.me.name).toBe('Ada Admin');
  // And no other is answered.
  expect(await strict.graphql('{ me { name } }')).toMatchObject({ errors: [{}] });
  await strict.close();
  await other.remove();
});
