import * as z from 'zod';
import { isEmail, isMailbox } from '../domain/text/formats.js';
import { onOff, wholeNumber } from './formats.js';
import { smtpUrl } from './smtp-url.js';

const mailbox = z.string().refine(isMailbox, 'an e-mail address, such as Expiry <expiry@example.com>');

/** Settings of mail, a part of the table of settings. */
export const mailTable = {
  SMTP_URL: {
    otherwise: 'none; no mail is sent',
    description:
      'Mail server, as smtps://user:password@host:465, or with STARTTLS as smtp://user:password@host:587.',
    secret: true,
    schema: smtpUrl.optional(),
  },
  SMTP_TLS: {
    default: 'on',
    description: 'Whether mail is sent with TLS: on, or off for a server without TLS on a trusted network.',
    schema: onOff,
  },
  MAIL_FROM: {
    otherwise: 'none; required with SMTP_URL',
    description: 'Sender of all mail, as an address or in the form Name <address>.',
    schema: mailbox.optional(),
  },
  MAIL_REPLY_TO: {
    otherwise: 'none; replies go to MAIL_FROM',
    description: 'Address that replies to mail go to.',
    schema: mailbox.optional(),
  },
  MAIL_RATE: {
    default: '10',
    description: 'Maximum number of mails per second; the processes of one `serve` share it.',
    schema: wholeNumber(1, 1_000),
  },
  DEMO_MAIL_TO: {
    otherwise: 'none; reminders of the demo workspace are not sent',
    description: 'Address that gets all reminders of the demo workspace, whose people are fictitious.',
    schema: z.string().refine(isEmail, 'an e-mail address').optional(),
  },
};
