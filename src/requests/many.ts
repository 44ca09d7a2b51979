import * as z from 'zod';
import { type AnsweredCheck, complianceOf } from '../compliance/ask.js';
import { compliances, keptKind } from '../compliance/compliances.js';
import { holderIdOf } from '../compliance/exemptions.js';
import { urgenciesOf } from '../compliance/kept.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { despiteDeadlocks } from '../db/connection/transaction.js';
import { rowsSql } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { askingLimits, type RequestState } from '../domain/document-requests.js';
import { badField, GatewayError } from '../domain/errors.js';
import { check, limits, rules } from '../domain/rules.js';
import type { Holder } from '../items/holders.js';
import { listCondition } from '../records/lists/filter.js';
import { load } from '../records/loaders.js';
import { askIn, requestRules, translated } from './ask.js';
import { type DocumentRequest, documentRequests } from './document-requests.js';

/** Values of a request for a document, as a caller sends them. */
type Wanted = z.input<typeof requestRules>;

/** Rules of the gaps that are asked for. */
export const gapsRules = z.object({
  requirementIds: z.array(rules.requiredUuid).max(limits.entries).nullish(),
  holderIds: z.array(rules.requiredUuid).max(askingLimits.atOnce).nullish(),
});

/** Rules of many requests. Each request is checked on its own. */
export const manyRules = z.object({
  message: requestRules.shape.message,
  language: requestRules.shape.language,
  dueOn: requestRules.shape.dueOn,
  gaps: gapsRules.nullish(),
});

/** Rules of a request for many, as callers read them. */
export const sentRules = manyRules.extend({
  requests: z.array(requestRules).max(askingLimits.atOnce).nullish(),
});

/** Many requests for documents: each of them, or what records lack. */
export interface ManyRequests extends Omit<z.input<typeof manyRules>, 'gaps'> {
  readonly requests?: readonly Wanted[] | null | undefined;
  readonly gaps?:
    | {
        readonly filter?: object | null;
        readonly requirementIds?: readonly string[] | null;
        readonly holderIds?: readonly string[] | null;
      }
    | null
    | undefined;
}

/** A request that was not made, and why. */
export interface RefusedRequest {
  /** Its place in `requests`. Null for a gap. */
  readonly index: number | null;
  readonly wanted: Wanted;
  readonly error: GatewayError;
}

/** Result of many requests. */
export interface MadeRequests {
  readonly created: readonly DocumentRequest[];
  readonly refused: readonly RefusedRequest[];
}

/** A request to be made. Without a recipient, nobody is known who could be asked. */
interface Planned {
  readonly index: number | null;
  readonly wanted: Wanted;
}

/** Requests that one transaction makes. */
const atOnce = 50;

/** Finds the contact who is asked for the papers of a record. */
export async function contactOf(session: Session, { kind, id }: Holder): Promise<string | null> {
  if (kind === 'contact') return id;
  if (kind === 'vehicle') return (await load(session, kind, id))?.assignedToContactId ?? null;
  if (kind === 'company') return (await load(session, kind, id))?.primaryContactId ?? null;
  return null;
}

/** Plans the request for a gap. It asks for the renewal of the best paper, or for one of the first type. */
async function planGap(session: Session, holder: Holder, gap: AnsweredCheck): Promise<Wanted | undefined> {
  const { kind: holderKind, id: holderId } = holder;
  const requirement = await load(session, 'requirement', gap.requirementId);
  const item = gap.itemId ? await load(session, 'expirationItem', gap.itemId) : null;
  const [categoryId] = requirement?.anyOf ?? [];
  const subject = item ? { expirationItemId: item.id } : categoryId && { categoryId };
  if (!subject) return undefined;
  const recipientId = (await contactOf(session, holder)) ?? item?.contactId ?? null;
  const { requirementId } = gap;
  return { ...subject, holderKind, holderId, requirementId, ...(recipientId && { recipientId }) };
}

