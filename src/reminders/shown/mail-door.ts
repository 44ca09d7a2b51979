import type { Session } from '../../db/connection/session.js';
import { readSilence, silentText } from '../../db/queue/silence.js';
import { GatewayError } from '../../domain/errors.js';
import { costPerUse, type Quota, waitForUse } from '../../domain/load/quota.js';
import { check, newId, rules } from '../../domain/rules.js';
import { type Language, pickLanguage } from '../../mail/languages.js';
import { createMailer, hostOf, type MailSettings } from '../../mail/mailer.js';
import { trialMail } from '../../mail/trial-mail.js';
import { load } from '../../records/loaders.js';
import type { MailServer } from '../mail-server.js';

/** Result of a test mail. */
export interface TrialResult {
  readonly isSent: boolean;
  /** Answer of the mail server, or the reason why the mail did not reach it. */
  readonly answer: string;
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
      ? { isSent: true, answer: result.response }
      : { isSent: false, answer: result.reason };
  } finally {
    mailer.close();
  }
}

/** Mail of a gateway as its APIs see it. */
export interface MailDoor {
  /** The mail server of the gateway. */
  readonly server: MailServer;
  /**
   * Sends a test mail.
   * @param settings of a mail server that is not stored yet
   * @throws GatewayError BAD_REQUEST for an invalid address; TOO_MANY_REQUESTS
   */
  tryOut(session: Session, to: string, settings?: MailSettings): Promise<TrialResult>;
}

/** Answer of a gateway without mail. */
export const notSetUp =
  'Mail is not set up: set it up in the settings of the console, or with SMTP_URL and MAIL_FROM.';

/**
 * Test mails of an organization per minute. They go to any address, so they must not become a way to write to
 * many.
 */
const perMinute = 5;

/** Settings of the mail that APIs show and test. */
export interface MailDoorOptions {
  readonly server: MailServer;
  /** Quotas shared by processes. */
  readonly quotas: {
    of(key: string, cost: number): Quota;
    use(key: string, cost: number, now: number): Quota;
  };
  readonly uptime: () => number;
}

/** Creates the view of mail that APIs show and test. */
export function createMailDoor({ server, quotas, uptime }: MailDoorOptions): MailDoor {
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
      if (await readSilence(session.database)) return { isSent: false, answer: silentText };
      const current = settings ? undefined : await server.read();
      const mail = settings ?? current?.mail;
      if (!mail) return { isSent: false, answer: current?.problem ?? notSetUp };
      const { caller, now } = session;
      count(caller.organizationId);
      const user = await load(session, 'user', caller.user.id);
      return sendTrial(mail, address, pickLanguage(user?.language), now);
    },
  };
}
