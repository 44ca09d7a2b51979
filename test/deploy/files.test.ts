import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config/config.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { version, engines } = JSON.parse(read('package.json'));

const known = new Set([...settings.map(({ name }) => name), 'NODE_ENV']);
const unknown = (names: Iterable<string>) => [...names].filter((name) => !known.has(name));

const byDigest = /^[a-z]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/;

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'));

  test('every service has a limit of memory, and an image by digest or of this version', () => {
    for (const { image, mem_limit: limit } of Object.values<Record<string, string>>(services)) {
      expect(limit).toMatch(/^\d+[mg]$/);
      expect(image === `expiration-gateway:${version}` || byDigest.test(image ?? '')).toBe(true);
    }
  });

  test('data and the secret key outlive the containers', () => {
    expect(services.gateway.volumes).toContain('data:/data');
    expect(services.gateway.env_file).toEqual([{ path: '.env', required: false }]);
    const mounted = Object.values<{ volumes: string[] }>(services).flatMap((service) => service.volumes);
    const named = mounted.filter((volume) => !volume.startsWith('.')).map((volume) => volume.split(':')[0]);
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort());
  });

  test('the gateway is an image built by the Dockerfile, with existing settings', () => {
    expect(read('Dockerfile')).toContain(`AS ${services.gateway.build.target}\n`);
    const told = Object.keys(services.gateway.environment);
    expect(unknown(told.filter((name) => !name.endsWith('_FILE')))).toEqual([]);
    expect(told).toContain('DATABASE_URL_FILE');
  });

  test('the first start makes a password, which later ones keep', () => {
    const [script] = services.secrets.command;
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    const run = (env: NodeJS.ProcessEnv) =>
      execFileSync('sh', ['-euc', script.replaceAll('$$', '$').replace('/secrets', folder)], { env });
    const urls = () => [
      readFileSync(join(folder, 'database-url'), 'utf8'),
      readFileSync(join(folder, 'postgres-password'), 'utf8'),
    ];
    try {
      run({ PATH: process.env.PATH });
      const [url, password] = urls();
      expect(password).toMatch(/^[0-9a-f]{48}$/);
      expect(url).toBe(`postgresql://gateway:${password}@database:5432/gateway`);
      run({ PATH: process.env.PATH });
      expect(urls()).toEqual([url, password]);
      rmSync(join(folder, 'database-url'));
      run({ PATH: process.env.PATH, POSTGRES_PASSWORD: 'ours' });
      expect(urls()).toEqual(['postgresql://gateway:ours@database:5432/gateway', 'ours']);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(services.database.environment.POSTGRES_PASSWORD_FILE).toBe('/secrets/postgres-password');
    expect(services.gateway.environment.DATABASE_URL_FILE).toBe('/secrets/database-url');
  });

  test('the proxy is started when it is asked for, by the name of its own file', () => {
    expect(services.proxy.profiles).toEqual(['tls']);
    const [file = ''] = services.proxy.volumes[0].split(':');
    expect(read(file)).toContain('reverse_proxy gateway:4000 {');
  });
});

describe('deploy/ha', () => {
  const { dcs } = parse(read('deploy/ha/patroni.yml')).bootstrap;

  test('a leader that is gone is replaced within half a minute, and loses nothing that was acknowledged', () => {
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl);
    expect(dcs.ttl + dcs.loop_wait).toBeLessThanOrEqual(30);
    expect(dcs.synchronous_mode).toBe(true);
  });

  test('every variable of the balancer is set', () => {
    const used = [...read('deploy/ha/haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
    const set = [...read('deploy/ha/try').matchAll(/\b([A-Z_0-9]+)=/g)].map(([, name]) => name);
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !set.includes(name))).toEqual([]);
  });
});

