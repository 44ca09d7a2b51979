import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invitationMail } from '../../src/mail/invitation-mail.js';
import { createMailer, type Mailer } from '../../src/mail/mailer.js';
import { reminderMail } from '../../src/mail/reminder-mail.js';
import { type MailSink, startMailSink } from './smtp.support.js';

/** Reads a mail as Python's own library does, which is stricter than most mail programs. */
const script = `
import email, email.policy, json, sys
mail = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
print(json.dumps({
  'headers': sorted(name.lower() for name in mail.keys()),
  'subject': mail['subject'], 'to': str(mail['to']), 'id': mail['message-id'],
  'defects': [str(defect) for part in mail.walk() for defect in part.defects],
  'parts': [part.get_content_type() for part in mail.walk()],
  'text': mail.get_body(('plain',)).get_content(), 'html': mail.get_body(('html',)).get_content(),
}))`;

import { onlyIf } from '../support/skipping.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

let sink: MailSink;
let mailer: Mailer;
beforeAll(async () => {
  sink = await startMailSink();
  const server = { host: '127.0.0.1', port: sink.port, tls: 'optional' as const, login: undefined };
  mailer = createMailer({
    server,
    from: 'Expiry <expiry@example.com>',
    replyTo: undefined,
    withoutTls: false,
  });
});
afterAll(async () => {
  mailer.close();
  await sink.close();
});

const names = [
  ['markup', '<script>alert(1)</script> & "quotes"'],
  ['right to left', 'رخصة قيادة'],
  ['255 characters', 'ß'.repeat(255)],
  ['emoji', 'Passport 🛂👩‍👩‍👧‍👦'],
  ['line breaks', 'Passport\r\nBcc: x@example.org\r\n\r\nHello'],
] as const;

test.each(names)(
  'Python reads a mail whose name is of %s',
  onlyIf(hasPython, 'Python 3'),
  async (_, name) => {
    const links = { acknowledge: 'https://expiry.example.com/r/a' };
    const entry = { name, about: 'EXPIRATION' as const, date: '2027-03-31', daysLeft: 7, links };
    const reminder = reminderMail({ language: 'en', workspace: name, entries: [entry] });
    const invitation = invitationMail({
      ...{ language: 'fr', organization: name, userName: name, inviter: name, until: '2027-03-31' },
      link: 'https://expiry.example.com/invitations/x',
    });
    for (const content of [reminder, invitation]) {
      const messageId = `<${sink.taken.length}@example.com>`;
      const message = {
        ...content,
        to: 'anna@example.org',
        messageId,
        unsubscribe: 'https://expiry.example.com/r/u',
      };
      expect(await mailer.send(message, new Date('2027-03-24'))).toMatchObject({ outcome: 'sent' });
      const { raw } = sink.taken.at(-1) as (typeof sink.taken)[number];
      const { stdout, stderr } = spawnSync('python3', ['-c', script], { input: raw, encoding: 'utf8' });
      expect(stderr).toBe('');
      const read = JSON.parse(stdout);
      expect(read).toMatchObject({
        ...{ subject: content.subject, to: 'anna@example.org', id: messageId, defects: [] },
        parts: ['multipart/alternative', 'text/plain', 'text/html'],
      });
      const usual = [
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'list-unsubscribe',
        'list-unsubscribe-post',
      ];
      const others = ['message-id', 'mime-version', 'subject', 'to', 'x-auto-response-suppress'];
      expect(read.headers).toEqual([...usual, ...others]);
      expect(content.subject).not.toMatch(/\p{Cc}/u);
      expect(read.html).not.toMatch(/<script|<img|src=/);
      expect(read.text.replaceAll('\r\n', '\n').trim()).toBe(content.text.trim());
    }
  },
);
