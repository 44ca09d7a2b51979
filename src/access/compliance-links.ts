import * as z from 'zod';
import { requiredResources } from '../compliance/applies.js';
import { evaluate, nameOf, readFacts } from '../compliance/ask.js';
import { holderIdOf } from '../compliance/exemptions.js';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { notFrozen } from '../db/queue/queue.js';
import { SecretKeyError } from '../db/secrets/secrets.js';
import { type RowOf, recordsSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { insertRows, updateRows } from '../db/sql/write.js';
import { gatewayCaller, hasRight, secretPattern } from '../domain/caller.js';
import { inBatches } from '../domain/collections.js';
import type { ComplianceState } from '../domain/compliance.js';
import { nextModified } from '../domain/dates.js';
import { paths } from '../domain/doors/paths.js';
import { badField, type FieldPath, GatewayError, notFound } from '../domain/errors.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import { type HolderKind, holderKinds } from '../items/holders.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposedInGraphql, link, unexposed } from '../records/declare/fields.js';
import { type Event, logEvents } from '../records/event-logs.js';
import { checkVersion } from '../records/locks.js';
import { hashToken, randomSecret } from './tokens.js';

/** A stored link to the compliance of a record. */
export type ComplianceLink = RowOf<'ComplianceLink'>;

/** Limits of links to the compliance of records. */
export const complianceLinkLimits = {
  /** Links of a record that work at the same time. */
  open: 20,
  /** Records of one request that makes links. */
  holders: 500,
  /** Uses of a link in a minute. It also limits the unknown links of an address. */
  perMinute: 30,
} as const;

/** Links to the compliance of records, as stickers have. They are created and revoked, and never edited. */
export const complianceLinks = declareList('ComplianceLink', {
  fields: {
    id: exposedInGraphql(),
    name: exposedInGraphql(),
    holderKind: exposedInGraphql(undefined, { type: 'HolderKind' }),
    holderId: computed(
      'ID!',
      ['vehicleId', 'contactId', 'companyId', 'locationId'],
      'The id of the record that it shows.',
      holderIdOf,
    ),
    vehicleId: unexposed(),
    contactId: unexposed(),
    companyId: unexposed(),
    locationId: unexposed(),
    hash: unexposed(),
    sealedSecret: unexposed(),
    uses: exposedInGraphql(),
    lastUsedAt: exposedInGraphql(),
    revokedAt: exposedInGraphql(),
    userId: unexposed(),
    user: link('userId', 'The user who created the link.', { ordered: false, hasNone: false }),
    revokedById: unexposed(),
    revokedBy: link('revokedById', 'The user who revoked the link.', { ordered: false, hasNone: false }),
    teamId: exposedInGraphql(undefined, { description: 'The workspace of the record.' }),
    team: link('teamId', 'The workspace of the record.', { ordered: false }),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    teamId: 'Links to records in this workspace.',
    vehicleId: 'Links to this vehicle.',
    contactId: 'Links to this person.',
    companyId: 'Links to this company.',
    locationId: 'Links to this location.',
    isRevoked: {
      type: 'Boolean',
      description: 'If true, only revoked links. If false, only links that work.',
      where: (revoked) => ({ revokedAt: revoked ? { not: null } : null }),
    },
  },
  ranges: ['lastUsedAt', 'revokedAt'],
  sortable: ['id', 'name', 'created', 'lastUsedAt', 'uses'],
  order: { field: 'created', direction: 'desc' },
  indexed: ['created'],
});

/** Returns what the secret of a link is encrypted for. */
export const complianceLinkOwner = (id: string): string => `compliance link ${id}`;

const kindRule = z.enum(holderKinds, `must be one of ${holderKinds.join(', ')}`);

/** Rules of a new link. */
export const complianceLinkRules = z.object({
  id: rules.uuid,
  holderKind: kindRule,
  holderId: rules.requiredUuid,
  name: rules.line,
});

/** Rules of links for many records. */
export const complianceLinksRules = z.object({
  holderKind: kindRule,
  holderIds: z
    .array(rules.requiredUuid)
    .min(1, 'must not be empty')
    .max(complianceLinkLimits.holders, `must have at most ${complianceLinkLimits.holders} entries`),
});

/** A record that gets links. */
interface LinkedHolder {
  readonly id: string;
  readonly teamId: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Locks records, so that none is moved or deleted meanwhile.
 * @param pathOf returns the place of an id in the input
 * @throws GatewayError BAD_REQUEST for a record that the caller does not see
 */
async function lockHolders(
  tx: Transaction,
  kind: HolderKind,
  ids: readonly string[],
  pathOf: (index: number) => FieldPath,
): Promise<readonly LinkedHolder[]> {
  const statement = sql`
    SELECT record.id, record.team_id AS "teamId", to_jsonb(record) AS record
    ${recordsSql(tx, kind, { id: { in: ids } })} ORDER BY record.id FOR NO KEY UPDATE OF record`;
  const rows = await tx.run<LinkedHolder>(prepared(`compliance_links.lock_${kind}`, statement));
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, index) => {
    const holder = found.get(id);
    if (!holder)
      throw badField(pathOf(index), `names no ${requiredResources[kind].noun} that exists`, 'reference');
    return holder;
  });
}

