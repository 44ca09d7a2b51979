import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailFailure } from '../domain/reminders/reasons.js';
import { readSmtpError, type SmtpError } from '../domain/reminders/smtp-replies.js';
import type { Logo } from './logo.js';
import { logoId, type MailMessage } from './mail.js';

/** Mail server that accepts our mail (SMTP_URL). */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Use of TLS: from the start, by required STARTTLS, or by optional STARTTLS. */
  readonly tls: 'implicit' | 'required' | 'optional';
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

/** Sender of mail, and the server that accepts it. */
export interface MailSettings {
  readonly server: SmtpServer;
  /** `Name <address>` or an address. */
  readonly from: string;
  readonly replyTo: string | undefined;
  /** True to never use TLS, whatever the server offers (SMTP_TLS=off). */
  readonly withoutTls: boolean;
}

/** Returns the host of a sender's address, which ends the ids of its messages. */
export function hostOf(from: string): string {
  return from.replace(/^.*@|>\s*$/g, '');
}

/** Returns the address of a sender, without the name. */
const addressOf = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;

/** Makes the part of a mail that has its logo. The HTML refers to it. */
const logoPart = ({ type, bytes }: Logo) => ({
  filename: `logo.${type === 'png' ? 'png' : 'jpg'}`,
  content: bytes,
  contentType: `image/${type}`,
  contentDisposition: 'inline' as const,
  cid: logoId,
});

/** Result of one attempt to send. */
export type SendResult =
  /** The server has accepted it. */
  | { readonly outcome: 'sent'; readonly response: string }
  /** The mailbox does not exist or is disabled. */
  | {
      readonly outcome: 'refused';
      readonly reason: string;
      readonly failure: MailFailure;
      readonly statusCode: number;
    }
  /** The server can never send it to this address. */
  | {
      readonly outcome: 'hopeless';
      readonly reason: string;
      readonly failure: MailFailure;
      readonly statusCode: undefined;
    }
  /** A failure that may end. With `isServerFault`, no other mail would be accepted now, either. */
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      readonly failure: MailFailure;
      readonly statusCode: number | undefined;
      readonly isServerFault: boolean;
    };

/** Sends mail. */
export interface Mailer {
  /** The most connections to the server, each with one mail at a time. */
  readonly connections: number;
  /** Sends one mail. It never rejects: errors are results. */
  send(message: MailMessage, now: Date): Promise<SendResult>;
  /** Connects and signs in; returns the error, or undefined. */
  check(): Promise<string | undefined>;
  /** Closes its connections. The server finishes mails in progress, or they are given up. */
  close(): void;
}

/**
 * Bounds of the connections to a mail server, and the mails of each per second. A mail takes four round trips, so a server
 * that is 25 ms away takes ten in a second from one connection.
 */
const connectionsTo = { least: 3, most: 20, perSecond: 10 } as const;

/**
 * Timeouts of the mail server in milliseconds. They are shorter than a delivery's lease, so that no other
 * process sends it too.
 */
const timeouts = { connect: 10_000, greeting: 10_000, idle: 30_000, dns: 10_000 } as const;

/** Characters of a server's answer that are stored. */
const longestReason = 500;

/** Describes an error in one line, without the credentials. */
function reasonOf({ message, response }: SmtpError): string {
  const text = (response ?? message).replace(/\p{Cc}+/gu, ' ').trim();
  return text.slice(0, longestReason);
}

/** Returns the result of an attempt that failed. */
function resultOf(error: unknown): SendResult {
  const smtp = error as SmtpError;
  const { responseCode: statusCode } = smtp;
  const { failure, isDead, isServerFault } = readSmtpError(smtp);
  const told = { reason: reasonOf(smtp), failure };
  return isDead && statusCode !== undefined
    ? { outcome: 'refused', ...told, statusCode }
    : { outcome: 'failed', ...told, statusCode, isServerFault };
}

