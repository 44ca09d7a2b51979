import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { readSilence, silentText } from '../db/queue/loop.js';
import { SecretKeyError, type Secrets } from '../db/secrets/secrets.js';
import { sql } from '../db/sql/sql.js';
import { GatewayError } from '../domain/errors.js';
import { costPerUse, type Quota, waitForUse } from '../domain/load/quota.js';
import type { MailFailure } from '../domain/reminders/reasons.js';
import { check, newId, rules } from '../domain/rules.js';
import { isMailbox, isOrigin } from '../domain/text/formats.js';
import { type Language, pickLanguage } from '../mail/mail.js';
import { createMailer, hostOf, type MailSettings } from '../mail/mailer.js';
import { trialMail } from '../mail/reminder-mail.js';
import { logEvent } from '../records/event-logs.js';
import { load } from '../records/loaders.js';

/** The mail server, the sender, and the origin of links in mails. */
interface MailSetup {
  /** Undefined: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Origin at which people reach the gateway. Without it, mails have no links. */
  readonly origin: string | undefined;
}

/** Source of the mail server's settings: the environment, the database, or none. */
export type MailSource = 'ENVIRONMENT' | 'DATABASE' | 'NONE';

/** The current settings of mail. */
export interface CurrentMail extends MailSetup {
  readonly source: MailSource;
  /**
   * The reason why stored settings cannot be used: the key is lost. There is no mail then, but people still
   * sign in, and can set up mail again.
   */
  readonly problem?: string;
}

/** The mail server of a gateway, which all of its processes share. */
export interface MailServer {
  /** Reads what is set up now. */
  read(): Promise<CurrentMail>;
}

/** Security of the connection to a mail server. */
export const mailSecurities = ['TLS', 'STARTTLS', 'NONE'] as const;

/** TLS from the start, STARTTLS, or none. */
type MailSecurity = (typeof mailSecurities)[number];

/** Returns the security of a mail server's connections. */
export function securityOf({ server, withoutTls }: MailSettings): MailSecurity {
  if (withoutTls) return 'NONE';
  return server.tls === 'implicit' ? 'TLS' : 'STARTTLS';
}

/** The ports of submission (RFC 8314 section 3). */
const usualPorts: Readonly<Record<MailSecurity, number>> = { TLS: 465, STARTTLS: 587, NONE: 25 };

const mailRules = z.object({
  host: rules.requiredLine.refine((host) => /^(?:[\p{L}\p{N}._-]+|[0-9a-f:]+)$/iu.test(host), {
    error: 'must be a host name or an IP address',
    params: { rule: 'format' },
  }),
  port: rules.between(1, 65_535),
  security: z
    .enum(mailSecurities)
    .nullish()
    .transform((security) => security ?? 'STARTTLS'),
  user: rules.line,
  password: rules.line,
  from: rules.requiredLine.refine(isMailbox, {
    error: 'must be an e-mail address, such as Expiry <expiry@example.com>',
    params: { rule: 'format' },
  }),
  replyTo: rules.line.refine((text) => !text || isMailbox(text), {
    error: 'must be an e-mail address',
    params: { rule: 'format' },
  }),
  publicUrl: rules.line.refine((text) => !text || isOrigin(text), {
    error: 'must be an address without a path, such as https://expiry.example.com',
    params: { rule: 'format' },
  }),
});

/** A mail server as people enter it. A missing port is the usual one. */
export type MailInput = z.input<typeof mailRules>;

/**
 * Reads a mail server as people entered it.
 * @param stored the server that is set up: if host, port and user stay, so does a password that is not given
 * @throws GatewayError BAD_REQUEST naming the invalid values
 */
export function readMailInput(input: MailInput, stored?: MailSetup): MailSetup {
  const { host, security, user, password, from, replyTo, publicUrl, ...given } = check(mailRules, input);
  const port = given.port ?? usualPorts[security];
  const old = stored?.mail?.server;
  // A password goes only to the server for which it was entered.
  const isSame = old?.host === host && old.port === port && old.login?.user === user;
  const known = password ?? (isSame ? old.login?.password : undefined) ?? '';
  const tls = security === 'TLS' ? 'implicit' : 'required';
  return {
    mail: {
      server: { host, port, tls, login: user ? { user, password: known } : undefined },
      from,
      replyTo: replyTo || undefined,
      withoutTls: security === 'NONE',
    },
    origin: publicUrl || undefined,
  };
}

/** Purpose for which a mail server is encrypted. */
export const mailServerSeal = 'mail server';

/** Creates the reader of a gateway's mail server. The environment wins over what is stored. */
export function createMailServer(
  database: Database,
  secrets: Pick<Secrets, 'open'>,
  environment: MailSetup,
): MailServer {
  return {
    async read() {
      if (environment.mail) return { ...environment, source: 'ENVIRONMENT' };
      const [row] = await database.query<{ sealed: Uint8Array }>(
        prepared('mail_settings.read', sql`SELECT sealed FROM mail_settings`),
      );
      if (!row) return { ...environment, source: 'NONE' };
      try {
        const stored = JSON.parse(await secrets.open(row.sealed, mailServerSeal)) as MailSetup;
        return { mail: stored.mail, origin: environment.origin ?? stored.origin, source: 'DATABASE' };
      } catch (error) {
        if (!(error instanceof SecretKeyError)) throw error;
        return { ...environment, source: 'DATABASE', problem: error.message };
      }
    },
  };
}

/** Returns whether a mail server is stored in the database. */
export async function isMailStored(database: Database): Promise<boolean> {
  const rows = await database.query(prepared('mail_settings.exists', sql`SELECT 1 FROM mail_settings`));
  return rows.length > 0;
}

