import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { start } from '../cli/support.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

/** A command of a page, and the answer that the page shows below it. */
interface Example {
  readonly command: string;
  readonly answer: { readonly language: string; readonly text: string } | undefined;
}

const folder = new URL('../../', import.meta.url);
const documentedUrl = 'http://127.0.0.1:4000';
const documentedReceiver = 'https://hooks.example.com/expiry';
/** The longest that the commands of a page may take. Some wait for what the gateway does by itself. */
const patience = 240_000;
const separator = '\n=== end of example ===\n';

/** A folder of its own with the documents, because some examples write files. */
let place: string;
let database: TestDatabase;
let gateway: ReturnType<typeof start>;
let url: string;
let token: string;
/** Takes the messages of webhooks that the pages send to `documentedReceiver`. */
let receiver: Server;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'egw-examples-'));
  await symlink(new URL('docs', folder), join(place, 'docs'));
  database = await createDatabase();
  const dataDir = join(place, 'data');
  receiver = createServer((request, response) =>
    request.resume().on('end', () => response.writeHead(204).end()),
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', DEMO_DATA: 'on', MCP: 'on' };
  gateway = start({ ...env, WEBHOOK_PRIVATE_HOSTS: new URL(receiverUrl()).host }, 'serve');
  url = await eventually(() => {
    const [, address] = /"url":"([^"]+)".*"ready"/.exec(gateway.stdout()) ?? [];
    if (address === undefined) throw new Error(`It is not ready: ${gateway.stdout()}`);
    return address;
  });
  token = /egw_\S+/.exec(await readFile(join(dataDir, 'first-start.txt'), 'utf8'))?.[0] ?? '';
});

afterEach(async () => {
  gateway?.signals.emit('SIGTERM', 'SIGTERM');
  await gateway?.outcome;
  await database?.drop();
  receiver?.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await rm(place, { recursive: true });
});

const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/expiry`;

/** Reads the `sh` blocks of a page, each with the block of another language that follows it. */
function examplesOf(page: string): Example[] {
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    return [{ command: text, answer: next && ['json', 'http'].includes(next.language) ? next : undefined }];
  });
}

/** What the tutorial sets at its beginning, and other pages take as set. */
const prelude = `
TOKEN=egw_…
URL=${documentedUrl}
AUTH="Authorization: Bearer $TOKEN"
JSON="Content-Type: application/json"
`;

/** Runs all commands in one shell, so that variables carry over; returns the output of each. */
async function run(examples: readonly Example[]): Promise<string[]> {
  const commands = examples.map(({ command }) => `${command}printf %s '${separator}'\n`).join('');
  const script = (prelude + commands)
    .replaceAll(documentedUrl, url)
    .replaceAll(documentedReceiver, receiverUrl())
    .replaceAll('egw_…', token);
  const { stdout } = await promisify(execFile)('bash', ['-u', '-c', script], {
    cwd: place,
    timeout: patience,
  });
  return stdout.split(separator).slice(0, -1);
}

/** Values that differ with each run: a page shows one of them, and any of the same form is as good. */
const forms = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
];

/**
 * Returns whether an answer is the one that is shown. `…` stands for any text; the member `…` for further
 * members.
 */
function matches(shown: unknown, answered: unknown): boolean {
  if (typeof shown === 'string' && typeof answered === 'string') {
    const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(answered)) return true;
    return forms.some((form) => form.test(shown) && form.test(answered));
  }
  if (Array.isArray(shown) && Array.isArray(answered)) {
    return shown.length === answered.length && shown.every((entry, index) => matches(entry, answered[index]));
  }
  if (isObject(shown) && isObject(answered)) {
    const { '…': more, ...members } = shown;
    const names = Object.keys(members);
    const complete = more !== undefined || names.length === Object.keys(answered).length;
    return complete && names.every((name) => name in answered && matches(members[name], answered[name]));
  }
  return shown === answered;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares an answer of `curl -i`: the status, the headers that are shown, and the body. */
function matchesHttp(shown: string, answered: string): boolean {
  const [head = '', body = ''] = shown.trimEnd().split('\n\n');
  const [answeredHead = '', answeredBody = ''] = answered.split('\r\n\r\n');
  const lines = answeredHead.split('\r\n');
  if (!head.split('\n').every((line) => lines.some((other) => matches(line, other)))) return false;
  return body === '' ? answeredBody === '' : matches(JSON.parse(body), JSON.parse(answeredBody));
}

test.each([
  'README.md',
  ...[
    'start/tutorial',
    'use/graphql',
    'use/rest',
    'use/errors',
    'use/uploads',
    'use/compliance',
    'use/compliance-api',
    'use/requests-api',
  ].map((name) => `docs/${name}.md`),
])('%s shows what the gateway answers', { timeout: patience + 30_000 }, async (name) => {
  const examples = examplesOf(readFileSync(new URL(name, folder), 'utf8'));
  expect(examples.filter(({ answer }) => answer).length).toBeGreaterThan(0);
  const outputs = await run(examples);
  for (const [index, { command, answer }] of examples.entries()) {
    const output = outputs[index] ?? '';
    if (!answer) continue;
    const same =
      answer.language === 'json'
        ? matches(JSON.parse(answer.text), JSON.parse(output))
        : matchesHttp(answer.text, output);
    expect(same, `${command}answers ${output}`).toBe(true);
  }
});
