import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from 'graphql-ws';
import {
  commitMutation,
  type Environment,
  type FetchFunction,
  type GraphQLTaggedNode,
  type MutationParameters,
  Observable,
  type SubscribeFunction,
  type Variables,
} from 'relay-runtime';
import WebSocket from 'ws';
import { webSocketUrl } from '../live/support.js';
import type { TestGateway } from '../support/gateway.js';
import type { Project } from './project.js';
import { addressOf, countingFetch } from './support.js';

/** What `relay.flow.ts.txt` exports. */
export interface Flow {
  readonly operations: Readonly<Record<'changed' | 'remove' | 'rename', GraphQLTaggedNode>>;
  createEnvironment(fetchFn: FetchFunction, subscribeFn: SubscribeFunction): Environment;
  openList(environment: Environment, filter?: object): Promise<List>;
  openHistory(
    environment: Environment,
    id: string,
  ): Promise<{ events(): Promise<{ type: string }[]>; loadNext(): Promise<boolean> }>;
}

/** A list as it is shown. */
export interface List {
  readonly me: { readonly name: string };
  rows(): Promise<{ name: string; assignedTo: object | null; customFields: { value: string }[] }[]>;
  connection(): Promise<string>;
  loadNext(): Promise<boolean>;
  refetchRow(index: number): Promise<void>;
}

/** Returns the compiler's settings, which are those that docs/use/clients.md shows. */
async function readConfig(): Promise<object> {
  const page = await readFile(new URL('../../docs/use/clients.md', import.meta.url), 'utf8');
  const [, config = ''] = /```json\n(\{\s+"src":[^`]+)```/.exec(page) ?? [];
  return JSON.parse(config);
}

const cli = createRequire(import.meta.url).resolve('relay-compiler/cli.js');
const schema = new URL('../../schema/gateway.graphql', import.meta.url);

/**
 * Runs Relay's compiler over documents; rejects with what it prints when it refuses them.
 * @param further settings
 */
export async function compileRelay(project: Project, documents: string, further: object = {}): Promise<void> {
  await copyFile(schema, join(project.folder, 'gateway.graphql'));
  await project.write({
    'relay.config.json': JSON.stringify({ ...(await readConfig()), ...further }),
    'src/items.ts': documents,
    'src/__generated__/.keep': '',
    'operations/items.json': '{}',
  });
  await promisify(execFile)(process.execPath, [cli, 'relay.config.json'], { cwd: project.folder });
}

/** Returns an environment that asks as Relay's documentation has it, and streams over graphql-ws. */
export function connectRelay(gateway: TestGateway, flow: Flow, token?: string) {
  const { url, headers } = addressOf(gateway, token);
  const { sent, fetch } = countingFetch();
  const ask: FetchFunction = async ({ id, text }, variables) => {
    // A compiler that writes the documents down leaves their ids in their place.
    const operation = text === null ? { documentId: id } : { query: text };
    const type = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ ...operation, variables });
    return (await fetch(url, { method: 'POST', headers: { ...headers, ...type }, body })).json();
  };
  const socket = createClient({
    url: webSocketUrl(gateway),
    webSocketImpl: WebSocket,
    connectionParams: headers,
  });
  const follow: SubscribeFunction = ({ text, name: operationName }, variables) =>
    Observable.create((sink) => {
      const query = text ?? '';
      // The two libraries' names for one shape.
      const results = sink as unknown as Parameters<typeof socket.subscribe>[1];
      return socket.subscribe({ operationName, query, variables }, results);
    });
  return { environment: flow.createEnvironment(ask, follow), sent };
}

/** Sends a mutation; the errors that come with its answer. */
export function commit(environment: Environment, mutation: GraphQLTaggedNode, variables: Variables) {
  return new Promise<unknown>((resolve, reject) => {
    commitMutation<MutationParameters>(environment, {
      mutation,
      variables,
      onCompleted: (_answer, errors) => resolve(errors),
      onError: reject,
    });
  });
}
