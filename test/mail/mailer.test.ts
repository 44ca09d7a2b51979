import { pino } from 'pino';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import type { MailFailure } from '../../src/domain/reminders/reasons.js';
import type { MailMessage } from '../../src/mail/mail.js';
import { createMailer, type Mailer, type SendResult, type SmtpServer } from '../../src/mail/mailer.js';
import { watchServer } from '../../src/reminders/reminder-worker.js';
import { certificate, type MailSink, smtpError, startMailSink } from './smtp.support.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(
  options?: SMTPServerOptions,
  server: Partial<SmtpServer> = {},
  withoutTls = false,
): Promise<{ sink: MailSink; mailer: Mailer }> {
  const sink = await startMailSink(options);
  const mailer = createMailer({
    server: { host: '127.0.0.1', port: sink.port, tls: 'optional', login: undefined, ...server },
    from: 'Expiry <expiry@example.com>',
    replyTo: 'office@example.com',
    withoutTls,
  });
  closers.push(sink.close, mailer.close);
  return { sink, mailer };
}

const now = new Date('2027-03-24T08:00:00Z');
const message: MailMessage = {
  to: 'anna@example.org',
  subject: 'Trade licence expires in 7 days (2027-03-31)',
  text: 'Trade licence expires in 7 days.\n',
  html: '<p>Trade licence expires in 7 days.</p>',
  messageId: '<0197-1@example.com>',
  thread: '<item-1.2027-03-31@example.com>',
  unsubscribe: 'https://expiry.example.com/r/abc.def',
};

const [fails, works] = ['The mail server accepts no mail', 'The mail server accepts mail again'];

const refused = (reason: string, failure: MailFailure): SendResult => ({
  ...{ outcome: 'failed', reason, failure, statusCode: Number(reason.slice(0, 3)), isServerFault: true },
});

/** Headers of the mail that was taken, by their names in lower case. */
const headersOf = ({ taken }: MailSink) =>
  Object.fromEntries(taken[0]?.mail.headers.map(({ key, value }) => [key, value]) ?? []);

