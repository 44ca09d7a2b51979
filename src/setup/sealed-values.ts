import { invitationSeal, invitationSubject } from '../access/invitations.js';
import type { SealedValues } from '../db/secrets/sealed-values.js';
import { channelOwner } from '../reminders/chat/chat-door.js';
import { mailServerSeal } from '../reminders/mail-server.js';
import { totpOwner } from '../sign-in/factors/totp.js';
import { webhookHeadersOwner } from '../webhooks/headers.js';
import { webhookSecretOwner } from '../webhooks/secrets.js';
import { setupSeal } from './first-visit.js';

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
