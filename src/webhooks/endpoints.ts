import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import { checkGiven } from '../access/people.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { readSilence, silentText } from '../db/queue/loop.js';
import type { EnumOf, RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertReturning, updateRows } from '../db/sql/write.js';
import { nextModified, noDateAlias } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { type EntityKind, type EventName, entityKinds, eventTypes } from '../domain/models.js';
import { check, isUuid, limits, newId, rules } from '../domain/rules.js';
import { snakeCase } from '../domain/text/names.js';
import { holderKinds } from '../items/holders.js';
import type { PostResult, Receivers } from '../outbound/outbound.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposedInGraphql, unexposed } from '../records/declare/fields.js';
import { type Changes, changesBetween, logEvent } from '../records/event-logs.js';
import { checkVersion } from '../records/locks.js';
import {
  addSecret,
  expireSecrets,
  headerRules,
  liveSecretsSql,
  messageIdOf,
  type OwnHeader,
  openHeaders,
  openSecrets,
  type SealedSecret,
  sealHeaders,
  signatureHeaders,
} from './signatures.js';

/** Events that happen to records of every kind, by the last part of their types. */
const common = ['created', 'updated', 'deleted', 'archived', 'restored'] as const satisfies EventName[];

/** Types of messages about events that only some records have. */
const particular: Partial<Record<EventName, string>> = {
  renewed: 'expiration_item.renewed',
  'auto renewed': 'expiration_item.auto_renewed',
  acknowledged: 'expiration_item.acknowledged',
  'became due': 'expiration_item.became_due',
  expired: 'expiration_item.expired',
  'reminder sent': 'reminder.sent',
  'reminder failed': 'reminder.failed',
  'scan received': 'upload.received',
  'scan filed': 'upload.filed',
  'scan failed': 'upload.failed',
  'webhook disabled': 'webhook_endpoint.disabled',
  imported: 'import.done',
  'compliance changed': 'compliance.changed',
  'request sent': 'document_request.sent',
  'request received': 'document_request.received',
  'request accepted': 'document_request.accepted',
  'request declined': 'document_request.declined',
  'request cancelled': 'document_request.cancelled',
  'request lapsed': 'document_request.lapsed',
};

/** Type of the message that tests an endpoint. Every endpoint can get it. */
export const testType = 'webhook.test';

/** All types of messages that endpoints can ask for. */
export const webhookTypes: readonly string[] = [
  ...[...entityKinds.values()].flatMap((kind) => common.map((verb) => `${snakeCase(kind)}.${verb}`)),
  ...Object.values(particular),
];

/** Kinds of the records that messages of particular types are about. */
const particularKinds: Readonly<Record<string, readonly EntityKind[]>> = {
  expiration_item: ['expirationItem'],
  reminder: ['expirationItem'],
  upload: ['uploadNotification'],
  compliance: holderKinds,
};

/** Returns the kinds of the records that messages of a type are about. Some are about none. */
export function kindsOfType(type: string): readonly EntityKind[] {
  const [first = ''] = type.split('.');
  return particularKinds[first] ?? [...entityKinds.values()].filter((kind) => snakeCase(kind) === first);
}

const names = new Map<number, EventName>(
  Object.entries(eventTypes).map(([name, id]) => [id, name as EventName]),
);

/**
 * Returns the type of the message about an event.
 * @param kind of the first record that the event is about
 * @returns undefined for events that no endpoint hears of, such as those about tokens
 */
export function webhookTypeOf(typeId: number, kind: EntityKind | undefined): string | undefined {
  const name = names.get(typeId);
  if (name === undefined) return undefined;
  const own = particular[name];
  if (own !== undefined || kind === undefined) return own;
  return (common as readonly EventName[]).includes(name) ? `${snakeCase(kind)}.${name}` : undefined;
}

/** Returns whether a pattern (`*`, `vehicle.*` or a whole type) includes a type. */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

/** Checks a pattern. It must include at least one type. */
const isTypePattern = (pattern: string): boolean => webhookTypes.some((type) => matchesType(pattern, type));

