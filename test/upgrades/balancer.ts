import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/db/embedded/embedded.js';
import { eventually } from '../support/eventually.js';

const program = '/usr/sbin/haproxy';
const sample = fileURLToPath(new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url));

/** True if this machine has HAProxy. */
export const hasBalancer = existsSync(program);

/** A running HAProxy. */
export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Returns the sample's text for other ports, without TLS. */
function configuration(port: number, ports: readonly number[]): string {
  const servers = ports.map((each, place) => `    server gateway${place + 1} 127.0.0.1:${each}`);
  return readFileSync(sample, 'utf8')
    .replace(/^ *bind :80$/m, `    bind 127.0.0.1:${port}`)
    .replace(/^ *bind :443 .*\n/m, '')
    .replace(/^ *http-request redirect scheme https .*\n/m, '')
    .replace(/^ *server gateway1 .*$/m, servers.join('\n'));
}

/** Starts HAProxy with the sample's configuration in front of gateways that already answer. */
export async function startBalancer(folder: string, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, ports));
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    const { status } = await fetch(`${url}/health/ready`);
    if (status !== 200) throw new Error(`HAProxy answers ${status}.`);
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
