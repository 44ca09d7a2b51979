import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { onlyIf } from '../support/skipping.js';
import { environment, project, run } from './support.js';

/** The page, whose commands are tried. */
const page = readFileSync(join(project, 'docs/start/production.md'), 'utf8');
const hasTools = process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap');
const inEmptyRoot = onlyIf(hasTools, 'root and debootstrap');

/** An empty Debian in a folder, with a network that has nothing but itself. */
let root = '';
const network = () => join(root, 'run/own-network');
const mailPort = 2525;

/** Programs in place of those that need the world: the network that installs, a certificate authority, systemd. */
const standIns: Record<string, string> = {
  'apt-get': '#!/bin/sh\nexec nsenter --net=/run/host-network /usr/bin/apt-get "$@"\n',
  npm: '#!/bin/sh\nexport npm_config_cafile=/stand-ins/ca.crt\nexec nsenter --net=/run/host-network /usr/bin/npm "$@"\n',
  certbot: `#!/bin/sh -e
live=/etc/letsencrypt/live/gateway.example.com
mkdir -p $live
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=gateway.example.com \\
  -addext subjectAltName=DNS:gateway.example.com -keyout $live/privkey.pem -out $live/fullchain.pem 2> /dev/null
cp $live/fullchain.pem /usr/local/share/ca-certificates/gateway.crt
update-ca-certificates > /dev/null
`,
};

/** What a person does in a browser: opens the link of the first start. */
const firstVisit = `
secret=$(sed -n 's/.*#//p' /var/lib/expiration-gateway/first-start.txt | head -n 1)
curl -fsS https://gateway.example.com/session/setup -H 'Content-Type: application/json' \\
  -H 'Origin: https://gateway.example.com' -H 'X-Requested-With: test' -d '{"secret": "'$secret'", "organization": "Acme", "name": "Ada",
  "email": "ada@example.com", "password": "a long sentence of Ada", "demo": false}'
`;

/** Receives mails, and writes each to a file of the root. */
const sink = `
import { writeFileSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';
let count = 0;
new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], onData(stream, _session, done) {
  const parts = [];
  stream.on('data', (part) => parts.push(part)).on('end', () => {
    writeFileSync(process.argv[2] + '/mail-' + (count += 1), Buffer.concat(parts));
    done();
  });
} }).listen(${mailPort}, '127.0.0.1');
`;

/** Returns the commands of the page, after a line that names each block's section. */
function commandsOf(text: string): string {
  return text
    .split(/^## /m)
    .flatMap((section) => {
      const [title = ''] = section.split('\n');
      const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands);
      return blocks.map(
        (commands) => `echo '── ${title}'\n${commands}${/first-start/.test(commands) ? firstVisit : ''}`,
      );
    })
    .join('\n')
    .replace(/^SMTP_URL=.*$/m, `SMTP_URL=smtp://127.0.0.1:${mailPort}`);
}

/** Returns the mirror that this machine takes Debian's packages from. */
function mirror(): string {
  const sources = readFileSync('/etc/apt/sources.list.d/debian.sources', 'utf8');
  return /^URIs: (\S+)/m.exec(sources)?.[1] ?? '';
}

/** Ends every process whose root is the folder. */
function endProcesses(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/root`) === root) process.kill(Number(pid), 'SIGKILL');
    } catch {}
  }
}

beforeAll(async () => {
  if (!hasTools) return;
  root = await mkdtemp(join(tmpdir(), 'gateway-production-'));
  await chmod(root, 0o755);
  await run('/', 'debootstrap', '--variant=minbase', 'trixie', root, mirror());
  for (const [name, text] of Object.entries(standIns)) {
    mkdirSync(join(root, 'stand-ins'), { recursive: true });
    writeFileSync(join(root, 'stand-ins', name), text, { mode: 0o755 });
  }
  await cp(join(project, 'test/packaging/systemctl.mjs'), join(root, 'stand-ins/systemctl'));
  await chmod(join(root, 'stand-ins/systemctl'), 0o755);
  // The authorities that this machine's own npm trusts.
  const { NODE_EXTRA_CA_CERTS: authorities = '/etc/ssl/certs/ca-certificates.crt' } = environment;
  await cp(authorities, join(root, 'stand-ins/ca.crt'), { dereference: true });
  // Packages do not start their services by themselves: the page does.
  await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost gateway.example.com\n');
  await cp('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  for (const place of ['proc', 'dev']) await run('/', 'mount', '--rbind', `/${place}`, join(root, place));
  for (const name of ['host-network', 'own-network']) await writeFile(join(root, 'run', name), '');
  await run('/', 'mount', '--bind', '/proc/self/ns/net', join(root, 'run/host-network'));
  await run('/', 'unshare', `--net=${network()}`, 'ip', 'link', 'set', 'lo', 'up');
  await run(project, 'npm', 'pack', '--ignore-scripts=false', '--pack-destination', join(root, 'root'));
}, 600_000);

afterAll(async () => {
  if (!root) return;
  endProcesses();
  for (const place of ['run/own-network', 'run/host-network', 'proc', 'dev']) {
    execFileSync('umount', ['--recursive', '--lazy', join(root, place)]);
  }
  await rm(root, { recursive: true, force: true });
}, 120_000);

test('the page leads from an empty Debian to a first reminder', {
  ...inEmptyRoot,
  timeout: 1_200_000,
}, async () => {
  await writeFile(join(root, 'root/commands.sh'), commandsOf(page));
  const script = join(root, 'root/sink.mjs');
  await writeFile(script, sink);
  await symlink(join(project, 'node_modules'), join(root, 'root/node_modules'));
  const receiver = spawn('nsenter', [`--net=${network()}`, process.execPath, script, join(root, 'root')]);
  const { npm_config_registry: registry = '' } = environment;
  const child = spawn(
    'nsenter',
    [`--net=${network()}`, 'chroot', root, '/bin/bash', '-c', 'cd /root; set -euo pipefail; . ./commands.sh'],
    {
      env: {
        PATH: '/stand-ins:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
        DEBIAN_FRONTEND: 'noninteractive',
        NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
        ...(registry && { npm_config_registry: registry }),
      },
    },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => (printed += part));
  const [status] = await once(child, 'close');
  try {
    expect(status, printed).toBe(0);
    expect(printed).toContain('https://gateway.example.com leads here, through a proxy.');
    expect(printed).not.toMatch(/^(FAIL|warn) /m);
    expect(printed).toMatch(/Fire extinguisher/);
    expect(printed).toMatch(/ada@example\.com/);
    expect(printed).toMatch(/"value":\[[\d.]+,"1"\]/);
    await eventually(() => {
      const mails = readdirSync(join(root, 'root')).filter((name) => name.startsWith('mail-'));
      const texts = mails.map((name) => readFileSync(join(root, 'root', name), 'utf8'));
      expect(texts.join('\n')).toContain('Fire extinguisher');
    }, 180_000);
  } finally {
    receiver.kill();
  }
});