/** Webhook endpoints of an organization. */
export const webhookEndpoints = declareList('WebhookEndpoint', {
  fields: {
    id: exposedInGraphql(),
    name: exposedInGraphql(),
    url: exposedInGraphql(),
    eventTypes: exposedInGraphql(),
    teamIds: exposedInGraphql(),
    payload: exposedInGraphql(undefined, {
      enum: {
        about: 'What the messages of a webhook endpoint have.',
        values: {
          FULL: "The event's changes, and the record as REST shows it.",
          THIN: "The event's changes, without the record.",
        },
      },
    }),
    categoryIds: exposedInGraphql(),
    tagIds: exposedInGraphql(),
    statuses: computed(
      '[ExpirationStatus]!',
      ['statuses'],
      'States whose items it hears of. Empty for all.',
      ({ statuses }: RowOf<'WebhookEndpoint'>) => statuses,
    ),
    sealedHeaders: unexposed(),
    hasHeaders: computed(
      'Boolean!',
      ['sealedHeaders'],
      'True if its messages have further headers. Nobody can read them again.',
      ({ sealedHeaders }: RowOf<'WebhookEndpoint'>) => sealedHeaders !== null,
    ),
    ratePerSecond: exposedInGraphql(),
    pacedUntil: unexposed(),
    slowedUntil: unexposed(),
    state: exposedInGraphql(undefined, {
      enum: {
        about: 'Whether messages are sent to a webhook endpoint.',
        values: {
          ENABLED: 'Messages are sent.',
          PAUSED: 'An administrator has paused it. Messages wait.',
          DISABLED: 'It failed for too long, or asked for no more messages.',
        },
      },
    }),
    disabledReason: exposedInGraphql(),
    failingSince: exposedInGraphql(),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
  },
  filter: {
    term: { in: ['name', 'url'], description: 'Part of the name or address, ignoring case.' },
    state: 'Endpoints in this state.',
  },
  right: 'administer',
  sortable: ['id', 'name', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: [],
  ranges: [],
});

const { noun, rows: endpointRows } = webhookEndpoints;

/** The most endpoints of an organization. Each event is matched with all of them. */
const maxEndpoints = 50;

/** Values of an endpoint, as a caller sends them. */
interface EndpointValues {
  readonly name?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly eventTypes?: readonly string[] | null | undefined;
  readonly teamIds?: readonly string[] | null | undefined;
  readonly payload?: EnumOf<'WebhookPayload'> | null | undefined;
  readonly categoryIds?: readonly string[] | null | undefined;
  readonly tagIds?: readonly string[] | null | undefined;
  readonly statuses?: readonly string[] | null | undefined;
  readonly headers?: readonly OwnHeader[] | null | undefined;
  readonly ratePerSecond?: number | null | undefined;
}

/** Changes of an endpoint. */
interface EndpointChanges extends EndpointValues {
  readonly isPaused?: boolean | null | undefined;
}

const eventTypesRule = z
  .array(z.string().refine(isTypePattern, 'must be a type of events, or a pattern such as vehicle.*'))
  .min(1, 'must have at least one entry')
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish()
  .transform((types) => [...new Set(types ?? ['*'])]);

const endpointRules = z.object({
  name: rules.name,
  url: z.string('is required').max(limits.address, `must have at most ${limits.address} characters`),
  eventTypes: eventTypesRule,
  teamIds: rules.uuids,
  payload: z
    .enum(enums.WebhookPayload)
    .nullish()
    .transform((payload) => payload ?? 'FULL'),
  categoryIds: rules.uuids,
  tagIds: rules.uuids,
  statuses: z
    .array(z.string().transform((status) => (status === noDateAlias ? 'nodate' : status)))
    .nullish()
    .transform((statuses) => [...new Set(statuses)]),
  headers: headerRules.nullish().transform((headers) => headers ?? []),
  ratePerSecond: rules.between(1, 100).transform((rate) => rate ?? 10),
});

const changeRules = endpointRules.extend({ isPaused: z.boolean('must be true or false') });

/** Checks that the caller sees the workspaces. */
function checkTeams({ caller }: Session, teamIds: readonly string[]): void {
  const at = teamIds.findIndex((id) => !caller.teamIds.includes(id));
  if (at >= 0) throw badField(['teamIds', at], 'must be the id of a workspace');
}

/** Kinds of records that endpoints choose items by, and where an input names them. */
const choices = [
  ['Category', 'categoryIds', 'must be the id of a document type'],
  ['Tag', 'tagIds', 'must be the id of a tag'],
] as const;

/** Checks that the records exist by which an endpoint chooses items. Those that it has may be gone by now. */
async function checkChoices(
  session: Session,
  values: Partial<Pick<RowOf<'WebhookEndpoint'>, 'categoryIds' | 'tagIds'>>,
  known?: RowOf<'WebhookEndpoint'>,
): Promise<void> {
  for (const [model, field, expected] of choices) {
    const ids = (values[field] ?? []).filter((id) => !known?.[field].includes(id));
    const found = ids.length > 0 ? await readRows(session, model, { where: { id: { in: ids } } }) : [];
    const missing = ids.find((id) => !found.some((row) => row.id === id));
    if (missing) throw badField([field, values[field]?.indexOf(missing) ?? 0], expected, 'reference');
  }
}

/** Writes the event of a change to an endpoint. */
export function logEndpoint(
  tx: Transaction,
  session: Session,
  { name }: Pick<RowOf<'WebhookEndpoint'>, 'name'>,
  what: string,
  details: Changes | null = null,
): Promise<void> {
  const { caller } = session;
  const description = `Webhook endpoint ${JSON.stringify(name)} ${what}`;
  return logEvent(tx, session, {
    ...{ type: 'organization changed', teamId: caller.user.teamId, description, details, entities: [] },
  });
}

/**
 * Reads an endpoint of the caller's organization.
 * @throws GatewayError NOT_FOUND
 */
export async function findEndpoint(session: Session, id: string): Promise<RowOf<'WebhookEndpoint'>> {
  const endpoint = isUuid(id) ? await endpointRows.get(session, id.toLowerCase()) : null;
  if (!endpoint) throw notFound(noun, id);
  return endpoint;
}

/**
 * Locks an endpoint of the caller's organization until the transaction ends.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED
 */
export async function lockEndpoint(
  tx: Transaction,
  session: Session,
  id: string,
): Promise<RowOf<'WebhookEndpoint'>> {
  const endpoint = isUuid(id) ? await endpointRows.lock(tx, id.toLowerCase()) : null;
  if (!endpoint) throw notFound(noun, id);
  checkVersion(session, endpoint);
  return endpoint;
}

/** A new endpoint, with its secret, which is shown only once. */
export interface CreatedEndpoint {
  readonly endpoint: RowOf<'WebhookEndpoint'>;
  readonly secret: string;
}

/**
 * Creates an endpoint of the caller's organization, with its event.
 * @throws GatewayError BAD_REQUEST naming the invalid value; CONFLICT if there are too many
 */
export async function createEndpoint(
  session: Session,
  receivers: Receivers,
  given: EndpointValues,
): Promise<CreatedEndpoint> {
  const values = check(endpointRules, given);
  checkTeams(session, values.teamIds);
  await checkChoices(session, values);
  await receivers.checkUrl(values.url);
  const { now, caller } = session;
  if (await endpointRows.hasMore(session, {}, maxEndpoints - 1)) {
    throw new GatewayError('CONFLICT', `There can be at most ${maxEndpoints} webhook endpoints.`);
  }
  const { headers, ...columns } = values;
  const id = newId();
  const sealedHeaders = await sealHeaders(session.secrets, id, headers);
  return session.inTransaction(async (tx) => {
    const times = { created: now, modified: now };
    const { organizationId } = caller;
    const endpoint = await insertReturning(tx, 'WebhookEndpoint', {
      ...{ id, organizationId, ...columns, sealedHeaders, ...times },
    });
    const secret = await addSecret(tx, session, endpoint.id);
    await logEndpoint(tx, session, endpoint, 'was created');
    return { endpoint, secret };
  });
}

/** Values of an endpoint that its events show before and after a change. */
const shownInLog = [
  ...(['name', 'url', 'eventTypes', 'teamIds', 'payload', 'categoryIds', 'tagIds'] as const),
  ...(['statuses', 'ratePerSecond', 'state'] as const),
] as const;

/** Updates an endpoint that is locked, with its event. */
async function changeEndpoint(
  tx: Transaction,
  session: Session,
  current: RowOf<'WebhookEndpoint'>,
  values: Partial<Pick<RowOf<'WebhookEndpoint'>, (typeof shownInLog)[number] | 'sealedHeaders'>>,
): Promise<RowOf<'WebhookEndpoint'>> {
  const before = Object.fromEntries(shownInLog.map((name) => [name, current[name]]));
  const after = Object.fromEntries(shownInLog.map((name) => [name, values[name] ?? current[name]]));
  const changes = changesBetween(before, after);
  const names = [...Object.keys(changes), ...('sealedHeaders' in values ? ['headers'] : [])];
  if (names.length === 0) return current;
  const enabled = values.state === 'ENABLED' ? { failingSince: null, disabledReason: null } : {};
  const modified = nextModified(session.now, current.modified);
  const set = { ...values, ...enabled, modified };
  const [row] = await updateRows(tx, 'WebhookEndpoint', { id: current.id }, set);
  if (!row) throw new Error('An endpoint that was locked is gone.');
  await logEndpoint(tx, session, row, `was changed: ${names.join(', ')}`, changes);
  return row;
}

/**
 * Changes an endpoint of the caller's organization. Missing values are kept.
 * @throws GatewayError NOT_FOUND; BAD_REQUEST naming the invalid value; CONFLICT for pausing a disabled one
 */
export async function updateEndpoint(
  session: Session,
  receivers: Receivers,
  id: string,
  given: EndpointChanges,
): Promise<RowOf<'WebhookEndpoint'>> {
  const { isPaused, headers, ...values } = checkGiven(changeRules, given);
  const found = await findEndpoint(session, id);
  if (values.teamIds) checkTeams(session, values.teamIds);
  await checkChoices(session, values, found);
  if (values.url !== undefined) await receivers.checkUrl(values.url);
  const secret = headers && { sealedHeaders: await sealHeaders(session.secrets, found.id, headers) };
  return session.inTransaction(async (tx) => {
    const current = await lockEndpoint(tx, session, id);
    if (isPaused !== undefined && current.state === 'DISABLED') {
      throw new GatewayError('CONFLICT', 'The endpoint is disabled. Enable it first.');
    }
    const state = isPaused === undefined ? {} : ({ state: isPaused ? 'PAUSED' : 'ENABLED' } as const);
    return changeEndpoint(tx, session, current, { ...values, ...secret, ...state });
  });
}

/**
 * Enables an endpoint that is disabled or paused.
 * @throws GatewayError NOT_FOUND
 */
export function enableEndpoint(session: Session, id: string): Promise<RowOf<'WebhookEndpoint'>> {
  return session.inTransaction(async (tx) =>
    changeEndpoint(tx, session, await lockEndpoint(tx, session, id), { state: 'ENABLED' }),
  );
}

/**
 * Deletes an endpoint with its secrets and everything that waits for it.
 * @throws GatewayError NOT_FOUND
 */
export function deleteEndpoint(session: Session, id: string): Promise<RowOf<'WebhookEndpoint'>> {
  return session.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, session, id);
    await deleteRows(tx, 'WebhookEndpoint', { id: endpoint.id });
    await logEndpoint(tx, session, endpoint, 'was deleted');
    return endpoint;
  });
}

