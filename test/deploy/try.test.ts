import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { onPosix } from '../support/skipping.js';

const program = fileURLToPath(new URL('../../deploy/ha/try', import.meta.url));

/** Programs in the place of Debian's: members that stay, and gateways that are never ready. */
const programs = {
  etcd: '',
  patroni: '',
  haproxy: 'exec sleep 1000',
  member: 'exec sleep 1000',
  curl: `case "$*" in *cluster*) printf '"state": "running"\\n"state": "streaming"\\n"state": "streaming"\\n';; *) exit 22;; esac`,
};

test.each([
  ['a member', 'a', { member: 'echo the disk is full; exit 3' }],
  ['a gateway', 'gateway1', {}],
] as const)('%s that dies at the start ends all, with its last lines', onPosix, async (_, name, others) => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-try-'));
  try {
    for (const [file, script] of Object.entries({ ...programs, ...others })) {
      await writeFile(join(folder, file), `#!/bin/bash\n${script}\n`);
      await chmod(join(folder, file), 0o755);
    }
    const child = spawn(program, {
      env: {
        PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
        TMPDIR: folder,
        MEMBER_PROGRAM: join(folder, 'member'),
        GATEWAY_PROGRAM: join(folder, 'no-such-program.js'),
      },
    });
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(status).toBe(1);
    expect(stderr).toContain(`${name} has ended. Its last lines:`);
    expect(stderr).toContain(name === 'a' ? 'the disk is full' : 'no-such-program.js');
    expect((await readdir(folder)).filter((file) => file.startsWith('gateway-ha-'))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
