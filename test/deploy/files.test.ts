import { readFileSync } from 'node:fs';
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
    expect(services.gateway.environment.SECRET_KEY).toMatch(/^\$\{SECRET_KEY:\?/);
    const mounted = Object.values<{ volumes: string[] }>(services).flatMap((service) => service.volumes);
    const named = mounted.filter((volume) => !volume.startsWith('.')).map((volume) => volume.split(':')[0]);
    expect(named.sort()).toEqual(Object.keys(volumes).sort());
  });

  test('the gateway is an image built by the Dockerfile, with existing settings', () => {
    expect(read('Dockerfile')).toContain(`AS ${services.gateway.build.target}\n`);
    expect(unknown(Object.keys(services.gateway.environment))).toEqual([]);
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

test('the unit of systemd tells settings that there are, and runs the command of the package', () => {
  const unit = read('deploy/systemd/expiration-gateway.service');
  const [, told = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
  expect(unknown(told.split(' ').map((setting) => setting.split('=')[0] ?? ''))).toEqual([]);
  const { bin } = JSON.parse(read('package.json'));
  expect(unit).toMatch(new RegExp(`^ExecStart=/\\S+/bin/${Object.keys(bin)[0]} serve$`, 'm'));
});

test('the changelog describes this version, which the API reports', () => {
  expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
  expect(JSON.parse(read('schema/v1.openapi.json')).info.version).toBe(version);
  expect(JSON.parse(read('package-lock.json')).version).toBe(version);
});

test('the workflow tries the oldest Node.js and the later ones, and runs what CI runs here', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  const versions: string[] = jobs.check.strategy.matrix.node;
  expect(engines.node.startsWith(`>=${versions[0]}.`)).toBe(true);
  expect(versions).toContain(read('.nvmrc').trim());
  expect(jobs.check.steps.map(({ run }: { run?: string }) => run)).toContain('.ci/run');
});

test.each(['bug', 'wish'])('the issue form %s has a body of fields with labels', (name) => {
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`));
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  for (const { type, id, attributes } of form.body)
    expect(type === 'markdown' ? attributes.value : id && attributes.label).toBeTruthy();
});
