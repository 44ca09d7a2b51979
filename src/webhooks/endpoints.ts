import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import { checkGiven } from '../access/people.js';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { EnumOf, RowOf } from '../db/sql/columns.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertReturning, updateRows } from '../db/sql/write.js';
import { nextModified } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { check, isUuid, limits, newId, rules } from '../domain/rules.js';
import { noDateAlias } from '../domain/status.js';
import {
  AddressRefused,
  type Lookup,
  type PrivateHosts,
  readAddress,
  resolveAddress,
} from '../outbound/address.js';
import { type Changes, changesBetween, logEvent } from '../records/event-logs.js';
import { checkVersion } from '../records/locking.js';
import { isTypePattern } from './event-types.js';
import { headerRules, type OwnHeader, sealHeaders } from './headers.js';
import { addSecret, expireSecrets } from './secrets.js';
import { webhookEndpoints } from './webhook-endpoints.js';

const { noun, rows: endpointRows } = webhookEndpoints;

/** The most endpoints of an organization. Each event is matched with all of them. */
const mostEndpoints = 50;

/** Settings by which addresses of endpoints are checked. */
export interface AddressChecks {
  readonly privateHosts: PrivateHosts;
  readonly lookup: Lookup;
}

/** Values of an endpoint, as a caller sends them. */
export interface EndpointValues {
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
export interface EndpointChanges extends EndpointValues {
  readonly isPaused?: boolean | null | undefined;
}

const eventTypes = z
  .array(z.string().refine(isTypePattern, 'must be a type of events, or a pattern such as vehicle.*'))
  .min(1, 'must have at least one entry')
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish()
  .transform((types) => [...new Set(types ?? ['*'])]);

const endpointRules = z.object({
  name: rules.name,
  url: z.string('is required').max(limits.address, `must have at most ${limits.address} characters`),
  eventTypes,
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

/** Checks an address when it is saved. Each attempt to send checks it again. */
async function checkUrl(text: string, { privateHosts, lookup }: AddressChecks): Promise<void> {
  try {
    await resolveAddress(readAddress(text, privateHosts), privateHosts, lookup);
  } catch (error) {
    throw badField(['url'], error instanceof AddressRefused ? error.message : 'has a host that is not found');
  }
}

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
  checks: AddressChecks,
  given: EndpointValues,
): Promise<CreatedEndpoint> {
  const values = check(endpointRules, given);
  checkTeams(session, values.teamIds);
  await checkChoices(session, values);
  await checkUrl(values.url, checks);
  const { now, caller } = session;
  if (await endpointRows.hasMore(session, {}, mostEndpoints - 1)) {
    throw new GatewayError('CONFLICT', `There can be at most ${mostEndpoints} webhook endpoints.`);
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
export async function changeEndpoint(
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
  checks: AddressChecks,
  id: string,
  given: EndpointChanges,
): Promise<RowOf<'WebhookEndpoint'>> {
  const { isPaused, headers, ...values } = checkGiven(changeRules, given);
  const found = await findEndpoint(session, id);
  if (values.teamIds) checkTeams(session, values.teamIds);
  await checkChoices(session, values, found);
  if (values.url !== undefined) await checkUrl(values.url, checks);
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
