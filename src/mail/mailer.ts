import { createTransport } from 'nodemailer';
import type { MailFailure } from '../domain/reminders/reasons.js';
import { readSmtpError, type SmtpError } from '../domain/reminders/smtp-replies.js';
import type { MailMessage } from './mail.js';

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
  /** Sends one mail. It never rejects: errors are results. */
  send(message: MailMessage, now: Date): Promise<SendResult>;
  /** Connects and signs in; returns the error, or undefined. */
  check(): Promise<string | undefined>;
  /** Closes its connections. The server finishes mails in progress, or they are given up. */
  close(): void;
}

/** Maximum connections to the mail server. */
const maxConnections = 3;

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
    ...(unsubscribe && {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}

/** Creates the mailer. It connects when there is something to send. */
export function createMailer({ server, from, replyTo, withoutTls }: MailSettings): Mailer {
  const { host, port, tls, login } = server;
  const transport = createTransport({
    pool: true,
    maxConnections,
    // The queue retries a mail whose connection broke, and counts the attempts.
    maxRequeues: 0,
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
  });
  return {
    async send(message, now) {
      try {
        const { response } = await transport.sendMail({
          from,
          ...(replyTo !== undefined && { replyTo }),
          // An object, because a text would be parsed as a list of addresses.
          to: { name: '', address: message.to },
          subject: message.subject,
          text: message.text,
          html: message.html,
          messageId: message.messageId,
          date: now,
          headers: headersOf(message),
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
