import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { recordsSql } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import { isLacking, type RequirementState, requirementStates } from '../domain/compliance.js';
import { badField } from '../domain/errors.js';
import { check, newId, rules } from '../domain/rules.js';
import { load } from '../records/loaders.js';
import { appliesCondition, readApplies } from './applies.js';
import { evaluate, type HolderFacts, heldSql } from './ask.js';
import { decisiveRules } from './requirements.js';

/** The most records that a preview evaluates. Of more, these are chosen evenly. */
const maxEvaluated = 500;

/** Rules of a requirement that is previewed. */
export const previewRules = z.object({ id: rules.uuid, teamId: rules.uuid, ...decisiveRules });

/** Number of records for which a requirement would be in a state. */
export interface PreviewCount {
  readonly state: RequirementState;
  readonly count: number;
}

/** The meaning that a requirement would have today. */
export interface RequirementPreview {
  /** Records that it would apply to. */
  readonly count: number;
  /** Records among them that were evaluated. */
  readonly evaluated: number;
  /** Records among those that would be non-compliant because of it. */
  readonly nonCompliant: number;
  readonly counts: readonly PreviewCount[];
}

/**
 * Says what a requirement would mean today, without storing it. Its cost is bounded, however many records there are.
 * @throws GatewayError BAD_REQUEST like saving it
 */
export async function previewRequirement(session: Session, input: object): Promise<RequirementPreview> {
  const { id, applies, holderKind: kind, ...rule } = check(previewRules, input);
  const stored = await (id && load(session, 'requirement', id));
  if (id && !stored) throw badField(['id'], 'names no requirement that exists', 'reference');
  const teamId = rule.teamId ?? (stored || session.caller.user).teamId;
  if (!(await load(session, 'team', teamId)))
    throw badField(['teamId'], 'names no workspace that exists', 'reference');
  const known = new Set(stored ? stored.anyOf : []);
  const found = await Promise.all(
    rule.anyOf.map((type) => known.has(type) || load(session, 'category', type)),
  );
  for (const [index, type] of found.entries())
    if (!type) throw badField(['anyOf', index], 'names no document type that exists', 'reference');
  const filter = readApplies(kind, JSON.parse(JSON.stringify(applies)), ['applies']);
  const matching = await appliesCondition(session, kind, filter);
  const concerned = recordsSql(session, kind, { AND: [{ teamId }, matching] });
  // The ids are as good as random, but their order is that of time. A hash is in no order.
  const chosen = sql`
    SELECT ${heldSql(kind, sql`${rule.anyOf}::uuid[]`)} ${recordsSql(session, kind, {})} AND record.id = ANY(ARRAY(
      SELECT record.id ${concerned} ORDER BY md5(record.id::text) LIMIT ${raw(String(maxEvaluated))}))`;
  const [[total], facts] = await Promise.all([
    session.read<{ count: number }>(
      prepared('requirements.concerned', sql`SELECT count(*)::int AS count ${concerned}`, true),
    ),
    session.read<Omit<HolderFacts, 'rules'>>(prepared('requirements.preview', chosen, true)),
  ]);
  const rules = [{ ...rule, id: stored ? stored.id : newId(), name: '', applies: filter }];
  const states = facts.flatMap((held) => {
    const [state] = evaluate(kind, { ...held, rules }, session.now).checks;
    return state ? [state.state] : [];
  });
  const counts = requirementStates.map((state) => ({
    state,
    count: states.filter((other) => other === state).length,
  }));
  return {
    count: total?.count ?? 0,
    evaluated: facts.length,
    nonCompliant: states.filter(isLacking).length,
    counts: counts.filter(({ count }) => count > 0),
  };
}
