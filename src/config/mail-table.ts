import * as z from 'zod';
import { isEmail } from '../domain/text/formats.js';
import { onOff, wholeNumber } from './formats.js';
import { smtpUrl } from './smtp-url.js';

/** Returns the address of `Name <address>`, or the text itself. */
const addressOf = (text: string) => /^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text;

const mailbox = z
  .string()
  .refine(
    (text) => isEmail(addressOf(text)) && !/[\p{Cc}"]/u.test(text),
    'an e-mail address, such as Expiry <expiry@example.com>',
  );

/** Settings of mail, a part of the table of settings. */
export const mailTable = {
  SMTP_URL: {
    otherwise: 'none: no mail is sent',
    description:
      'Mail server, as smtps://user:password@host:465 or smtp://user:password@host:587, which takes STARTTLS.',
    secret: true,
    schema: smtpUrl.optional(),
  },
  SMTP_TLS: {
    default: 'on',
    description: 'Whether mail is sent encrypted: on, or off for a server without TLS on a trusted network.',
    schema: onOff,
  },
  MAIL_FROM: {
    otherwise: 'none: needed with SMTP_URL',
    description: 'Sender of all mail, as an address or as Name <address>.',
    schema: mailbox.optional(),
  },
  MAIL_REPLY_TO: {
    otherwise: 'none: MAIL_FROM',
    description: 'Address that answers to mail go to.',
    schema: mailbox.optional(),
  },
  MAIL_RATE: {
    default: '10',
    description: 'Mails per second at most; the processes of one `serve` share them.',
    schema: wholeNumber(1, 1_000),
  },
  DEMO_MAIL_TO: {
    otherwise: 'none: reminders of the demo workspace go nowhere',
    description: 'Address that all reminders of the demo workspace go to, instead of its made-up people.',
    schema: z.string().refine(isEmail, 'an e-mail address').optional(),
  },
};