/** Reads the links of records that work, the oldest first. */
const readOpen = (tx: Transaction, kind: HolderKind, ids: readonly string[]): Promise<ComplianceLink[]> =>
  readRows(tx, 'ComplianceLink', {
    where: { [`${kind}Id`]: { in: ids }, revokedAt: null },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });

/** Describes what happened to a link, as an event of its record. */
const eventOf = (
  { holderKind, teamId }: Pick<ComplianceLink, 'holderKind' | 'teamId'>,
  { id, record }: Pick<LinkedHolder, 'id' | 'record'>,
  what: 'created' | 'revoked',
): Event => {
  const kind = holderKind as HolderKind;
  const name = nameOf(kind, { record }) ?? requiredResources[kind].noun;
  return {
    ...{ type: `compliance link ${what}`, teamId, details: null },
    description: `${name}: a link to its compliance was ${what}`,
    entities: [{ kind, id }],
  };
};

/** Stores new links to locked records, with an event each. */
async function insertLinks(
  tx: Transaction,
  session: Session,
  kind: HolderKind,
  holders: readonly (LinkedHolder & { readonly linkId?: string | null; readonly name?: string | null })[],
): Promise<ComplianceLink[]> {
  const { secrets, now, caller } = session;
  if (!secrets) throw new Error('This session cannot keep secrets.');
  const rows = await Promise.all(
    holders.map(async ({ id: holderId, teamId, linkId, name = null }): Promise<ComplianceLink> => {
      const [id, secret] = [linkId ?? newId(), randomSecret()];
      return {
        ...{ id, organizationId: caller.organizationId, teamId, name, holderKind: kind },
        ...{ vehicleId: null, contactId: null, companyId: null, locationId: null },
        [`${kind}Id`]: holderId,
        ...{ hash: hashToken(secret), sealedSecret: await secrets.seal(secret, complianceLinkOwner(id)) },
        ...{ uses: 0, lastUsedAt: null, userId: caller.user.id, revokedAt: null, revokedById: null },
        ...{ created: now, modified: now },
      };
    }),
  );
  await insertRows(tx, 'ComplianceLink', rows);
  const events = rows.flatMap((row, place) => {
    const holder = holders[place];
    return holder ? [eventOf(row, holder, 'created')] : [];
  });
  await logEvents(tx, session, events);
  return rows;
}

/**
 * Creates a link to the compliance of a record.
 * @throws GatewayError BAD_REQUEST, also for a record that the caller does not see; CONFLICT for a record with the most links,
 *   or an id that is taken
 */
export function createComplianceLink(
  session: Session,
  input: z.input<typeof complianceLinkRules>,
): Promise<ComplianceLink> {
  const { id: linkId, holderKind, holderId, name } = check(complianceLinkRules, input);
  const created = session.inTransaction(async (tx) => {
    const [holder] = await lockHolders(tx, holderKind, [holderId], () => ['holderId']);
    const open = await readOpen(tx, holderKind, [holderId]);
    if (open.length >= complianceLinkLimits.open)
      throw new GatewayError(
        'CONFLICT',
        `The ${requiredResources[holderKind].noun} has ${open.length} links that work, which is the most. Revoke one first.`,
      );
    const [row] = holder ? await insertLinks(tx, session, holderKind, [{ ...holder, linkId, name }]) : [];
    if (!row) throw new Error('A link was not made.');
    return row;
  });
  return created.catch((error) => {
    throw translateError(error, 'compliance_links');
  });
}

/**
 * Creates a link for each record that has none that works.
 * @returns the newest link of each that works, in the order of the ids
 * @throws GatewayError BAD_REQUEST, also for a record that the caller does not see
 */
export function createMissingComplianceLinks(
  session: Session,
  input: z.input<typeof complianceLinksRules>,
): Promise<ComplianceLink[]> {
  const { holderKind, holderIds } = check(complianceLinksRules, input);
  return session.inTransaction(async (tx) => {
    const holders = await lockHolders(tx, holderKind, holderIds, (index) => ['holderIds', index]);
    const ids = [...new Set(holderIds)];
    const open = new Map((await readOpen(tx, holderKind, ids)).map((row) => [holderIdOf(row), row]));
    const without = [...new Set(holders)].filter(({ id }) => !open.has(id));
    for (const row of await insertLinks(tx, session, holderKind, without)) open.set(holderIdOf(row), row);
    return ids.flatMap((id) => open.get(id) ?? []);
  });
}

/**
 * Revokes a link: its address opens nothing any more. One that was revoked stays as it is.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED
 */
