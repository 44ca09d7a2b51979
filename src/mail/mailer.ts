import { createTransport } from 'nodemailer';
import type { MailMessage } from './message.js';

/** Mail server that takes what we send (SMTP_URL). */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, STARTTLS or nothing sent, or STARTTLS where the server has it. */
  readonly tls: 'implicit' | 'required' | 'optional';
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

/** Who mail comes from, and by which server. */
export interface MailSettings {
  readonly server: SmtpServer;
  /** `Name <address>` or an address. */
  readonly from: string;
  readonly replyTo: string | undefined;
  /** No TLS at all, whatever the server offers (SMTP_TLS=off). */
  readonly withoutTls: boolean;
}

/** Returns the host of a sender's address, which the ids of its messages end with. */
export function hostOf(from: string): string {
  return from.replace(/^.*@|>\s*$/g, '');
}

/** Result of one try to send. */
export type SendResult =
  /** The server has taken it. */
  | { readonly outcome: 'sent'; readonly response: string }
  /** The server will never take it for this recipient. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly statusCode: number }
  /** It may be taken later. `isServerFault` says that no other mail would be taken now, either. */
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      readonly statusCode: number | undefined;
      readonly isServerFault: boolean;
    };

/** Sends mail. */
export interface Mailer {
  /** Sends one mail. Rejects never: what goes wrong is a result. */
  send(message: MailMessage, now: Date): Promise<SendResult>;
  /** Connects and signs in; gives what is wrong, or undefined. */
  check(): Promise<string | undefined>;
  /** Closes its connections; mails under way are finished by the server or given up. */
  close(): void;
}

/** Connections to the mail server at most. */
const maxConnections = 3;

/** Milliseconds that a mail server may take. Less than a lease of a delivery, so that no other process sends it too. */
const timeouts = { connect: 10_000, greeting: 10_000, idle: 30_000, dns: 10_000 } as const;

/** Characters of a server's answer that are kept. */
const longestReason = 500;

/** Properties that nodemailer gives its errors. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Describes an error in one line, without what was sent to sign in. */
function reasonOf({ message, response }: SmtpError): string {
  const text = (response ?? message).replace(/\p{Cc}+/gu, ' ').trim();
  return text.slice(0, longestReason);
}

/** Tells apart what is the recipient's, and what is the server's fault (RFC 5321 section 4.2.1). */
function resultOf(error: unknown): SendResult {
  const smtp = error as SmtpError;
  const { code, command = '', responseCode } = smtp;
  const reason = reasonOf(smtp);
  const isOfRecipient = /^(?:RCPT|DATA|BDAT)/i.test(command) || code === 'EMESSAGE';
  // 503 is about the order of commands, and 530 to 538 about signing in: other mails would fail as well.
  const isPermanent = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  if (isOfRecipient && isPermanent) return { outcome: 'refused', reason, statusCode: responseCode };
  return { outcome: 'failed', reason, statusCode: responseCode, isServerFault: !isOfRecipient };
}

function headersOf({ thread, unsubscribe }: MailMessage): Record<string, string> {
  return {
    // RFC 3834: no out-of-office reply answers it; the second is what Exchange looks for.
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(thread && { 'In-Reply-To': thread, References: thread }),
    ...(unsubscribe && {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}

/** Makes the mailer. It connects when there is something to send. */
export function createMailer({ server, from, replyTo, withoutTls }: MailSettings): Mailer {
  const { host, port, tls, login } = server;
  const transport = createTransport({
    pool: true,
    maxConnections,
    // A mail whose connection broke is tried again by the queue, which counts its tries.
    maxRequeues: 0,
    host,
    port,
    secure: tls === 'implicit' && !withoutTls,
    requireTLS: tls === 'required' && !withoutTls,
    ignoreTLS: withoutTls,
    // Certificates are checked wherever TLS is asked for; a server on this machine has none that could be.
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
          // An object: a text would be read as a list of addresses.
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
