import { ownerAsCaller } from '../../access/tokens.js';
import type { EnumOf } from '../../db/sql/columns.js';
import { insertRows } from '../../db/sql/write.js';
import { GatewayError } from '../../domain/errors.js';
import { newId } from '../../domain/rules.js';
import { signInLinkSubject } from '../../domain/sign-in.js';
import { browserName } from '../../domain/text/browser-name.js';
import { type Account, accountsByEmail, checkWay } from '../accounts.js';
import type { SignInContext } from '../context.js';
import type { Visitor } from '../sessions.js';

/** Purpose of a mailed link: signing in, or a new password. */
export type MailedPurpose = Exclude<EnumOf<'SignInPurpose'>, 'CONFIRM'>;

/** A request for a link, as the queue keeps it. */
export interface LinkRequest {
  readonly purpose: MailedPurpose;
  /** The browser and the network address that asked for it. They are deleted with the end of the delivery. */
  readonly from: { readonly browser: string | null; readonly address: string };
}

/** The way to sign in that a purpose belongs to. */
export const wayOfPurpose = { SIGN_IN: 'LINK', RESET: 'PASSWORD' } as const;

/** Queues the mail to an account. Its link is made when the mail is sent, so that it is valid from then on. */
async function queueMail(
  { database }: SignInContext,
  account: Account,
  { purpose, from }: LinkRequest,
  now: Date,
): Promise<void> {
  const { id: subjectId, email: address, organizationId, teamId } = account;
  const id = newId();
  const payload = { purpose, from: { ...from } };
  const mail = {
    ...{ id, organizationId, teamId, kind: 'MAIL' as const, created: now, dueAt: now, payload, address },
    ...{ dedupeKey: `${signInLinkSubject} ${id}`, subjectKind: signInLinkSubject, subjectId },
  };
  await database.inTransaction((tx) => insertRows(tx, 'Delivery', [mail]), ownerAsCaller(account));
}

/** Queues a mail to each account with an address that may have one. */
async function answerByMail(
  context: SignInContext,
  email: string,
  purpose: MailedPurpose,
  visitor: Visitor,
  now: Date,
): Promise<void> {
  const from = { browser: browserName(visitor.agent), address: visitor.address };
  for (const account of await accountsByEmail(context.database, email, visitor)) {
    if (account.isIssuers || !account.ways.includes(wayOfPurpose[purpose])) continue;
    const attempt = {
      ...{ account: account.id, address: visitor.address, isKnownAddress: account.knowsAddress },
      knownDevice: account.knowsDevice ? visitor.device : undefined,
    };
    const isTaken = context.attempts.takeMail(attempt);
    if (isTaken) await queueMail(context, account, { purpose, from }, now);
    const outcome = isTaken ? 'queued' : 'too many';
    context.log.info({ userId: account.id, purpose, outcome }, 'Somebody asked for a link by mail');
  }
}

/**
 * Sends a link by mail to whoever has an address. The answer does not depend on the address in any way, because
 * nobody looks for it before the answer.
 * @throws GatewayError FORBIDDEN if the settings turn the way off, or no mail can be sent; TOO_MANY_REQUESTS
 */
export async function requestLink(
  context: SignInContext,
  { email, purpose }: { readonly email: string; readonly purpose: MailedPurpose },
  { visitor, now }: { readonly visitor: Visitor; readonly now: Date },
): Promise<void> {
  checkWay(context, wayOfPurpose[purpose]);
  if (!(await context.sendsMail())) {
    throw new GatewayError('FORBIDDEN', 'No mail can be sent, because no mail server is set up.');
  }
  context.attempts.ask(visitor.address);
  answerByMail(context, email.trim(), purpose, visitor, now).catch(({ message }: Error) =>
    context.log.info({ reason: message }, 'A link could not be sent by mail'),
  );
}
