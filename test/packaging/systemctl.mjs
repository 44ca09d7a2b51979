#!/usr/bin/env node
// Starts units as systemd would, where there is none: their commands, as their users, with their settings.
// Debian's own services are started by their scripts.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';

const [verb, ...rest] = process.argv.slice(2);
const names = rest.filter((word) => !word.startsWith('-'));

/** Reads the settings of a unit, each with all of its values. @param {string} file */
function readUnit(file) {
  /** @type {Map<string, string[]>} */
  const unit = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) unit.set(name, [...(unit.get(name) ?? []), value]);
  }
  return unit;
}

/** Starts the command of a unit. @param {string} name @param {Map<string, string[]>} unit */
function startUnit(name, unit) {
  const one = (/** @type {string} */ setting) => unit.get(setting)?.at(-1);
  const file = one('EnvironmentFile')?.replace(/^-/, '');
  const fromFile = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const given = [...(unit.get('Environment') ?? []).flatMap((line) => line.split(' ')), ...fromFile];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS };
  for (const line of given) {
    const at = line.indexOf('=');
    if (at > 0 && !line.startsWith('#'))
      Object.assign(env, { [line.slice(0, at)]: line.slice(at + 1).replace(/^"(.*)"$/, '$1') });
  }
  const command = ['-u', one('User') ?? 'root', '--', 'sh', '-c', `exec ${one('ExecStart')}`];
  const log = openSync(`/var/log/${name}.log`, 'a');
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { env, cwd: one('WorkingDirectory') ?? '/', stdio: ['ignore', log, log] };
  if (one('Type') === 'oneshot') return spawnSync('runuser', command, options).status ?? 1;
  const child = spawn('runuser', command, { ...options, detached: true });
  writeFileSync(`/run/${name}.pid`, String(child.pid));
  child.unref();
  return 0;
}

/** Stops the command of a unit, and waits for its end. @param {string} name */
function stopUnit(name) {
  if (!existsSync(`/run/${name}.pid`)) return;
  const pid = Number(readFileSync(`/run/${name}.pid`, 'utf8'));
  execFileSync('sh', ['-c', `kill -TERM -${pid}; while kill -0 ${pid} 2>/dev/null; do sleep 0.1; done`]);
}

/**
 * Finds the file of a unit: ours, or Debian's for a service that stays in the foreground. Its others have scripts.
 * @param {string} name @returns {string | undefined}
 */
function unitOf(name) {
  const file = name.includes('.') ? name : `${name}.service`;
  if (existsSync(`/etc/systemd/system/${file}`)) return `/etc/systemd/system/${file}`;
  const debian = `/usr/lib/systemd/system/${file}`;
  return existsSync(debian) && !readUnit(debian).has('Type') ? debian : undefined;
}

let status = 0;
for (const name of names) {
  const file = unitOf(name);
  if (file === undefined) {
    const action = verb === 'enable' ? 'start' : String(verb);
    status ||= spawnSync('service', [name, action], { stdio: 'inherit' }).status ?? 1;
  } else if (name.endsWith('.timer')) {
    if (!readUnit(file).has('OnCalendar')) status = 1;
  } else {
    if (verb === 'restart' || verb === 'stop') stopUnit(name);
    if (verb !== 'stop') status ||= startUnit(name, readUnit(file));
  }
}
process.exit(status);