/**
 * Stores a mail server for all processes; undefined deletes it. Workers use it within seconds.
 * @throws SecretKeyError if there is no key to encrypt it with
 */
export async function storeMailServer(
  { query }: Pick<Database, 'query'>,
  secrets: Pick<Secrets, 'seal'>,
  setup: MailSetup | undefined,
  now: Date,
): Promise<void> {
  if (!setup) {
    await query(prepared('mail_settings.delete', sql`DELETE FROM mail_settings`));
    return;
  }
  const sealed = Buffer.from(await secrets.seal(JSON.stringify(setup), mailServerSeal));
  const statement = sql`
    INSERT INTO mail_settings (sealed, modified) VALUES (${sealed}, ${now}::timestamptz)
    ON CONFLICT (single) DO UPDATE SET sealed = excluded.sealed, modified = excluded.modified`;
  await query(prepared('mail_settings.store', statement));
}

/**
 * Checks that a caller may see and change what all organizations of a gateway share. The first one, which set
 * the gateway up, runs it.
 * @param what the shared thing, such as the mail server
 * @throws GatewayError FORBIDDEN for other organizations
 */
export async function checkRunsGateway(
  { database, caller }: Session,
  what = 'The mail server',
): Promise<void> {
  const [first] = await database.query<{ id: string }>(
    prepared('organizations.first', sql`SELECT id FROM organizations ORDER BY created, id LIMIT 1`),
  );
  if (first?.id === caller.organizationId) return;
  const message = `${what} belongs to the organization that set up this gateway.`;
  throw new GatewayError('FORBIDDEN', message);
}

/** Changes the mail server for an administrator, with the event; undefined deletes it. */
export async function changeMailServer(
  session: Session,
  secrets: Pick<Secrets, 'seal'>,
  setup: MailSetup | undefined,
): Promise<void> {
  const { database, now } = session;
  // Not in the caller's transaction: with row-level security, callers do not see the mail server's table.
  await storeMailServer({ query: (statement) => database.query(statement) }, secrets, setup, now);
  await session.inTransaction(async (tx) => {
    const { caller } = tx;
    const server = setup?.mail?.server;
    const description = server
      ? `The mail server was set to ${server.host}:${server.port}`
      : 'The mail server was removed';
    const about = { teamId: caller.user.teamId, entities: [], details: {} };
    await logEvent(tx, { caller, now }, { type: 'organization changed', description, ...about });
  });
}

/** Result of a test mail. */
export interface TrialResult {
  readonly isSent: boolean;
  /** Answer of the mail server, or the reason why the mail did not reach it. */
  readonly answer: string;
  /** Code of the failure. Null if there was none, or if no server was asked. */
  readonly reason: MailFailure | null;
}

/** Sends a test mail, and tells what the server said. */
export async function sendTrial(
  mail: MailSettings,
  to: string,
  language: Language,
  now: Date,
): Promise<TrialResult> {
  const mailer = createMailer(mail);
  try {
    const messageId = `<${newId()}@${hostOf(mail.from)}>`;
    const result = await mailer.send({ ...trialMail(language), to, messageId }, now);
    return result.outcome === 'sent'
      ? { isSent: true, answer: result.response, reason: null }
      : { isSent: false, answer: result.reason, reason: result.failure };
  } finally {
    mailer.close();
  }
}

/** Mail of a gateway as its APIs see it. */
export interface MailService {
  /** The mail server of the gateway. */
  readonly server: MailServer;
  /**
   * Sends a test mail.
   * @param settings of a mail server that is not stored yet
   * @throws GatewayError BAD_REQUEST for an invalid address; TOO_MANY_REQUESTS
   */
  tryOut(session: Session, to: string, settings?: MailSettings): Promise<TrialResult>;
}

/** Returns the result of a test for which no server was asked. */
const unasked = (answer: string): TrialResult => ({ isSent: false, answer, reason: null });

/** Answer of a gateway without mail. */
export const notSetUp =
  'Mail is not set up: set it up in the settings of the console, or where the gateway is started.';

/** Result of a test on a gateway without mail. */
export const withoutServer = unasked(notSetUp);

/**
 * Test mails of an organization per minute. They go to any address, so they must not become a way to write to
 * many.
 */
const perMinute = 5;

/** Settings of the mail that APIs show and test. */
interface MailDoorOptions {
  readonly server: MailServer;
  /** Quotas shared by processes. */
  readonly quotas: {
    of(key: string, cost: number): Quota;
    use(key: string, cost: number, now: number): Quota;
  };
  readonly uptime: () => number;
}

/** Creates the view of mail that APIs show and test. */
export function createMailService({ server, quotas, uptime }: MailDoorOptions): MailService {
  const cost = costPerUse(perMinute);
  function count(organizationId: string): void {
    const [key, now] = [`test mail:${organizationId}`, uptime()];
    const wait = Math.ceil(waitForUse(quotas.of(key, cost), now) / 1_000);
    if (wait > 0) {
      const message = `Too many test mails were sent. Try again in ${wait} s.`;
      throw new GatewayError('TOO_MANY_REQUESTS', message, { headers: { 'Retry-After': String(wait) } });
    }
    quotas.use(key, cost, now);
  }
  return {
    server,
    async tryOut(session, to, settings) {
      const address = check(rules.email, to, ['to']);
      if (await readSilence(session.database)) return unasked(silentText);
      const current = settings ? undefined : await server.read();
      const mail = settings ?? current?.mail;
      if (!mail) return unasked(current?.problem ?? notSetUp);
      const { caller, now } = session;
      count(caller.organizationId);
      const user = await load(session, 'user', caller.user.id);
      return sendTrial(mail, address, pickLanguage(user?.language), now);
    },
  };
}
