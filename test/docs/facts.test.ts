import { existsSync, readdirSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildProgram } from '../../src/cli/run.js';
import { metricLabels } from '../support/gateway-metrics.js';
import { pages, readText, root } from './pages.js';

/** Pages about the present; the changelog is about the past as well. */
const present = pages.filter((page) => page !== 'CHANGELOG.md');
/** Files for operators, whose comments have commands, too. */
const samples = readdirSync(new URL('deploy/', root), { recursive: true, encoding: 'utf8' })
  .map((name) => `deploy/${name}`)
  .filter((name) => /\.[a-z]+$|systemd\/expiration-gateway$/.test(name) && !name.endsWith('.json'));

/** Finds what a pattern finds in pages and samples, each with the file that has it. */
function find(pattern: RegExp, files = [...present, ...samples]): [found: string, file: string][] {
  return files.flatMap((file) =>
    [...readText(file).matchAll(pattern)].map(([all, first]): [string, string] => [first ?? all, file]),
  );
}

/** Returns what is not as it should be, as messages. */
const wrong = (found: [string, string][], isThere: (name: string) => boolean) =>
  found.filter(([name]) => !isThere(name)).map(([name, file]) => `${file}: ${name}`);

test('every alert that a page names is there', () => {
  const { groups } = parse(readText('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { alert: string }[] }[];
  };
  const alerts = new Set(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
  const named = find(/`(Gateway[A-Z]\w+)`/g, present).filter(([name]) => name !== 'GatewayError');
  expect(named.length).toBeGreaterThan(20);
  expect(wrong(named, (name) => alerts.has(name))).toEqual([]);
});

test('every metric that a page names is there', async () => {
  const metrics = await metricLabels();
  const named = find(/`((?:gateway|nodejs|process)_[a-z_]+[a-z])/g, present);
  expect(named.length).toBeGreaterThan(40);
  expect(
    wrong(named, (name) => metrics.has(name) || metrics.has(name.replace(/_(bucket|sum|count)$/, ''))),
  ).toEqual([]);
});

test('every unit that a page starts or reads the log of is there', () => {
  const debian = ['postgresql', 'nginx', 'haproxy', 'prometheus', 'etcd', 'patroni'];
  const named = find(
    /(?:journalctl -u|systemctl (?:enable --now|start|stop|restart|reload|list-timers)) ([\w@.-]+[\w@])/g,
  );
  expect(named.length).toBeGreaterThan(10);
  const isUnit = (name: string) => {
    const file = (/\.\w+$/.test(name) ? name : `${name}.service`).replace(/@.*\./, '@.');
    return (
      debian.includes(name) ||
      ['systemd', 'ha'].some((folder) => existsSync(new URL(`deploy/${folder}/${file}`, root)))
    );
  };
  expect(wrong(named, isUnit)).toEqual([]);
});

test('every command that a page runs is there', () => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const program = buildProgram({ env: {}, stdout: nowhere, stderr: nowhere } as never);
  const isCommand = (words: string, command: Command = program): boolean => {
    const [first = '', ...rest] = words.split(' ');
    const child = command.commands.find((one) => one.name() === first);
    if (!child) return command !== program && command.commands.length === 0;
    return child.commands.length === 0 || isCommand(rest.join(' '), child);
  };
  const pattern =
    /(?:node dist\/main\.js|npx expiration-gateway|^(?:[A-Z_]+=\S+ )*expiration-gateway|`expiration-gateway)((?: [a-z][\w-]*){1,2})/gm;
  const named = find(pattern).map(([words, file]): [string, string] => [words.trim(), file]);
  expect(named.length).toBeGreaterThan(60);
  expect(wrong(named, (words) => isCommand(words))).toEqual([]);
});