test.each([
  ['expiration-gateway', 'serve'],
  ['expiration-gateway-backup', 'backup /var/backups/expiration-gateway --with-files --keep 7d,4w,12m'],
])('the unit %s tells settings that there are, and runs the command of the package', (name, command) => {
  const unit = read(`deploy/systemd/${name}.service`);
  const [, told = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
  expect(unknown(told.split(' ').map((setting) => setting.split('=')[0] ?? ''))).toEqual([]);
  const { bin } = JSON.parse(read('package.json'));
  expect(unit).toMatch(new RegExp(`^ExecStart=/\\S+/bin/${Object.keys(bin)[0]} ${command}$`, 'm'));
});

test('the changelog describes this version, which the API reports', () => {
  expect(read('CHANGELOG.md')).toMatch(
    new RegExp(`^## \\[${version}\\] - (\\d{4}-\\d\\d-\\d\\d|not yet published)$`, 'm'),
  );
  expect(JSON.parse(read('schema/v1.openapi.json')).info.version).toBe(version);
});

const workflows = readdirSync(new URL('../../.github/workflows', import.meta.url));
const workflow = (name: string) => parse(read(`.github/workflows/${name}`));
const jobsOf = (name: string) => Object.values<{ steps: Record<string, string>[] }>(workflow(name).jobs);
const commandsOf = (steps: Record<string, string>[]) => steps.flatMap(({ run = '' }) => run.split('\n'));

test('the workflow tries the oldest Node.js and the later ones, and runs what CI runs here', () => {
  const { jobs } = workflow('ci.yml');
  const versions: string[] = jobs.check.strategy.matrix.node;
  expect(engines.node.startsWith(`>=${versions[0]}.`)).toBe(true);
  expect(versions).toContain(read('.nvmrc').trim());
  expect(commandsOf(jobs.check.steps)).toContain('.ci/run');
  expect(jobs.smoke.strategy.matrix.system.map((name: string) => name.split('-')[0])).toEqual([
    'macos',
    'windows',
  ]);
});

test('the image has the Node.js that is recommended', () => {
  expect(read('Dockerfile')).toContain(`\nARG NODE_IMAGE=node:${read('.nvmrc').trim()}.`);
});

test('the nightly workflow runs every part of .ci/long', () => {
  const [, parts = ''] = /\|\| parts=\(([^)]*)\)/.exec(read('.ci/long')) ?? [];
  expect(workflow('nightly.yml').jobs.long.strategy.matrix.part).toEqual(parts.split(' '));
});

test.each(workflows)(
  'the workflow %s pins its actions, limits its time, and may only read by default',
  (name) => {
    const { permissions } = workflow(name);
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of jobsOf(name)) expect(job).toMatchObject({ 'timeout-minutes': expect.any(Number) });
    for (const [, action] of read(`.github/workflows/${name}`).matchAll(/\buses: (.*)/g))
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  },
);

test('a release begins with the checks and all tests, and is of whoever owns the repository', () => {
  const text = read('.github/workflows/release.yml');
  const { on, jobs } = parse(text);
  expect(on).toEqual({ push: { tags: ['v*'] } });
  const { ready, tests, ...publishing } = jobs;
  expect(ready.needs).toBeUndefined();
  expect(commandsOf(ready.steps).join()).toContain('node scripts/release.mjs check "$GITHUB_REF_NAME"');
  expect(tests.needs).toBe('ready');
  expect(commandsOf(tests.steps)).toContain('.ci/run');
  expect(Object.keys(publishing).sort()).toEqual(['image', 'packages', 'release']);
  for (const { needs } of Object.values<{ needs: string[] }>(publishing))
    expect(needs).toEqual(expect.arrayContaining(['ready', 'tests']));
  expect(publishing.release.needs).toEqual(['ready', 'tests', 'packages', 'image']);
  // Texts of others would be run as a part of the script.
  for (const job of jobsOf('release.yml'))
    expect(commandsOf(job.steps).filter((line) => line.includes('${{'))).toEqual([]);
  expect(text).not.toMatch(/github\.com\/\w/);
});

test('the image that is published has the platforms and both variants of the Dockerfile', () => {
  const { jobs } = workflow('release.yml');
  const builds = jobs.image.steps.filter(({ uses = '' }) => uses.startsWith('docker/build-push-action@'));
  const targets = builds.map((step: { with: Record<string, unknown> }) => {
    expect(step.with).toMatchObject({ platforms: 'linux/amd64,linux/arm64', push: true, sbom: true });
    return step.with.target;
  });
  expect(targets).toEqual(['gateway', 'gateway-with-postgresql']);
  for (const target of targets) expect(read('Dockerfile')).toContain(` AS ${target}\n`);
});

test.each(['bug', 'wish'])('the issue form %s has a body of fields with labels', (name) => {
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`));
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  for (const { type, id, attributes } of form.body)
    expect(type === 'markdown' ? attributes.value : id && attributes.label).toBeTruthy();
});
