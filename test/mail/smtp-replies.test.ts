import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeMeanings } from '../../src/domain/reminders/smtp-replies.js';
import type { MailMessage } from '../../src/mail/mail.js';
import { createMailer } from '../../src/mail/mailer.js';
import { replies, type SmtpPhase } from './smtp-replies.fixture.js';

/** What the server answers in a phase; undefined closes the connection. */
let answer: { readonly phase: SmtpPhase; readonly reply: string | undefined; readonly closes?: boolean };
let port: number;

/** Answers the commands of one connection. */
function serve(socket: Socket): void {
  let rest = '';
  let isMessage = false;
  const say = (phase: SmtpPhase | undefined, usual: string) => {
    const isIt = phase === answer.phase;
    if (isIt && answer.reply === undefined) socket.destroy();
    else socket.write(`${isIt ? answer.reply?.replaceAll('\n', '\r\n') : usual}\r\n`);
    if (isIt && answer.closes) socket.end();
  };
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    rest += chunk.toString();
    const lines = rest.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (isMessage && line !== '.') continue;
      const command = isMessage ? 'END' : line.slice(0, 4).toUpperCase();
      isMessage = false;
      if (command === 'MAIL') say('MAIL FROM', '250 ok');
      else if (command === 'RCPT') say('RCPT TO', '250 ok');
      else if (command === 'END') say('DATA', '250 taken');
      else if (command === 'DATA') {
        isMessage = true;
        say(undefined, '354 go on');
      } else say(undefined, '250 ok');
    }
  });
  socket.write('220 hello\r\n');
}

const server = createServer(serve);
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const message: MailMessage = {
  ...{ to: 'anna@example.org', subject: 'Trade licence', text: 'It expires.\n', html: '<p>It expires.</p>' },
  messageId: '<0197-1@example.com>',
};
const now = new Date('2027-03-24T08:00:00Z');

/** Sends the mail over a connection of its own. */
async function send() {
  const mailer = createMailer({
    server: { host: '127.0.0.1', port, tls: 'optional', login: undefined },
    from: 'Expiry <expiry@example.com>',
    replyTo: undefined,
    withoutTls: true,
  });
  try {
    return await mailer.send(message, now);
  } finally {
    mailer.close();
  }
}

test.each(replies)('to %s, %j means %s (%s)', async (phase, reply, failure, about) => {
  answer = { phase, reply };
  const statusCode = Number(reply.slice(0, 3));
  const isDead = about === 'dead';
  expect(await send()).toEqual({
    ...{ outcome: isDead ? 'refused' : 'failed', failure, statusCode, reason: expect.any(String) },
    ...(!isDead && { isServerFault: about === 'server' }),
  });
});

test('only codes of mailboxes that do not exist or are disabled suppress an address', async () => {
  const dead: string[] = [];
  for (const detail of Object.keys(codeMeanings)) {
    answer = { phase: 'RCPT TO', reply: `550 5.${detail} No` };
    if ((await send()).outcome === 'refused') dead.push(detail);
  }
  expect(dead).toEqual(['1.1', '1.6', '1.10', '2.1']);
});

test.each(['MAIL FROM', 'RCPT TO', 'DATA'] as const)(
  'a connection that ends after %s is lost',
  async (phase) => {
    answer = { phase, reply: undefined };
    const lost = { outcome: 'failed', failure: 'MAIL_CONNECTION_LOST', isServerFault: true };
    expect(await send()).toMatchObject(lost);
  },
);

test('a server that accepts a mail and then closes has it', async () => {
  answer = { phase: 'DATA', reply: '250 taken', closes: true };
  expect(await send()).toMatchObject({ outcome: 'sent' });
});
