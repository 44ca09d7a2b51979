import { expect } from 'vitest';
import { report } from './check.js';
import { isLong, onPosix, prepareBench, timeout, writers } from './fixture.js';
import { startLoad } from './load.js';
import type { GatewayProcess } from './support.js';

const bench = prepareBench();
const { token } = bench;
/** Writes that are acknowledged before a fault, and after it. */
const between = isLong ? 1_000 : 40;
const rounds = isLong ? 10 : 3;
const fewRounds = isLong ? 10 : 1;

onPosix('the gateway is killed under load', { timeout }, async (context) => {
  const databaseUrl = await bench.database();
  let gateway = await bench.start({ databaseUrl });
  const load = await startLoad({ token, writers, url: () => gateway.url });
  const recovery: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await load.more(between);
    await gateway.kill();
    const recovered = load.recovery();
    gateway = await bench.start({ databaseUrl });
    recovery.push(await recovered);
  }
  await load.more(between);
  const result = await load.stop();
  const scenario = `Gateway killed, ${rounds} times`;
  await report(context, { scenario, result, recovery, databaseUrl, url: gateway.url, token });
  expect(result.unanswered).toBeGreaterThan(0);
});

onPosix('one of two gateways is killed under load', { timeout }, async (context) => {
  const databaseUrl = await bench.database();
  const gateways = [await bench.start({ databaseUrl }), await bench.start({ databaseUrl })];
  // Who is refused goes to the other one, as a load balancer would send them.
  let turn = 0;
  const url = () => (gateways[turn++ % gateways.length] as GatewayProcess).url;
  const load = await startLoad({ token, writers, url });
  const recovery: number[] = [];
  for (let round = 0; round < fewRounds; round++) {
    await load.more(between);
    const victim = round % 2;
    await gateways[victim]?.kill();
    recovery.push(await load.recovery());
    await load.more(between);
    gateways[victim] = await bench.start({ databaseUrl });
  }
  await load.more(between);
  const result = await load.stop();
  const scenario = `One of two gateways killed, ${fewRounds} times`;
  const url0 = (gateways[0] as GatewayProcess).url;
  await report(context, { scenario, result, recovery, databaseUrl, url: url0, token });
});

onPosix('the gateway is asked to end under load', { timeout }, async (context) => {
  const databaseUrl = await bench.database();
  let gateway = await bench.start({ databaseUrl });
  const load = await startLoad({ token, writers, url: () => gateway.url });
  const recovery: number[] = [];
  for (let round = 0; round < fewRounds; round++) {
    await load.more(between);
    expect(await gateway.stop()).toBe(0);
    const recovered = load.recovery();
    gateway = await bench.start({ databaseUrl });
    recovery.push(await recovered);
  }
  const result = await load.stop();
  const scenario = `Gateway asked to end, ${fewRounds} times`;
  const figures = await report(context, { scenario, result, recovery, databaseUrl, url: gateway.url, token });
  // What was taken in was answered: nothing was done that nobody was told of.
  expect(figures.found).toBe(figures.acknowledged);
});
