import { timingSafeEqual } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { complianceLinkOwner } from '../access/compliance-links.js';
import { invitationSeal, invitationSubject } from '../access/invitations.js';
import { endFirstToken, lockUser } from '../access/people.js';
import { ownerAsCaller, randomSecret } from '../access/tokens.js';
import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import type { SealedValues } from '../db/secrets/sealed-values.js';
import type { Secrets } from '../db/secrets/secrets.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { updateRows } from '../db/sql/write.js';
import { GatewayError } from '../domain/errors.js';
import { check, rules } from '../domain/rules.js';
import { logEvent } from '../records/event-logs.js';
import { channelOwner } from '../reminders/chat/chat-service.js';
import { type MailInput, mailServerSeal, readMailInput, storeMailServer } from '../reminders/mail-server.js';
import { accountById, checkWay } from '../sign-in/accounts.js';
import { askForNewPasskey, type RelyingParty } from '../sign-in/factors/passkeys.js';
import { totpOwner } from '../sign-in/factors/totp.js';
import { type FirstWay, prepareFirstWay } from '../sign-in/first-way.js';
import type { SignInContext } from '../sign-in/sessions.js';
import { completeSignIn, type SignedIn } from '../sign-in/sign-in.js';
import type { OpenedLink } from '../sign-in/sign-in-links.js';
import { webhookHeadersOwner, webhookSecretOwner } from '../webhooks/signatures.js';
import { placeholderEmail } from './accounts.js';
import { chooseDemo, removeDemo } from './demo/demo.js';

/** Purpose for which the secret of the setup link is encrypted. */
const setupSeal = 'setup link';

type Placeholder = Pick<RowOf<'User'>, 'id' | 'name' | 'email' | 'teamId' | 'organizationId'>;

/**
 * Finds the administrator whom the first start created, unless the gateway is set up. It is set up once
 * anybody has a way to sign in.
 */
async function findPlaceholder(database: Database): Promise<Placeholder | undefined> {
  const statement = sql`
    SELECT id, name, email, team_id AS "teamId", organization_id AS "organizationId" FROM users
    WHERE email = ${placeholderEmail} AND is_active AND role = 'ADMIN' AND subject IS NULL
      AND (SELECT count(*) FROM organizations) = 1
      AND NOT EXISTS (SELECT FROM passwords) AND NOT EXISTS (SELECT FROM passkeys)
      AND NOT EXISTS (SELECT FROM users AS other WHERE other.subject IS NOT NULL)`;
  const [found] = await database.query<Placeholder>(prepared('setup.placeholder', statement));
  return found;
}

/** Ends the setup link. */
async function endSetup(database: Database): Promise<void> {
  await database.query(prepared('setup.delete', sql`DELETE FROM setup`));
}

/** Reads the secret of the setup link. Undefined if there is none, or it was encrypted with another key. */
async function readSecret(database: Database, secrets: Pick<Secrets, 'open'>): Promise<string | undefined> {
  const [row] = await database.query<{ sealed: Uint8Array }>(
    prepared('setup.read', sql`SELECT sealed FROM setup`),
  );
  return row && secrets.open(row.sealed, setupSeal).catch(() => undefined);
}

/**
 * Returns the secret of the setup link, until the gateway is set up. All processes and starts have the same
 * one.
 * @returns undefined if the gateway is set up
 */
export async function setupSecret(
  database: Database,
  secrets: Pick<Secrets, 'open' | 'seal'>,
  now: Date,
): Promise<string | undefined> {
  if (!(await findPlaceholder(database))) {
    await endSetup(database);
    return undefined;
  }
  const known = await readSecret(database, secrets);
  if (known !== undefined) return known;
  const sealed = Buffer.from(await secrets.seal(randomSecret(), setupSeal));
  const store = sql`
    INSERT INTO setup (sealed, created) VALUES (${sealed}, ${now})
    ON CONFLICT (single) DO UPDATE SET sealed = excluded.sealed WHERE setup.created < ${now}`;
  await database.query(prepared('setup.store', store));
  return readSecret(database, secrets);
}

const refusal = () =>
  new GatewayError(
    'FORBIDDEN',
    'The setup link is not valid, or the gateway is set up already. A gateway that is not set up tells the link at its start.',
  );

/**
 * Checks the secret of the setup link.
 * @throws GatewayError FORBIDDEN unless it is valid
 */
export async function checkSetup({ database, secrets }: SignInContext, secret: string): Promise<Placeholder> {
  const known = await readSecret(database, secrets);
  const [given, expected] = [Buffer.from(secret), Buffer.from(known ?? '')];
  const isRight = known !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
  const placeholder = isRight ? await findPlaceholder(database) : undefined;
  if (!placeholder) throw refusal();
  return placeholder;
}

const setupRules = z.object({
  organization: rules.name,
  name: rules.name,
  email: rules.email,
  timezone: rules.timezone.transform((zone) => zone ?? 'UTC'),
  language: rules.language.transform((language) => language ?? 'en'),
});

/** Answers of the first person, from the setup page. */
interface Setup extends z.input<typeof setupRules>, FirstWay {
  readonly secret: string;
  /** False to remove the demo, true to load it if it is missing. */
  readonly demo: boolean;
  readonly mail?: MailInput | null | undefined;
}

