import * as z from 'zod';
import { translateError } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import { insertRows, updateRows } from '../db/sql/write.js';
import { addDays, formatDate, nextModified, todayIn } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import { demoId } from '../domain/text/demo.js';
import { type HolderKind, holderKinds } from '../items/holders.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposed, link, unexposed } from '../records/declare/fields.js';
import { logEvent } from '../records/event-logs.js';
import { seenIds } from '../records/lists/filter.js';
import { findLinked } from '../records/loaders.js';
import { checkVersion } from '../records/locks.js';
import { requiredResources } from './applies.js';
import { requirements } from './requirements.js';

/** A stored exemption. */
export type Exemption = RowOf<'Exemption'>;

/** Returns the id of the record that a row is about. The column of its kind has it. */
export const holderIdOf = ({
  vehicleId,
  contactId,
  companyId,
  locationId,
}: Pick<Exemption, 'vehicleId' | 'contactId' | 'companyId' | 'locationId'>): string =>
  vehicleId ?? contactId ?? companyId ?? locationId ?? '';

/** Exemptions from requirements. They are created and ended, and never edited. */
export const exemptions = declareList('Exemption', {
  fields: {
    id: exposed(),
    requirementId: exposed(undefined, {
      description: 'The id of the requirement that need not be met.',
    }),
    requirement: link('requirementId', 'The requirement that need not be met.', {
      list: 'The exemptions from the requirement.',
    }),
    holderKind: exposed(undefined, {
      type: 'HolderKind',
      description: 'The kind of the record that is exempt.',
    }),
    holderId: computed(
      'ID!',
      ['vehicleId', 'contactId', 'companyId', 'locationId'],
      'The id of the record that is exempt.',
      holderIdOf,
      { door: 'both' },
    ),
    from: exposed(),
    until: exposed(),
    endedOn: exposed(),
    reason: exposed(undefined, { long: true }),
    vehicleId: unexposed(),
    contactId: unexposed(),
    companyId: unexposed(),
    locationId: unexposed(),
    userId: unexposed(),
    user: link('userId', 'The user who created the exemption.', { ordered: false, hasNone: false }),
    endedById: unexposed(),
    endedBy: link('endedById', 'The user who ended the exemption.', { ordered: false, hasNone: false }),
    teamId: exposed(undefined, { description: 'The workspace of its requirement.' }),
    team: link('teamId', 'The workspace of its requirement.', { ordered: false }),
    created: exposed(),
    modified: exposed(),
  },
  filter: {
    term: { in: ['reason'], description: 'Part of the reason, ignoring case.' },
    teamId: 'Exemptions in this workspace.',
    requirementId: 'Exemptions from this requirement.',
    holderId: {
      type: 'ID',
      rule: rules.uuid,
      description: 'Exemptions of this vehicle, person, company or location.',
      where: (id: string, _all, session) => ({
        OR: holderKinds.map((kind) => ({ [`${kind}Id`]: seenIds(session, kind, id) })),
      }),
    },
    vehicleId: 'Exemptions of this vehicle.',
    contactId: 'Exemptions of this person.',
    companyId: 'Exemptions of this company.',
    locationId: 'Exemptions of this location.',
  },
  ranges: ['from', 'until', 'endedOn'],
  sortable: ['id', 'from', 'until', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: [],
  rest: {
    tag: 'Exemptions',
    about: 'Vehicles, people, companies and locations that need not meet a requirement.',
    model: 'ExemptionModel',
    term: 'workshop',
    routes: {
      'GET /v1/exemptions': {
        origin: 'addition',
        list: 'exemptions',
        added: ['requirement_ids', 'holder_id', 'team_id'],
        summary: 'Lists exemptions from requirements, the last first.',
      },
      'POST /v1/exemptions': {
        origin: 'addition',
        errors: ['BAD_REQUEST', 'CONFLICT'],
        summary: 'Exempts a record from a requirement.',
        description: 'An exemption is not edited: end it, and create another.',
        example: {
          ...{ requirement_id: demoId('requirement', 'Insured'), holder_kind: 'vehicle' },
          ...{ holder_id: demoId('vehicle', 'Truck 101'), until: '2031-06-30', reason: 'In the workshop' },
        },
      },
      'GET /v1/exemptions/{id}': { origin: 'addition' },
      'POST /v1/exemptions/{id}/end': {
        kind: 'act',
        origin: 'addition',
        field: 'endExemption',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Ends an exemption. It no longer holds from today in its workspace.',
      },
    },
  },
});

/** Rules of a new exemption. */
export const exemptionRules = z.object({
  id: rules.uuid,
  requirementId: rules.requiredUuid,
  holderKind: z.enum(holderKinds, `must be one of ${holderKinds.join(', ')}`),
  holderId: rules.requiredUuid,
  from: rules.date,
  until: rules.date,
  reason: rules.requiredLine,
});

/** Writes an event about the requirement and the record that is exempt from it. */
function tell(
  tx: Transaction,
  session: Session,
  exemption: Exemption,
  [type, description]: readonly ['exempted' | 'exemption ended', string],
): Promise<void> {
  const { teamId, requirementId, holderKind } = exemption;
  return logEvent(tx, session, {
    ...{ type, description, teamId, details: null },
    entities: [
      { kind: 'requirement', id: requirementId },
      { kind: holderKind as HolderKind, id: holderIdOf(exemption) },
    ],
  });
}

/** Names an exempt record and its requirement, as events describe them. */
async function namesOf(tx: Transaction, exemption: Exemption): Promise<string> {
  const kind = exemption.holderKind as HolderKind;
  const [holder, requirement] = await Promise.all([
    findLinked(tx, kind, holderIdOf(exemption)),
    findLinked(tx, 'requirement', exemption.requirementId),
  ]);
  const title = requiredResources[kind].title as (row: unknown) => string | null;
  const { name } = requirement as RowOf<'Requirement'>;
  // Who reads of it there need not see other workspaces, where the record may be by now.
  const isThere = (holder as { teamId: string } | null)?.teamId === exemption.teamId;
  return `${(isThere && title(holder)) || requiredResources[kind].noun}: ${name}`;
}

/**
 * Exempts a record from a requirement, from today or another day.
 * @throws GatewayError BAD_REQUEST for a record of another kind or workspace, or an end before its beginning; CONFLICT for
 *   an id that is taken
 */
export async function createExemption(
  session: Session,
  input: z.input<typeof exemptionRules>,
): Promise<Exemption> {
  const { id, requirementId, holderKind, holderId, from, until, reason } = check(exemptionRules, input);
  const { organizationId, user } = session.caller;
  const created = session.inTransaction(async (tx) => {
    // Locked, so that it is neither moved nor deleted meanwhile.
    const requirement = await requirements.rows.lock(tx, requirementId);
    const holder = (await findLinked(tx, holderKind, holderId)) as { readonly teamId: string } | null;
    if (!requirement) throw badField(['requirementId'], 'names no requirement that exists', 'reference');
    if (!holder)
      throw badField(['holderId'], `names no ${requiredResources[holderKind].noun} that exists`, 'reference');
    if (requirement.holderKind !== holderKind)
      throw badField(['holderKind'], `is not that of the requirement, ${requirement.holderKind}`);
    if (holder.teamId !== requirement.teamId)
      throw badField(['holderId'], 'is not in the workspace of the requirement', 'reference');
    const team = (await findLinked(tx, 'team', requirement.teamId)) as RowOf<'Team'>;
    const start = from ?? todayIn(team.timezone, session.now);
    if (until && until < start)
      throw badField(['until'], `must not be before it begins, ${formatDate(start)}`, 'range');
    const row: Exemption = {
      ...{ id: id ?? newId(), organizationId, teamId: requirement.teamId, requirementId, holderKind },
      ...{ vehicleId: null, contactId: null, companyId: null, locationId: null },
      [`${holderKind}Id`]: holderId,
      ...{ from: start, until, endedOn: null, reason, userId: user.id, endedById: null },
      ...{ created: session.now, modified: session.now },
    };
    await insertRows(tx, 'Exemption', [row]);
    await tell(tx, session, row, ['exempted', `${await namesOf(tx, row)} is not required`]);
    return row;
  });
  return created.catch((error) => {
    throw translateError(error, 'exemptions');
  });
}

/**
 * Ends an exemption: it no longer holds from today. One that has not begun never holds.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if it has ended
 */
export function endExemption(session: Session, id: string): Promise<Exemption> {
  return session.inTransaction(async (tx) => {
    const exemption = isUuid(id) ? await exemptions.rows.lock(tx, id.toLowerCase()) : null;
    if (!exemption) throw notFound(exemptions.noun, id);
    checkVersion(session, exemption);
    const team = (await findLinked(tx, 'team', exemption.teamId)) as RowOf<'Team'>;
    const today = todayIn(team.timezone, session.now);
    const { endedOn, until } = exemption;
    if (endedOn || (until && until < today)) {
      const since = endedOn ?? addDays(until ?? today, 1);
      throw new GatewayError('CONFLICT', `The exemption has ended on ${formatDate(since)}.`);
    }
    const modified = nextModified(session.now, exemption.modified);
    const values = { endedOn: today, endedById: session.caller.user.id, modified };
    await updateRows(tx, 'Exemption', { id: exemption.id }, values);
    const row = { ...exemption, ...values };
    await tell(tx, session, row, ['exemption ended', `${await namesOf(tx, row)} is required again`]);
    return row;
  });
}