/** Plans requests for what records lack, the worst first. */
async function planGaps(
  session: Session,
  { filter, requirementIds, holderIds }: NonNullable<ManyRequests['gaps']>,
) {
  const own = await listCondition(compliances, filter ?? {}, session);
  const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase());
  const where = {
    AND: [
      own,
      { urgency: { lt: urgenciesOf('COMPLIANT').gte } },
      ...(holderIds ? [{ holderId: { in: lower(holderIds) } }] : []),
      ...(requirementIds ? [{ OR: lower(requirementIds).map((id) => ({ gapIds: { has: id } })) }] : []),
    ],
  };
  const rows = await compliances.rows.list(session, {
    where,
    orderBy: [{ urgency: 'asc' }, { id: 'asc' }],
    take: askingLimits.atOnce + 1,
  });
  const among = requirementIds && new Set(lower(requirementIds));
  const plans = rows.map(async (row) => {
    const holder = { kind: keptKind(row), id: holderIdOf(row) };
    const { gaps } = await complianceOf(session, holder.kind, holder.id);
    const asked = gaps.filter(({ requirementId }) => !among || among.has(requirementId));
    return Promise.all(asked.map((gap) => planGap(session, holder, gap)));
  });
  const planned = (await Promise.all(plans)).flat();
  return planned.flatMap((wanted): Planned[] => (wanted ? [{ index: null, wanted }] : []));
}

const nobody = () =>
  badField(['recipientId'], 'is missing: nobody is known who could be asked for it', 'required');

/**
 * Makes many requests. Those that cannot be made are returned with the reason, and the others are made.
 * @throws GatewayError BAD_REQUEST for invalid values of all of them, and for more than can be made at once
 */
export async function createDocumentRequests(session: Session, input: ManyRequests): Promise<MadeRequests> {
  const { message, language, dueOn } = check(manyRules, input as z.input<typeof manyRules>);
  const common = {
    ...(message !== null && { message }),
    ...(language !== null && { language }),
    ...(dueOn !== null && { dueOn: input.dueOn }),
  };
  const planned: Planned[] = [
    ...(input.requests ?? []).map((wanted, index) => ({ index, wanted })),
    ...(input.gaps ? await planGaps(session, input.gaps) : []),
  ];
  if (planned.length > askingLimits.atOnce) {
    const member = input.gaps ? 'gaps' : 'requests';
    throw badField([member], `may ask for at most ${askingLimits.atOnce} documents at once`, 'entries');
  }
  const [created, refused]: [DocumentRequest[], RefusedRequest[]] = [[], []];
  for (let at = 0; at < planned.length; at += atOnce) {
    const some = planned.slice(at, at + atOnce);
    const results = await despiteDeadlocks(() =>
      session.inTransaction(async (tx) => {
        const made: (DocumentRequest | GatewayError)[] = [];
        for (const { wanted } of some) {
          const own = Object.fromEntries(
            Object.entries(wanted).filter(([, value]) => value != null),
          ) as Wanted;
          const one = tx.inTransaction(async (part) => {
            if (!own.recipientId && !own.email) throw nobody();
            return askIn(part, session, check(requestRules, { ...common, ...own }));
          });
          made.push(
            await translated(one).catch((error) => {
              if (error instanceof GatewayError) return error;
              throw error;
            }),
          );
        }
        return made;
      }),
    );
    for (const [place, result] of results.entries()) {
      const one = some[place];
      if (!(result instanceof GatewayError)) created.push(result);
      else if (one) refused.push({ ...one, error: result });
    }
  }
  return { created, refused };
}

/** Number of requests in a state. */
export interface RequestCount {
  readonly state: RequestState;
  readonly count: number;
  /** Number of those whose day has passed. */
  readonly overdue: number;
}

/** Counts the requests that the caller sees by state. */
export async function countRequests(session: Session, filter: object): Promise<RequestCount[]> {
  const where = await listCondition(documentRequests, filter, session);
  const statement = sql`
    SELECT record.state::text AS state, count(*)::int AS count,
      count(*) FILTER (WHERE record.state IN ('OPEN', 'SENT', 'OPENED') AND record.due_on < (${session.now}::timestamptz)::date)::int AS overdue
    ${rowsSql(session, 'DocumentRequest', where, { isList: true })} GROUP BY record.state ORDER BY record.state`;
  return session.read<RequestCount>(prepared('document_requests.counts', statement, true));
}

/** Finds which of some addresses get no mails. Their order stays. */
export async function findStopped(session: Session, addresses: readonly string[]): Promise<string[]> {
  const { caller, now } = session;
  const statement = sql`
    SELECT sent.address FROM unnest(${[...addresses]}::text[]) WITH ORDINALITY AS sent (address, place)
    WHERE EXISTS (
      SELECT FROM suppressions WHERE organization_id = ${caller.organizationId}::uuid
        AND address_key = natural_key(sent.address) AND scope = 'ALL' AND (until IS NULL OR until > ${now}::timestamptz))
    ORDER BY sent.place`;
  const rows = await session.lookUp<{ address: string }>(prepared('suppressions.of_addresses', statement));
  return rows.map(({ address }) => address);
}
