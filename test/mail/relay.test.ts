import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailer, type Mailer } from '../../src/mail/mailer.js';
import { reminderMail } from '../../src/mail/reminder-mail.js';
import { eventually } from '../support/eventually.js';
import { onlyIf } from '../support/skipping.js';
import { type MailSink, smtpError, startMailSink } from './smtp.support.js';

const exim = '/usr/sbin/exim4';
/** Exim must be started by root, and its user is made when Debian installs it. */
const userOf = (): { uid: number; gid: number } | undefined => {
  const { status, stdout } = spawnSync('getent', ['passwd', 'Debian-exim'], { encoding: 'utf8' });
  if (status !== 0 || process.getuid?.() !== 0) return undefined;
  const [, , uid, gid] = stdout.split(':').map(Number);
  return uid && gid ? { uid, gid } : undefined;
};
const user = spawnSync(exim, ['--version']).status === 0 ? userOf() : undefined;

/** Returns a relay that takes mail into its queue, and hands it on until it is taken. Nobody is at gone@. */
const settings = (folder: string, port: number, next: number) => `
primary_hostname = relay.example.com
exim_user = Debian-exim
exim_group = Debian-exim
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/pid
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
tls_advertise_hosts =
rfc1413_query_timeout = 0s
acl_smtp_rcpt = rcpt
begin acl
rcpt:
  deny local_parts = gone
       message = No such user here
  accept
begin routers
all:
  driver = manualroute
  transport = onward
  route_list = * 127.0.0.1
  self = send
begin transports
onward:
  driver = smtp
  port = ${next}
  allow_localhost
begin retry
* * F,1h,1s
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe('a mail server with a queue', onlyIf(user !== undefined, 'root and exim4'), () => {
  let folder: string;
  let inbox: MailSink;
  let mailer: Mailer;
  let refusals = 1;
  let relay: ReturnType<typeof spawn>;
  beforeAll(async () => {
    inbox = await startMailSink({
      onRcptTo: (_address, _session, callback) =>
        callback(refusals-- > 0 ? smtpError(451, 'Try again later') : null),
    });
    folder = await mkdtemp(join(tmpdir(), 'gateway-relay-'));
    await chmod(folder, 0o755);
    if (user) await chown(folder, user.uid, user.gid);
    const port = await freePort();
    const config = join(folder, 'exim.conf');
    await writeFile(config, settings(folder, port, inbox.port), { mode: 0o644 });
    relay = spawn(exim, ['-C', config, '-bdf', '-q1s'], { stdio: 'ignore' });
    await eventually(() => readFile(join(folder, 'pid')));
    const server = { host: '127.0.0.1', port, tls: 'optional' as const, login: undefined };
    mailer = createMailer({
      server,
      from: 'Expiry <expiry@example.com>',
      replyTo: undefined,
      withoutTls: false,
    });
  });
  afterAll(async () => {
    mailer?.close();
    relay?.kill('SIGTERM');
    if (relay) await once(relay, 'exit');
    await inbox?.close();
    if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const send = (to: string, messageId: string) => {
    const entry = {
      name: 'Führerschein',
      about: 'EXPIRATION' as const,
      date: '2027-03-31',
      daysLeft: 7,
      links: { acknowledge: 'https://e.example/r/a' },
    };
    const content = reminderMail({ language: 'de', workspace: 'Main', entries: [entry] });
    const message = { ...content, to, messageId, unsubscribe: 'https://e.example/r/u' };
    return mailer.send(message, new Date('2027-03-24'));
  };

  test('accepts a mail once, and forwards it unchanged when the next server accepts it', async () => {
    expect(await send('anna@example.org', '<1@example.com>')).toMatchObject({ outcome: 'sent' });
    await eventually(() => expect(inbox.taken).toHaveLength(1));
    const [{ to, mail }] = inbox.taken as [MailSink['taken'][number]];
    expect(to).toEqual(['anna@example.org']);
    expect(mail).toMatchObject({
      messageId: '<1@example.com>',
      subject: expect.stringContaining('Führerschein'),
    });
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(headers['list-unsubscribe']).toBe('<https://e.example/r/u>');
    expect(refusals).toBeLessThan(0);
  });

  test('refuses an address permanently, with a message that is shown', async () => {
    expect(await send('gone@example.org', '<2@example.com>')).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('No such user here'),
    });
  });
});
