import { expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { report } from './check.js';
import { sendOnce } from './client.js';
import { isLong, onPosix, prepareBench, timeout, writers } from './fixture.js';
import { startLoad } from './load.js';

const bench = prepareBench();
const { token } = bench;
const between = isLong ? 500 : 40;
const rounds = isLong ? 10 : 2;

for (const mode of ['session', 'transaction'] as const) {
  onPosix(
    `PgBouncer is killed under load, in ${mode} mode`,
    { timeout, ...hasPgBouncer },
    async (context) => {
      const databaseUrl = await bench.database();
      const pooler = await startPgBouncer(databaseUrl, mode);
      context.onTestFinished(pooler.close);
      const env = { DATABASE_DIRECT_URL: databaseUrl, DATABASE_POOLING: mode };
      const { url } = await bench.start({ databaseUrl: pooler.url, env });
      const load = await startLoad({ token, writers, url: () => url });
      const ready = async () => (await sendOnce(token, url, { method: 'GET', path: '/health/ready' })).status;
      const recovery: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await load.more(between);
        await pooler.kill();
        await eventually(async () => expect(await ready()).toBe(503));
        await pooler.start();
        recovery.push(await load.recovery());
        expect(await ready()).toBe(200);
      }
      await load.more(between);
      const result = await load.stop();
      const scenario = `PgBouncer in ${mode} mode killed, ${rounds} times`;
      await report(context, { scenario, result, recovery, databaseUrl, url, token });
      expect(result.refused).toBeGreaterThan(0);
      // The gateway stays up: each request is answered.
      expect(result.unanswered).toBe(0);
    },
  );
}