describe('a mail', () => {
  test('has one recipient, its fixed id, its thread, and one-click unsubscribing', async () => {
    const { sink, mailer } = await start();
    expect(await mailer.send(message, now)).toMatchObject({ outcome: 'sent' });
    expect(sink.taken).toMatchObject([
      { from: 'expiry@example.com', to: ['anna@example.org'], mail: { subject: message.subject } },
    ]);
    const mail = sink.taken[0]?.mail;
    expect(mail?.text?.trim()).toBe(message.text.trim());
    expect(mail?.html?.trim()).toBe(message.html);
    expect(mail?.replyTo).toMatchObject([{ address: 'office@example.com' }]);
    expect(mail).not.toHaveProperty('cc');
    expect(headersOf(sink)).toMatchObject({
      'message-id': '<0197-1@example.com>',
      'in-reply-to': message.thread,
      references: message.thread,
      date: 'Wed, 24 Mar 2027 08:00:00 +0000',
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'list-unsubscribe': `<${message.unsubscribe}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
  });

  test.each(['a@[1,b@evil.example,c]', 'a@[x;b@evil.example]'])(
    'has one recipient, whatever a list of addresses would make of %s',
    async (to) => {
      const { sink, mailer } = await start();
      // This server refuses such an address. It must hear of no other one.
      expect(await mailer.send({ ...message, to }, now)).toMatchObject({ outcome: 'failed' });
      expect(sink.taken).toEqual([]);
    },
  );

  test('offers one click only at an https address', async () => {
    const { sink, mailer } = await start();
    await mailer.send({ ...message, unsubscribe: 'http://expiry.lan/r/abc.def' }, now);
    expect(headersOf(sink)).toMatchObject({ 'list-unsubscribe': '<http://expiry.lan/r/abc.def>' });
    expect(headersOf(sink)).not.toHaveProperty('list-unsubscribe-post');
  });

  test.each([
    '=?UTF-8?Q?Hi?= expires in 7 days',
    `${'=?utf-8?B?SGk=?= '.repeat(12)}führerschein`,
    'a =? b ?= c',
  ])('shows the subject %j as it is', async (subject) => {
    const { sink, mailer } = await start();
    await mailer.send({ ...message, subject }, now);
    expect(sink.taken[0]?.mail.subject).toBe(subject);
    const lines = sink.taken[0]?.raw.split('\r\n') ?? [];
    for (const line of lines.slice(0, lines.indexOf(''))) expect(line.length).toBeLessThanOrEqual(78);
  });

  test('goes to a mailbox outside ASCII only if the server offers SMTPUTF8', async () => {
    const to = 'jürgen@example.org';
    const plain = await start({ hideSMTPUTF8: true });
    expect(await plain.mailer.send({ ...message, to }, now)).toEqual({
      ...{ outcome: 'hopeless', failure: 'MAIL_ADDRESS_NOT_ASCII', statusCode: undefined },
      reason: expect.stringContaining('SMTPUTF8'),
    });
    expect(plain.sink.taken).toEqual([]);
    const modern = await start({ hideSMTPUTF8: false });
    expect(await modern.mailer.send({ ...message, to }, now)).toMatchObject({ outcome: 'sent' });
    expect(modern.sink.taken.map((mail) => mail.to)).toEqual([[to]]);
    // A domain has a form in ASCII.
    expect(await plain.mailer.send({ ...message, to: 'anna@bücher.example' }, now)).toMatchObject({
      outcome: 'sent',
    });
  });

  test('keeps the same id when it is sent again', async () => {
    const { sink, mailer } = await start();
    await mailer.send(message, now);
    await mailer.send(message, new Date(now.getTime() + 60_000));
    expect(sink.taken.map(({ mail }) => mail.messageId)).toEqual([message.messageId, message.messageId]);
  });

  test.each([
    'a\r\nBcc: victim@example.org',
    'a\nX-Evil: 1',
    'nul\0byte',
    '🛂 passeport — société, Ω, שלום עולם',
    'x'.repeat(255),
  ])('has no header that the subject %j brings along', async (subject) => {
    const { sink, mailer } = await start();
    await mailer.send({ ...message, subject }, now);
    const headers = headersOf(sink);
    expect(headers).not.toHaveProperty('bcc');
    expect(headers).not.toHaveProperty('x-evil');
    expect(sink.taken[0]?.to).toEqual(['anna@example.org']);
    expect(sink.taken[0]?.mail.subject).not.toMatch(/[\r\n]/);
  });

  test.each(['a@example.org, b@example.org', 'a@example.org\r\nRCPT TO:<b@example.org>', '<a@example.org>'])(
    'goes to one recipient at most: %j',
    async (to) => {
      const { sink, mailer } = await start();
      await mailer.send({ ...message, to }, now);
      const recipients = sink.taken.flatMap((mail) => mail.to);
      expect(recipients.filter((address) => address !== 'a@example.org')).toEqual([]);
      expect(recipients.length).toBeLessThanOrEqual(1);
    },
  );
});

describe('what goes wrong is a result:', () => {
  test('a permanently refused recipient', async () => {
    const { mailer } = await start({
      onRcptTo: (_address, _session, callback) => callback(smtpError(550, 'no such user')),
    });
    expect(await mailer.send(message, now)).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining('no such user'),
      failure: 'MAIL_ADDRESS_UNKNOWN',
      statusCode: 550,
    });
  });

  test('a temporarily refused recipient, accepted later', async () => {
    let tries = 0;
    const { sink, mailer } = await start({
      onRcptTo(_address, _session, callback) {
        tries += 1;
        callback(tries < 3 ? smtpError(451, 'greylisted') : null);
      },
    });
    const later = { outcome: 'failed', isServerFault: false, statusCode: 451 };
    expect(await mailer.send(message, now)).toMatchObject(later);
    expect(await mailer.send(message, now)).toMatchObject(later);
    expect(await mailer.send(message, now)).toMatchObject({ outcome: 'sent' });
    expect(sink.taken).toHaveLength(1);
  });

  test('a refused sender, which is not the recipient’s fault', async () => {
    const { mailer } = await start({
      onMailFrom: (_address, _session, callback) => callback(smtpError(550, 'who are you')),
    });
    const expected = { outcome: 'failed', isServerFault: true, failure: 'MAIL_SENDER_REFUSED' };
    expect(await mailer.send(message, now)).toMatchObject(expected);
  });

  test('a wrong password, which is never shown', async () => {
    const { mailer } = await start(
      {
        disabledCommands: [],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, callback) => callback(smtpError(535, 'bad credentials')),
      },
      { login: { user: 'gateway', password: 'correct horse' } },
    );
    const result = await mailer.send(message, now);
    const expected = { outcome: 'failed', isServerFault: true, statusCode: 535 };
    expect(result).toMatchObject({ ...expected, failure: 'MAIL_SIGN_IN_REFUSED' });
    expect(JSON.stringify(result)).not.toMatch(/correct horse|Y29ycmVjdCBob3JzZQ/);
    expect(await mailer.check()).toContain('bad credentials');
  });

  test('a server that fails, until it is back, though there is no mail to send', async () => {
    let isUp = false;
    const { mailer } = await start(
      {
        disabledCommands: [],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, callback) =>
          callback(isUp ? null : smtpError(535, 'bad credentials'), { user: 'gateway' }),
      },
      { login: { user: 'gateway', password: 'correct horse' } },
    );
    const told: (string | undefined)[] = [];
    const logged: string[] = [];
    const watch = watchServer({
      check: mailer.check,
      log: pino({ level: 'info' }, { write: (line) => logged.push(JSON.parse(line).msg) }),
      onServer: (problem) => told.push(problem),
      againMs: 10,
    });
    await expect.poll(() => told.length).toBeGreaterThan(1);
    expect(told[0]).toContain('bad credentials');
    isUp = true;
    await expect.poll(() => told.at(-1)).toBeUndefined();
    watch.stop();
    watch.note(refused('550 5.4.5 Daily limit exceeded', 'MAIL_LIMIT_REACHED'));
    expect(told.at(-1)).toBeUndefined();
    expect(logged).toEqual([fails, works]);
  });

  test('a server that refuses mail, until it accepts one, though it answers greetings', async () => {
    const told: (string | undefined)[] = [];
    const logged: string[] = [];
    const watch = watchServer({
      check: async () => undefined,
      log: pino({ level: 'info' }, { write: (line) => logged.push(JSON.parse(line).msg) }),
      onServer: (problem) => told.push(problem),
      againMs: 1,
    });
    closers.push(watch.stop);
    const limit = '550 5.4.5 Daily limit exceeded';
    watch.note(refused(limit, 'MAIL_LIMIT_REACHED'));
    const count = told.length;
    await expect.poll(() => told.length).toBeGreaterThan(count + 3);
    // Neither greetings nor a recipient who is refused say anything about the limit.
    watch.note({ outcome: 'refused', reason: '550 5.1.1', failure: 'MAIL_ADDRESS_UNKNOWN', statusCode: 550 });
    expect(new Set(told.slice(count))).toEqual(new Set([limit]));
    watch.note({ outcome: 'sent', response: '250 taken' });
    expect(told.at(-1)).toBeUndefined();
    expect(logged).toEqual([fails, works]);
  });

  test('a refusal that nothing follows is forgotten', async () => {
    const told: (string | undefined)[] = [];
    const log = pino({ level: 'silent' });
    const onServer = (problem: string | undefined) => told.push(problem);
    const watch = watchServer({ check: async () => undefined, log, onServer, againMs: 1, forgetMs: 20 });
    closers.push(watch.stop);
    watch.note(refused('554 No', 'MAIL_MESSAGE_REFUSED'));
    expect(told.at(-1)).toBe('554 No');
    await expect.poll(() => told.at(-1)).toBeUndefined();
  });

  test('no server', async () => {
    const { sink, mailer } = await start();
    await sink.close();
    closers.length = 1;
    closers[0] = mailer.close;
    const result = await mailer.send(message, now);
    const expected = { outcome: 'failed', isServerFault: true, statusCode: undefined };
    expect(result).toMatchObject({ ...expected, failure: 'MAIL_SERVER_UNREACHABLE' });
  });
});

describe('TLS', () => {
  const offering: SMTPServerOptions = { ...certificate, hideSTARTTLS: false };

  test('is required for remote servers, with a trusted certificate', async () => {
    const plain = await start({}, { tls: 'required' });
    const notSecure = { outcome: 'failed', failure: 'MAIL_NOT_SECURE' };
    expect(await plain.mailer.send(message, now)).toMatchObject({ ...notSecure, isServerFault: true });
    const untrusted = await start(offering, { tls: 'required', host: 'localhost' });
    expect(await untrusted.mailer.send(message, now)).toMatchObject({
      ...notSecure,
      reason: expect.stringMatching(/certificate/),
    });
    expect([...plain.sink.taken, ...untrusted.sink.taken]).toEqual([]);
  });

  test('is used on this machine where it is offered, whoever signed the certificate', async () => {
    const { sink, mailer } = await start(offering);
    expect(await mailer.send(message, now)).toMatchObject({ outcome: 'sent' });
    expect(sink.taken[0]?.raw).toMatch(/^Message-ID/im);
  });

  test('is left out when it is switched off', async () => {
    const { sink, mailer } = await start({}, { tls: 'required' }, true);
    expect(await mailer.send(message, now)).toMatchObject({ outcome: 'sent' });
    expect(sink.taken).toHaveLength(1);
  });
});

test.each([
  [undefined, 3],
  [10, 3],
  [75, 8],
  [1_000, 20],
])('a rate of %s mails per second has %d connections', (rate, connections) => {
  const mailer = createMailer(
    {
      server: { host: '127.0.0.1', port: 1, tls: 'optional', login: undefined },
      ...{ from: 'expiry@example.com', replyTo: undefined, withoutTls: false },
    },
    rate,
  );
  closers.push(mailer.close);
  expect(mailer.connections).toBe(connections);
});
