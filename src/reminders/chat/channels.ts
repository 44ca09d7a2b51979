import * as z from 'zod';
import { enums } from '../../../prisma/generated/columns.js';
import { checkGiven } from '../../access/people.js';
import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readSilence, silentText } from '../../db/queue/loop.js';
import type { EnumOf, RowOf } from '../../db/sql/conditions.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows, insertReturning, updateRows } from '../../db/sql/write.js';
import { nextModified } from '../../domain/dates.js';
import { badField, GatewayError, notFound } from '../../domain/errors.js';
import { check, isUuid, limits, newId, rules } from '../../domain/rules.js';
import { pickLanguage } from '../../mail/mail.js';
import type { Receivers } from '../../outbound/outbound.js';
import { declareList } from '../../records/declare/declare.js';
import { computed, exposedInGraphql, link, unexposed } from '../../records/declare/fields.js';
import { type Event, logEvent } from '../../records/event-logs.js';
import { load } from '../../records/loaders.js';
import { checkVersion } from '../../records/locks.js';
import { chatProblem, sealPart, sendToChannel } from './chat-service.js';
import { chatTexts } from './chat-texts.js';

/** Chat channels. Members see their names; the address is a secret that nobody reads again. */
export const channels = declareList('Channel', {
  fields: {
    id: exposedInGraphql(),
    kind: exposedInGraphql(undefined, {
      enum: {
        about: 'The service of a chat channel.',
        values: {
          NTFY: 'A topic of ntfy.',
          SLACK: 'Slack, Mattermost or Rocket.Chat: an incoming webhook.',
          DISCORD: 'Discord: a webhook of a channel.',
          TEAMS: 'Microsoft Teams: a workflow that receives webhook requests.',
          GOTIFY: 'A server of Gotify.',
          APPRISE: 'The API of an Apprise server, which sends to over a hundred services.',
        },
      },
    }),
    name: exposedInGraphql(),
    host: exposedInGraphql(),
    sealedUrl: unexposed(),
    sealedToken: unexposed(),
    hasToken: computed(
      'Boolean!',
      ['sealedToken'],
      'True if it has a token. Nobody can read it again.',
      ({ sealedToken }: RowOf<'Channel'>) => sealedToken !== null,
    ),
    tellsFailures: exposedInGraphql(),
    quietFrom: exposedInGraphql(),
    quietTo: exposedInGraphql(),
    isActive: exposedInGraphql(),
    lastOkAt: exposedInGraphql(),
    lastError: exposedInGraphql(),
    teamId: exposedInGraphql(undefined, { to: 'team' }),
    team: link('teamId', 'The workspace that it belongs to.', {
      ...{ ordered: false, hasNone: false, list: 'The chat channels of the workspace.' },
    }),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
  },
  filter: {
    term: { in: ['name', 'host'], description: 'Part of the name or host, ignoring case.' },
    teamId: 'Channels of this workspace.',
    isActive: 'Channels that are in use, or not.',
  },
  sortable: ['id', 'name', 'created'],
  order: { field: 'name', direction: 'asc' },
  indexed: ['name'],
  ranges: [],
});

/** The most channels of a workspace. */
const maxChannels = 50;

/** Values of a channel, as a caller sends them. */
interface ChannelValues {
  readonly kind?: EnumOf<'ChannelKind'> | null | undefined;
  readonly name?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly token?: string | null | undefined;
  readonly tellsFailures?: boolean | null | undefined;
  readonly quietFrom?: string | null | undefined;
  readonly quietTo?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
}

const changeRules = z.object({
  kind: z.enum(enums.ChannelKind),
  name: rules.name,
  url: z.string('is required').max(limits.address, `must have at most ${limits.address} characters`),
  // Bearer tokens are ASCII (RFC 6750 §2.1).
  token: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must have at most 1000 ASCII characters and no spaces')
    .nullish()
    .transform((token) => token ?? null),
  tellsFailures: rules.flag(false),
  quietFrom: rules.timeOfDay,
  quietTo: rules.timeOfDay,
  isActive: rules.flag(true),
});

/** Checks the hours in which a channel gets nothing: both times, or none. */
function checkQuiet({ quietFrom, quietTo }: Pick<RowOf<'Channel'>, 'quietFrom' | 'quietTo'>): void {
  if ((quietFrom === null) === (quietTo === null) && (quietFrom === null || quietFrom !== quietTo)) return;
  throw badField(
    [quietTo === null ? 'quietTo' : 'quietFrom'],
    'must be given together with the other time, and differ from it',
  );
}

function logChannel(
  tx: Transaction,
  session: Session,
  { name, teamId }: RowOf<'Channel'>,
  what: string,
): Promise<void> {
  const description = `Chat channel ${JSON.stringify(name)} ${what}`;
  const event: Event = { type: 'organization changed', teamId, description, details: null, entities: [] };
  return logEvent(tx, session, event);
}

const sealsOf = async ({ secrets }: Session, id: string, given: { url?: string; token?: string | null }) => {
  if (!secrets) throw new Error('This session cannot keep secrets.');
  const { url, token } = given;
  return {
    ...(url !== undefined && { sealedUrl: await sealPart(secrets, id, 'url', url) }),
    ...(token !== undefined && {
      sealedToken: token === null ? null : await sealPart(secrets, id, 'token', token),
    }),
  };
};