/**
 * Creates what the browser of the first person needs to make a passkey.
 * @throws GatewayError FORBIDDEN for an invalid secret, or if passkeys are turned off
 */
export async function askFirstPerson(
  context: SignInContext,
  { secret, name, email }: Pick<Setup, 'secret' | 'name' | 'email'>,
  party: () => RelyingParty,
  now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  checkWay(context, 'PASSKEY');
  const { id } = await checkSetup(context, secret);
  const { database } = context;
  const owner = { id, ...check(setupRules.pick({ name: true, email: true }), { name, email }) };
  return askForNewPasskey(database, party(), owner, { known: [], isOnly: true }, now);
}

/**
 * Sets up a new gateway, and signs its first person in. That person becomes the administrator whom the first
 * start created. The random token of the first start ends; other tokens keep working.
 * @throws GatewayError FORBIDDEN for an invalid secret, or if the chosen way is turned off; BAD_REQUEST naming
 *   the invalid value
 */
export async function setUp(
  context: SignInContext,
  { secret, password, passkey, demo, mail, ...given }: Setup,
  party: () => RelyingParty,
  { visitor, replaced, now }: OpenedLink,
): Promise<SignedIn> {
  const { database, secrets } = context;
  const placeholder = await checkSetup(context, secret);
  const { organization, name, email, timezone, language } = check(setupRules, given);
  const setup = mail ? readMailInput(mail) : undefined;
  const { id, organizationId, teamId } = placeholder;
  const choosing = { owner: { id, name, email }, visitor, party, now };
  const prepared = await prepareFirstWay(context, { password, passkey }, choosing);
  await database.inTransaction(async (tx) => {
    // Of several people with the link, the first one to get this far has it.
    await lockUser(tx, id);
    const ways = [...(await readRows(tx, 'Password', {})), ...(await readRows(tx, 'Passkey', {}))];
    if (ways.length > 0) throw refusal();
    const own = { name: organization.trim(), timezone, locale: language, modified: now };
    await updateRows(tx, 'Organization', { id: organizationId }, own);
    await updateRows(tx, 'Team', { id: teamId }, { timezone, modified: now });
    const [user] = await updateRows(
      tx,
      'User',
      { id },
      { name: name.trim(), email, language, modified: now },
    );
    if (!user) throw new Error('The administrator is gone.');
    await prepared.store(tx, user);
    const description = `The gateway was set up by ${JSON.stringify(user.name)} <${email}>`;
    const event = { type: 'organization changed', teamId, description, details: null, entities: [] } as const;
    await logEvent(tx, { caller: tx.caller, now }, event);
  }, ownerAsCaller(placeholder));
  await endSetup(database);
  await endFirstToken(database, now);
  if (setup) await storeMailServer({ query: (statement) => database.query(statement) }, secrets, setup, now);
  await database.administer(async (tx) => {
    if (demo) await chooseDemo(tx, organizationId, now, timezone);
    else await removeDemo(tx, organizationId);
  });
  const account = await accountById(database, id, visitor);
  if (!account) throw new Error('The administrator is gone.');
  const { method, hasSecondFactor } = prepared;
  return completeSignIn(context, account, { visitor, method, replaced, hasSecondFactor }, now);
}

const column = (table: string, name: string, owner: SealedValues['owner'], key = 'id'): SealedValues => ({
  table,
  bytes: name,
  set: `${name} = $1`,
  key,
  owner,
});

/** The mail of an invitation has the secret of its link until it is sent. */
const invitations: SealedValues = {
  table: 'deliveries',
  bytes: `CASE WHEN subject_kind = '${invitationSubject}' THEN decode(payload->>'sealed', 'base64') END`,
  set: `payload = jsonb_set(payload, '{sealed}', to_jsonb(translate(encode($1::bytea, 'base64'), E'\\n', '')))`,
  key: 'id',
  owner: invitationSeal,
};

/** Answers to callers of an issuer. Those to callers with a token or a session are encrypted with that one. */
const answers: SealedValues = {
  table: 'idempotency_keys',
  bytes: 'CASE WHEN caller_id IN (SELECT id FROM users) THEN sealed END',
  set: 'sealed = $1',
  key: "caller_id || ' ' || key",
  owner: (key) => key,
};

/** Values of organizations that are encrypted with the gateway's key. */
export const sealedValues: readonly SealedValues[] = [
  column('access_tokens', 'signing_secret', (id) => id),
  column('totp_secrets', 'sealed', totpOwner, 'user_id'),
  column('compliance_links', 'sealed_secret', complianceLinkOwner),
  column('webhook_secrets', 'sealed', webhookSecretOwner),
  column('webhook_endpoints', 'sealed_headers', webhookHeadersOwner),
  column('channels', 'sealed_url', (id) => channelOwner(id, 'url')),
  column('channels', 'sealed_token', (id) => channelOwner(id, 'token')),
  invitations,
  answers,
];

/** All values that are encrypted with the gateway's key, those of no organization included. */
export const allSealedValues: readonly SealedValues[] = [
  ...sealedValues,
  column('mail_settings', 'sealed', () => mailServerSeal, 'single'),
  column('setup', 'sealed', () => setupSeal, 'single'),
];
