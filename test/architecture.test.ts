import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StagedDoor, stageNames } from '../src/domain/doors/stages.js';
import { exposition } from '../src/http/metrics/exposition.js';
import { startGateway, type TestGateway } from './support/gateway.js';

const page = readFileSync(new URL('../docs/inside/architecture.md', import.meta.url), 'utf8');

/** Returns the names in the numbered list below a heading. */
function listBelow(heading: string): string[] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const [own = ''] = section.split('\n##');
  return [...own.matchAll(/^\d+\. `(\w+)`/gm)].map(([, name = '']) => name);
}

const headings: Record<StagedDoor, string> = {
  rest: 'Stages of a REST request',
  graphql: 'Stages of a GraphQL request',
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** Stages of a door with how often each ran, in the order of the metric. */
async function stagesRun(door: StagedDoor): Promise<Map<string, number>> {
  const text = await exposition([await gateway.app.measure()]);
  const counts = text.matchAll(/^gateway_stage_duration_seconds_count\{(.*)\} (\d+)$/gm);
  const labelled = [...counts].map(([, labels = '', count = '']) => ({ labels, count: Number(count) }));
  const ofDoor = labelled.filter(({ labels }) => labels.includes(`door="${door}"`));
  return new Map(ofDoor.map(({ labels, count }) => [/stage="(\w+)"/.exec(labels)?.[1] ?? '', count]));
}

describe.each(Object.entries(stageNames))('%s', (name, stages) => {
  const door = name as StagedDoor;

  test('docs/inside/architecture.md lists the stages as the code has them', () => {
    expect(listBelow(headings[door])).toEqual(stages);
  });

  test('a request passes each stage once', async () => {
    const before = await stagesRun(door);
    if (door === 'rest') await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } });
    else await gateway.graphql('{ me { name } }');
    const after = await stagesRun(door);
    const passed = [...after].map(([stage, count]) => [stage, count - (before.get(stage) ?? 0)]);
    expect(passed).toEqual(stages.map((stage) => [stage, 1]));
  });
});

test('a stage that fails is timed, and fails the request', async () => {
  const before = await stagesRun('rest');
  const { status } = await gateway.send('POST', '/v1/vehicles', {
    raw: '{',
    headers: { 'Content-Type': 'application/json' },
  });
  expect(status).toBe(400);
  const after = await stagesRun('rest');
  expect((after.get('readArguments') ?? 0) - (before.get('readArguments') ?? 0)).toBe(1);
  expect(after.get('execute')).toBe(before.get('execute'));
});
