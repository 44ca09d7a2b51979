import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { printSchema } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { onlyIf } from '../support/skipping.js';

/** The copy of graphql that GraphQL Inspector uses: a schema of the gateway's copy is none to it. */
const { buildSchema }: typeof import('graphql') = createRequire(import.meta.url)('graphql');

/** Changes that break clients all the same, by where they are in the schema, and why they are made. */
const explained: Record<string, string> = {
  'CreateTagInput.name': 'A tag without a name can be neither seen nor chosen.',
  'ReplaceTagInput.name': 'A tag without a name can be neither seen nor chosen.',
  'ExpirationItem.attachments': 'It is a connection, like all lists below records.',
  'ExpirationItem.renewals': 'It is a connection, like all lists below records.',
  'Location.ancestors': 'It is a connection, like all lists below records.',
};

/**
 * Every list takes several keys of an order. One alone is still taken, but for variables of its type.
 */
const isOrder = (path: string) => /\.orderBy$/.test(path);

/** The commit to compare with: the last one while a change is made; the one before it where CI checks a change. */
const base = process.env.SCHEMA_BASE ?? 'HEAD';

/** Returns the schema's language as it was, or nothing where there is no history. */
function committed(): string | undefined {
  try {
    return execFileSync('git', ['show', `${base}:schema/gateway.graphql`], {
      cwd: new URL('.', import.meta.url),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

/** Returns what no longer works for clients of the old schema, and is not explained. */
async function breaking(before: string, after: string): Promise<string[]> {
  const changes = await diff(buildSchema(before), buildSchema(after));
  return changes
    .filter(
      ({ criticality, path = '' }) =>
        criticality.level === CriticalityLevel.Breaking && !(path in explained) && !isOrder(path),
    )
    .map(({ path, message }) => `${path}: ${message}`);
}

test('a change that breaks clients is found, others are not', async () => {
  const before = 'type Query { a(x: Int): Int, b: Int }';
  expect(await breaking(before, 'type Query { a(x: Int, y: Int): Int!, b: Int, c: Int }')).toEqual([]);
  expect(await breaking(before, 'type Query { a(x: Int!): Int }')).toEqual([
    expect.stringMatching(/^Query\.b: /),
    expect.stringMatching(/^Query\.a\.x: /),
  ]);
});

const text = committed();
test(
  `nothing breaks clients of the schema at ${base}`,
  onlyIf(text !== undefined, 'the history of Git'),
  async () => {
    expect(await breaking(text ?? '', printSchema(schema))).toEqual([]);
  },
);