/**
 * Creates a new secret of an endpoint. The old one signs as well until the grace ends.
 * @param graceHours from 0 to 168
 * @returns the new secret, which is not shown again
 * @throws GatewayError NOT_FOUND; BAD_REQUEST
 */
export async function rotateSecret(session: Session, id: string, graceHours: number): Promise<string> {
  if (graceHours < 0 || graceHours > 168) throw badField(['graceHours'], 'must be from 0 to 168', 'range');
  return session.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, session, id);
    const expiresAt = new Date(session.now.getTime() + graceHours * 3_600_000);
    await expireSecrets(tx, endpoint.id, expiresAt, session.now);
    const secret = await addSecret(tx, session, endpoint.id);
    await logEndpoint(tx, session, endpoint, 'got a new secret');
    return secret;
  });
}

/**
 * Sends a test message to an endpoint at once, whatever its state.
 * @throws GatewayError NOT_FOUND
 */
export async function testEndpoint(
  session: Session,
  { post }: Receivers,
  endpointId: string,
): Promise<PostResult> {
  const { secrets, now } = session;
  const endpoint = await findEndpoint(session, endpointId);
  const { id, url, name } = endpoint;
  if (!secrets) throw new Error('This session cannot keep secrets.');
  if (await readSilence(session.database)) {
    const none = { status: null, responseStart: '', retryAfter: null, isLate: false, ms: 0 };
    return { ...none, error: silentText };
  }
  const sealed = await session.read<SealedSecret>(prepared('webhook_secrets.live', liveSecretsSql(id, now)));
  const data = { endpoint_id: id, endpoint_name: name };
  const body = JSON.stringify({ type: testType, timestamp: now.toISOString(), data });
  const message = { id: messageIdOf(newId()), at: now, body };
  const own = await openHeaders(secrets, endpoint);
  return post(url, { ...own, ...signatureHeaders(message, await openSecrets(secrets, sealed)) }, body);
}