function headersOf({ thread, unsubscribe }: MailMessage): Record<string, string> {
  return {
    // RFC 3834: prevents out-of-office replies; the second header does so for Exchange.
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(thread && { 'In-Reply-To': thread, References: thread }),
    ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe}>` }),
    // One click is only for https (RFC 8058 section 3.1).
    ...(unsubscribe?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** The most bytes of a text in an encoded word (RFC 2047). */
const longestWord = 45;

/**
 * Encodes a subject that contains what looks like an encoded word, such as `=?UTF-8?Q?Hi?=`. Mail programs would decode
 * it, and show a name in another form than it has.
 */
function safeSubject(subject: string): string {
  if (!subject.includes('=?')) return subject;
  const words = [''];
  for (const character of subject.replace(/\p{Cc}+/gu, ' ')) {
    const word = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(word) > longestWord) words.push(character);
    else words[words.length - 1] = word;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

/** Matches an address whose mailbox needs SMTPUTF8 (RFC 6531). A domain alone has a form in ASCII. */
const needsUtf8 = /[^\p{ASCII}].*@/u;

/** Result for an address that needs SMTPUTF8, if the server does not offer it. */
const withoutUtf8: SendResult = {
  outcome: 'hopeless',
  reason: 'The mail server does not offer SMTPUTF8, which an address with letters outside ASCII needs.',
  failure: 'MAIL_ADDRESS_NOT_ASCII',
  statusCode: undefined,
};

/**
 * Creates the mailer. It connects when there is something to send.
 * @param rate the most mails per second
 */
export function createMailer({ server, from, replyTo, withoutTls }: MailSettings, rate = 0): Mailer {
  const { least, most, perSecond } = connectionsTo;
  const connections = Math.min(most, Math.max(least, Math.ceil(rate / perSecond)));
  const { host, port, tls, login } = server;
  const options = {
    host,
    port,
    secure: tls === 'implicit' && !withoutTls,
    requireTLS: tls === 'required' && !withoutTls,
    ignoreTLS: withoutTls,
    // Certificates are checked wherever TLS is required; a server on this machine has none that could be.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: tls !== 'optional' },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.idle,
    dnsTimeout: timeouts.dns,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  // The queue retries a mail whose connection broke, and counts the attempts.
  const transport = createTransport({ ...options, pool: true, maxConnections: connections, maxRequeues: 0 });

  /** Greets the server, and finds out whether it offers SMTPUTF8. Only the log of a connection has the answer. */
  async function offersUtf8(): Promise<boolean> {
    let isOffered = false;
    const ignore = () => {};
    const debug = (_entry: unknown, text: unknown) => {
      if (/^250[ -]SMTPUTF8\b/im.test(String(text))) isOffered = true;
    };
    const logger = {
      level: ignore,
      trace: ignore,
      debug,
      info: ignore,
      warn: ignore,
      error: ignore,
      fatal: ignore,
    };
    const greeter = createTransport({ ...options, logger, debug: true });
    await greeter.verify().finally(() => greeter.close());
    return isOffered;
  }

  return {
    connections,
    async send(message, now) {
      try {
        if (needsUtf8.test(message.to) && !(await offersUtf8())) return withoutUtf8;
        const { logo } = message;
        const answers = message.replyTo ? { name: '', address: message.replyTo } : replyTo;
        // Written at once, a mail is sent with a few writes. A stream would have one for each line.
        const composer = new MailComposer({
          from: message.senderName ? { name: message.senderName, address: addressOf(from) } : from,
          ...(answers !== undefined && { replyTo: answers }),
          // An object, because a text would be parsed as a list of addresses.
          to: { name: '', address: message.to },
          subject: safeSubject(message.subject),
          text: message.text,
          html: message.html,
          ...(logo && { attachments: [logoPart(logo)] }),
          messageId: message.messageId,
          date: now,
          headers: headersOf(message),
          disableFileAccess: true,
          disableUrlAccess: true,
        }).compile();
        const { response } = await transport.sendMail({
          // Objects, because texts would be parsed as lists of addresses.
          envelope: {
            from: { name: '', address: addressOf(from) },
            to: [{ name: '', address: message.to }],
          },
          raw: await composer.build(),
        });
        return { outcome: 'sent', response: String(response).slice(0, longestReason) };
      } catch (error) {
        return resultOf(error);
      }
    },
    async check() {
      try {
        await transport.verify();
        return undefined;
      } catch (error) {
        return reasonOf(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}
