import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { report } from './check.js';
import { type Answer, sendOnce } from './client.js';
import { isLong, onPosix, prepareBench, timeout } from './fixture.js';
import type { LoadResult } from './load.js';
import { committed, type DatabaseProxy, type Link, startProxy } from './proxy.js';
import type { GatewayProcess } from './support.js';

const bench = prepareBench();
const { token } = bench;
const rounds = isLong ? 50 : 3;

/** The ways to make a vehicle. */
const making = [
  (name: string) => ({ method: 'POST', path: '/v1/vehicles', body: { name } }),
  (name: string) => ({
    method: 'POST',
    path: '/graphql',
    body: { query: `mutation { createVehicle(input: {name: "${name}"}) { id } }` },
  }),
];

/**
 * Waits for the commit of a transaction in which a text was sent. The database has committed then, and nobody but
 * the proxy knows.
 */
function commitOf(proxy: DatabaseProxy, text: string): Promise<Link> {
  return new Promise((resolve) => {
    proxy.tap = {
      answer: (piece, link) => {
        if (!piece.includes(committed) || !link.sent().includes(text)) return true;
        proxy.tap = {};
        resolve(link);
        return false;
      },
    };
  });
}

/** Makes vehicles, each cut off at its commit, and sends each again under its key: by turns at both doors. */
async function cutOff(
  url: () => string,
  proxy: DatabaseProxy,
  fault: (link: Link) => Promise<void>,
): Promise<{ first: (Answer | Error)[]; again: Answer[]; result: LoadResult }> {
  const first: (Answer | Error)[] = [];
  const again: Answer[] = [];
  const writes: { marker: string; key: string; acknowledged: boolean }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [marker, key] = [`cut-${round}.`, randomUUID()];
    const sent = { ...(making[round % 2] ?? making[0])?.(marker), key } as Parameters<typeof sendOnce>[2];
    const cut = commitOf(proxy, marker);
    const answer = sendOnce(token, url(), sent).catch((error: Error) => error);
    await fault(await cut);
    first.push(await answer);
    again.push(await sendOnce(token, url(), sent));
    writes.push({ marker, key, acknowledged: true });
  }
  const unanswered = first.filter((answer) => answer instanceof Error).length;
  return { first, again, result: { writes, unanswered, refused: rounds - unanswered, unexpected: [] } };
}

/** Expects that repetitions got the first answer, and nothing was done again. */
function checkReplays(again: readonly Answer[]): void {
  const said = again.map(({ status, header }) => [status < 300, header('idempotency-replayed')]);
  expect(said).toEqual(again.map(() => [true, 'true']));
}

onPosix('the gateway is killed between commit and answer', { timeout }, async (context) => {
  const databaseUrl = await bench.database();
  const proxy = await startProxy(databaseUrl);
  context.onTestFinished(proxy.close);
  let gateway: GatewayProcess = await bench.start({ databaseUrl: proxy.url });
  const recovery: number[] = [];
  const { first, again, result } = await cutOff(
    () => gateway.url,
    proxy,
    async () => {
      await gateway.kill();
      const begun = performance.now();
      gateway = await bench.start({ databaseUrl: proxy.url });
      recovery.push(Math.round(performance.now() - begun));
    },
  );
  expect(first.every((answer) => answer instanceof Error)).toBe(true);
  checkReplays(again);
  const scenario = `Gateway killed between commit and answer, ${rounds} times`;
  await report(context, { scenario, result, recovery, databaseUrl, url: gateway.url, token });
});

onPosix('the connection is cut between commit and answer', { timeout }, async (context) => {
  const databaseUrl = await bench.database();
  const proxy = await startProxy(databaseUrl);
  context.onTestFinished(proxy.close);
  const { url } = await bench.start({ databaseUrl: proxy.url });
  const { first, again, result } = await cutOff(
    () => url,
    proxy,
    async (link) => link.cut(),
  );
  // Nobody knows whether it was done: whoever asks again under its key is told.
  expect(first.map((answer) => !(answer instanceof Error) && /UNAVAILABLE/.test(answer.text))).toEqual(
    first.map(() => true),
  );
  checkReplays(again);
  const scenario = `Connection cut between commit and answer, ${rounds} times`;
  await report(context, { scenario, result, recovery: [], databaseUrl, url, token });
});