/**
 * Creates a channel of a workspace, with its event.
 * @throws GatewayError BAD_REQUEST naming the invalid value; CONFLICT if there are too many
 */
export async function createChannel(
  session: Session,
  receivers: Receivers,
  { teamId: wanted, ...given }: ChannelValues & { readonly teamId?: string | null | undefined },
): Promise<RowOf<'Channel'>> {
  const { caller, now } = session;
  const { url, token, ...values } = check(changeRules, given);
  const teamId = check(rules.uuid, wanted ?? caller.user.teamId, ['teamId']) ?? '';
  if (!caller.teamIds.includes(teamId)) throw badField(['teamId'], 'must be the id of a workspace');
  checkQuiet(values);
  const { host } = await receivers.checkUrl(url);
  const id = newId();
  const seals = await sealsOf(session, id, { url, token });
  return session.inTransaction(async (tx) => {
    const lock = sql`SELECT FROM teams WHERE id = ${teamId}::uuid FOR NO KEY UPDATE`;
    await tx.run(prepared('teams.lock_for_channels', lock));
    const count = sql`SELECT count(*)::int AS count FROM channels WHERE team_id = ${teamId}::uuid`;
    const [found] = await tx.run<{ count: number }>(prepared('channels.count', count));
    if ((found?.count ?? 0) >= maxChannels)
      throw new GatewayError('CONFLICT', `A workspace can have at most ${maxChannels} chat channels.`);
    const place = { id, organizationId: caller.organizationId, teamId, host };
    const times = { created: now, modified: now };
    const { sealedUrl = new Uint8Array(), ...sealed } = seals;
    const channel = await insertReturning(tx, 'Channel', {
      ...place,
      ...values,
      sealedUrl,
      ...sealed,
      ...times,
    });
    await logChannel(tx, session, channel, 'was created');
    return channel;
  });
}

/** Locks a channel that the caller sees. @throws GatewayError NOT_FOUND; PRECONDITION_FAILED */
async function lockChannel(tx: Transaction, session: Session, id: string): Promise<RowOf<'Channel'>> {
  const channel = isUuid(id) ? await channels.rows.lock(tx, id.toLowerCase()) : null;
  if (!channel) throw notFound(channels.noun, id);
  checkVersion(session, channel);
  return channel;
}

/**
 * Changes a channel, with its event. Missing values are kept.
 * @throws GatewayError NOT_FOUND; BAD_REQUEST naming the invalid value
 */
export async function updateChannel(
  session: Session,
  receivers: Receivers,
  id: string,
  given: ChannelValues,
): Promise<RowOf<'Channel'>> {
  const { url, token, ...values } = checkGiven(changeRules, given);
  const found = isUuid(id) ? await channels.rows.get(session, id.toLowerCase()) : null;
  if (!found) throw notFound(channels.noun, id);
  const host = url === undefined ? undefined : (await receivers.checkUrl(url)).host;
  const seals = await sealsOf(session, found.id, {
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
  });
  return session.inTransaction(async (tx) => {
    const current = await lockChannel(tx, session, id);
    checkQuiet({ ...current, ...values });
    const modified = nextModified(session.now, current.modified);
    const set = { ...values, ...seals, ...(host !== undefined && { host }), modified };
    const [row] = await updateRows(tx, 'Channel', { id: current.id }, set);
    if (!row) throw new Error('A channel that was locked is gone.');
    await logChannel(tx, session, row, 'was changed');
    return row;
  });
}

/** Deletes a channel, with its event. Steps that name it go on without it. @throws GatewayError NOT_FOUND */
export function deleteChannel(session: Session, id: string): Promise<RowOf<'Channel'>> {
  return session.inTransaction(async (tx) => {
    const channel = await lockChannel(tx, session, id);
    await deleteRows(tx, 'Channel', { id: channel.id });
    await logChannel(tx, session, channel, 'was deleted');
    return channel;
  });
}

/** Result of a test message. */
export interface ChannelTrial {
  readonly isSent: boolean;
  /** Words of the service, or the reason why it was not reached. */
  readonly answer: string;
}

/** Sends a test message at once, and tells what became of it. @throws GatewayError NOT_FOUND */
export async function testChannel(session: Session, { post }: Receivers, id: string): Promise<ChannelTrial> {
  const channel = isUuid(id) ? await channels.rows.get(session, id.toLowerCase()) : null;
  if (!channel) throw notFound(channels.noun, id);
  if (!session.secrets) throw new Error('This session cannot keep secrets.');
  const user = await load(session, 'user', session.caller.user.id);
  const { title, text } = chatTexts[pickLanguage(user?.language)].test;
  const message = { title, lines: [text], link: undefined, linkLabel: '', urgency: 'normal' as const };
  if (await readSilence(session.database)) return { isSent: false, answer: silentText };
  const result = await sendToChannel(post, session.secrets, channel, message);
  const problem = chatProblem(channel, result);
  return {
    isSent: problem === null,
    answer: problem?.reason ?? `The service accepted it (${result.status}).`,
  };
}
