/**
 * Fails the leader of a cluster again and again under load, and prints a table: `npm run failover`. It needs
 * Linux, root and the packages of `deploy/ha/try`. Each server has a network and a disk of its own.
 *
 *   npm run failover -- --rounds=10 --faults=kill,stop,cut,disk --synchronous=on,off
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startLoad, startMailServer } from './lib/failover-load.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    faults: { type: 'string', default: 'kill,stop,cut,disk' },
    synchronous: { type: 'string', default: 'on,off' },
  },
});
const files = join(dirname(fileURLToPath(import.meta.url)), '../deploy/ha');
const members = ['a', 'b', 'c'];
const network = '10.97.53';
const address = (name) => `${network}.${members.indexOf(name) + 1}`;
const [front, bridge] = [`${network}.10`, 'gwha'];
const space = (name) => `gwha-${name}`;
const run = (program, ...args) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();
const tolerate = (work) => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/** Waits until something is true; throws after three minutes. */
async function until(what, condition) {
  const deadline = performance.now() + 180_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await sleep(200);
  }
}

function makeNetwork() {
  run('ip', 'link', 'add', bridge, 'type', 'bridge');
  run('ip', 'address', 'add', `${front}/24`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  for (const name of members) {
    run('ip', 'netns', 'add', space(name));
    run('ip', 'link', 'add', space(name), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space(name));
    run('ip', 'link', 'set', space(name), 'master', bridge, 'up');
    for (const args of [
      ['address', 'add', `${address(name)}/24`, 'dev', 'eth0'],
      ['link', 'set', 'eth0', 'up'],
      ['link', 'set', 'lo', 'up'],
    ])
      run('ip', '-n', space(name), ...args);
  }
}

function removeNetwork() {
  for (const name of members) {
    tolerate(() => run('ip', 'link', 'del', space(name)));
    tolerate(() => run('ip', 'netns', 'del', space(name)));
  }
  tolerate(() => run('ip', 'link', 'del', bridge));
}

/** The newest timeline that was seen in the cluster. */
let newest = 0;

/**
 * Returns what Patroni says of the members. A former leader that comes back does not know yet that it is one, so
 * answers with an older timeline do not count.
 */
async function cluster() {
  const ask = async (name) => {
    const response = await fetch(`http://${address(name)}:8008/cluster`, {
      signal: AbortSignal.timeout(3_000),
    });
    return (await response.json()).members;
  };
  const answers = await Promise.allSettled(members.map(ask));
  const timeline = (all) => all.find(({ role }) => role === 'leader')?.timeline ?? 0;
  const known = answers.flatMap(({ value }) => (value ? [value] : []));
  newest = Math.max(newest, ...known.map(timeline));
  return known.find((all) => timeline(all) === newest) ?? [];
}

const leaderOf = async () => (await cluster()).find(({ role }) => role === 'leader')?.name;

/** Returns whether all members are there; with synchronous mode, also that one is the synchronous standby. */
async function isWhole(synchronous) {
  const all = await cluster();
  const well = all.filter(({ role, state, lag }) =>
    role === 'leader' ? state === 'running' : /running|streaming/.test(state) && lag === 0,
  );
  return well.length === 3 && (!synchronous || all.some(({ role }) => role === 'sync_standby'));
}

/** Returns the processes of a member. */
const pids = (name) => run('ip', 'netns', 'pids', space(name)).split('\n').filter(Boolean).map(Number);

function signal(name, kind) {
  // Whoever starts others again goes first.
  for (const pid of pids(name).sort((one, other) => one - other)) tolerate(() => process.kill(pid, kind));
}

/** Each fault, and how it ends. */
const faults = {
  kill: {
    title: 'killed (`kill -9`)',
    begin: ({ leader }) => {
      while (pids(leader).length > 0) signal(leader, 'SIGKILL');
    },
    end: ({ leader, restart }) => restart(leader),
  },
  stop: {
    title: 'stopped (`SIGSTOP`)',
    begin: ({ leader }) => signal(leader, 'SIGSTOP'),
    end: ({ leader }) => signal(leader, 'SIGCONT'),
  },
  cut: {
    title: 'cut off from the network',
    begin: ({ leader }) => run('ip', 'link', 'set', space(leader), 'down'),
    end: ({ leader }) => run('ip', 'link', 'set', space(leader), 'up'),
  },
  disk: {
    title: 'its disk is full',
    // It writes until no space is left, which is an error.
    begin: ({ leader, data }) =>
      tolerate(() => run('dd', 'if=/dev/zero', `of=${join(data, leader, 'filler')}`, 'bs=64k')),
    end: ({ leader, data }) => rmSync(join(data, leader, 'filler'), { force: true }),
  },
};

async function startCluster(synchronous, smtp) {
  newest = 0;
  const data = mkdtempSync('/tmp/gateway-ha-');
  makeNetwork();
  for (const name of members) {
    mkdirSync(join(data, name));
    run('mount', '-t', 'tmpfs', '-o', 'size=700m', 'none', join(data, name));
  }
  const member = join(data, 'member');
  writeFileSync(member, `#!/bin/bash\nexec ip netns exec gwha-$1 ${join(files, 'member')} "$1"\n`, {
    mode: 0o755,
  });
  const secret = () => randomBytes(24).toString('hex');
  const [token, password, admin] = [secret(), secret(), secret()];
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, HA_DATA: data, MEMBER_PROGRAM: member },
    ...{ ADDRESS_A: address('a'), ADDRESS_B: address('b'), ADDRESS_C: address('c'), FRONT_ADDRESS: front },
    ...{ POSTGRES_PASSWORD: admin, REPLICATION_PASSWORD: secret(), GATEWAY_PASSWORD: password },
    ...{ SYNCHRONOUS: synchronous ? 'on' : 'off', BOOTSTRAP_TOKEN: token, LOG_LEVEL: 'warn' },
    ...{ RATE_LIMIT: 'off', RATE_LIMIT_FAILURES: 'off', MAIL_FROM: 'expiry@example.com', MAIL_RATE: '3' },
    ...{ SMTP_URL: `smtp://127.0.0.1:${smtp}`, SMTP_TLS: 'off' },
  };
  const all = spawn(join(files, 'try'), { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  all.stdout.on('data', (text) => {
    said += text;
  });
  const further = [];
  const restart = (name) => {
    further.push(spawn(member, [name], { env, detached: true, stdio: 'ignore' }));
  };
  const stop = async () => {
    const exited = once(all, 'exit');
    process.kill(all.pid, 'SIGINT');
    for (const one of further) tolerate(() => process.kill(one.pid, 'SIGTERM'));
    await Promise.race([exited, sleep(30_000)]);
    for (const name of members) tolerate(() => signal(name, 'SIGKILL'));
    await exited;
    removeNetwork();
    for (const name of members) tolerate(() => run('umount', '-l', join(data, name)));
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await until('the gateways answer', () => said.includes('The gateways answer'));
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = members.map((name) => `${address(name)}:5432`).join(',');
  const gateways = [`http://${front}:4001`, `http://${front}:4002`];
  const url = async () => `postgresql://postgres:${admin}@${address(await leaderOf())}:5432/gateway`;
  return { data, token, gateways, hosts, url, restart, stop };
}

async function query(url, text) {
  const client = new pg.Client({ connectionString: await url() });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Makes items that are due today, with one reminder each. */
const dueItems = `
  UPDATE reminder_policies SET time_of_day = '00:00', lead_days = 0;
  DELETE FROM reminder_steps;
  INSERT INTO reminder_steps (id, policy_id, position, offset_days, recipients, addresses)
    SELECT gen_random_uuid(), reminder_policy_id, 0, 0, '{ADDRESSES}', '{anna@example.org}' FROM teams LIMIT 1;
  INSERT INTO categories (id, organization_id, team_id, name, created, modified)
    SELECT gen_random_uuid(), organization_id, id, 'Failover', now(), now() FROM teams LIMIT 1;
  UPDATE reminder_marks SET through = now() - interval '2 days', next_at = now() - interval '1 minute';
  INSERT INTO expiration_items (id, organization_id, team_id, category_id, name, expiration_date, created, modified)
    SELECT gen_random_uuid(), organization_id, team_id, id, 'Due ' || n || '.', (now() AT TIME ZONE 'UTC')::date, now(), now()
    FROM categories, generate_series(1, 500) AS n WHERE name = 'Failover'`;

const markersSql = `
  SELECT name AS marker FROM vehicles UNION ALL SELECT name FROM contacts UNION ALL SELECT filename FROM upload_notifications`;

async function runFault(kind, rounds, synchronous) {
  const { title, begin, end } = faults[kind];
  const mails = await startMailServer();
  const all = await startCluster(synchronous, mails.port);
  try {
    await until('the cluster is whole', () => isWhole(synchronous));
    await query(all.url, dueItems);
    const load = await startLoad(all);
    const seconds = [];
    for (let round = 1; round <= rounds; round++) {
      await load.more(100);
      const leader = await leaderOf();
      const what = { ...all, leader };
      const gap = load.longestPause();
      begin(what);
      await until('another leads', async () => ![leader, undefined].includes(await leaderOf()));
      await load.more(50);
      seconds.push(Math.round(gap() / 100) / 10);
      end(what);
      await until('the cluster is whole again', () => isWhole(synchronous));
      process.stderr.write(`${kind}, synchronous ${synchronous}, round ${round}: ${seconds.at(-1)} s\n`);
    }
    await load.more(50);
    const { writes, streams } = await load.stop();
    const found = new Map();
    for (const { marker } of await query(all.url, markersSql))
      found.set(marker, (found.get(marker) ?? 0) + 1);
    const count = (condition) =>
      writes.filter((write) => condition(write, found.get(write.marker) ?? 0)).length;
    const sorted = seconds.toSorted((one, other) => one - other);
    return [
      ...[
        title,
        synchronous ? 'on' : 'off',
        rounds,
        count(({ done }) => done),
        count((_, times) => times > 0),
      ],
      ...[count(({ done }, times) => done && times === 0), count((_, times) => times > 1)],
      `${sorted[Math.floor(sorted.length / 2)]} (${sorted.at(-1)})`,
      ...[`${mails.twice()} of ${mails.all()}`, `${streams.ended} of ${streams.opened}`, streams.unexplained],
    ];
  } finally {
    await all.stop();
    await mails.close();
  }
}

const head = [
  ...['The leader is', 'Synchronous mode', 'Times', 'Acknowledged', 'Found', 'Lost', 'Doubled'],
  ...['Seconds without a write, median (worst)', 'Mails twice', 'Streams ended', 'without a reason'],
];
const row = (cells) => `| ${cells.join(' | ')} |\n`;
const rows = [];
for (const mode of values.synchronous.split(',')) {
  for (const kind of values.faults.split(',')) {
    rows.push(await runFault(kind, Number(values.rounds), mode === 'on'));
    process.stderr.write(row(rows.at(-1)));
  }
}
process.stdout.write([head, head.map(() => '---'), ...rows].map(row).join(''));
process.exit(0);