export function revokeComplianceLink(session: Session, id: string): Promise<ComplianceLink> {
  return session.inTransaction(async (tx) => {
    const row = isUuid(id) ? await complianceLinks.rows.lock(tx, id.toLowerCase()) : null;
    if (!row) throw notFound(complianceLinks.noun, id);
    checkVersion(session, row);
    if (row.revokedAt) return row;
    const modified = nextModified(session.now, row.modified);
    const values = { revokedAt: session.now, revokedById: session.caller.user.id, modified };
    const [revoked = { ...row, ...values }] = await updateRows(tx, 'ComplianceLink', { id: row.id }, values);
    const kind = row.holderKind as HolderKind;
    const [holder] = await session.within(tx, () => readFacts(session, kind, [holderIdOf(row)]));
    if (holder) await logEvents(tx, session, [eventOf(row, holder, 'revoked')]);
    return revoked;
  });
}

/**
 * Returns the address of a link for callers who may make one.
 * @returns null for others, for a revoked link, and if the gateway's key is no longer the one that encrypted the secret
 */
export async function complianceLinkAddress(
  { caller, secrets }: Session,
  { id, sealedSecret, revokedAt }: Pick<ComplianceLink, 'id' | 'sealedSecret' | 'revokedAt'>,
  origin: string,
): Promise<string | null> {
  if (!secrets || revokedAt || !hasRight(caller, 'write')) return null;
  try {
    const secret = await secrets.open(sealedSecret, complianceLinkOwner(id));
    return `${origin}${paths.complianceLink.replace('{id}', secret)}`;
  } catch (error) {
    if (error instanceof SecretKeyError) return null;
    throw error;
  }
}

/** A record's compliance, as the page of a link shows it. */
export interface ShownCompliance {
  readonly linkId: string;
  readonly kind: HolderKind;
  readonly name: string | null;
  /** The licence plate of a vehicle, unless it is the name. */
  readonly plate: string | null;
  /** `RETIRED`: the record is archived, so nothing is required of it. */
  readonly state: ComplianceState | 'RETIRED';
  readonly until: Date | null;
  /** The day of the answer: today in the workspace. */
  readonly on: Date;
}

/** Record of a link. */
interface Opened {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly kind: HolderKind;
  readonly holderId: string;
}

/**
 * Finds what a link shows, computed now. Links that open nothing are told apart by nothing: the same statement finds no
 * row, whatever the reason.
 */
export async function findByComplianceLink(
  database: Database,
  secret: string,
  now: Date,
): Promise<ShownCompliance | undefined> {
  const statement = sql`
    SELECT link.id, link.organization_id AS "organizationId", link.team_id AS "teamId", link.holder_kind AS kind,
      coalesce(link.vehicle_id, link.contact_id, link.company_id, link.location_id) AS "holderId"
    FROM compliance_links AS link
    WHERE link.hash = ${hashToken(secretPattern.test(secret) ? secret : '')} AND link.revoked_at IS NULL
      AND ${notFrozen('link')}`;
  const [opened] = await database.query<Opened>(prepared('compliance_links.by_secret', statement));
  if (!opened) return undefined;
  const { organizationId, teamId, kind, holderId } = opened;
  const session = new Session(database, { caller: gatewayCaller(organizationId, teamId), now });
  const [facts] = await readFacts(session, kind, [holderId]);
  if (!facts) return undefined;
  const { state, until, on } = evaluate(kind, facts, now);
  const { is_archived: isArchived, is_active: isActive, license_plate: plate } = facts.record;
  const isRetired = isArchived === true || isActive === false;
  const name = nameOf(kind, facts);
  return {
    ...{ linkId: opened.id, kind, name, on },
    plate: typeof plate === 'string' && plate !== name ? plate : null,
    state: isRetired ? 'RETIRED' : state,
    until: isRetired ? null : until,
  };
}

/** Use of a link. */
interface Use {
  readonly id: string;
  readonly at: Date;
}

/**
 * Counts the uses of links. Those that arrive during a statement are one more statement, so that a row is locked once for
 * all of them, and nobody waits for it.
 */
class Uses {
  readonly add: (use: Use) => Promise<void>;

  constructor(database: Database) {
    this.add = inBatches<Use, void>(
      1_000,
      async (uses) => {
        const statement = sql`
          UPDATE compliance_links AS link
          SET uses = link.uses + used.count, last_used_at = greatest(link.last_used_at, used.at)
          FROM (
            SELECT id, count(*)::int AS count, max(at) AS at
            FROM unnest(${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ at }) => at)}::timestamptz[]) AS use (id, at)
            GROUP BY id ORDER BY id
          ) AS used WHERE link.id = used.id`;
        await database.query(prepared('compliance_links.count', statement));
        return uses.map(() => undefined);
      },
      () => true,
    );
  }
}

/** Counts a use of a link soon. No answer waits for it, or fails because of it. */
export function noteUseOfLink(database: Database, use: Use): void {
  database.service(Uses).add(use).catch(database.onError.bind(database));
}
