import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition } from '../db/sql/conditions.js';
import { recordNames } from '../db/sql/models.js';
import { GatewayError, movedViolations, Violations } from '../domain/errors.js';
import { check, isNil, isUuid } from '../domain/rules.js';
import { findLinked } from './loaders.js';
import type { RecordValues, Resource, Write } from './resource.js';

/** Checks values by the resource's rules. An error of a reference names its path in the input. */
function checkValues(resource: Resource, values: object): Record<string, unknown> {
  try {
    return check(resource.rules, values);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw movedViolations(error, (violation) => {
      const reference = resource.references.find(({ field }) => field === violation.path[0]);
      return reference ? { ...violation, path: reference.path } : violation;
    });
  }
}

/** Checks that references lead to records that the caller may see. */
async function checkReferences(
  { tx, problems }: Write,
  { references }: Resource,
  values: Condition,
  current: RecordValues | undefined,
): Promise<void> {
  for (const { field, to, path } of references) {
    const sent = values[field];
    if (typeof sent !== 'string' || !isUuid(sent) || isNil(sent)) continue;
    const id = sent.toLowerCase();
    if (id === current?.[field]) continue;
    if (!(await findLinked(tx, to, id))) {
      problems.add(path, `names no ${recordNames[to]} that exists`, 'reference');
    }
  }
}

/** A custom field as a caller writes it, or as it is stored. */
interface NamedField {
  readonly id?: string | null;
  readonly name?: string | null;
}

/**
 * Gives custom fields without an id the id of the stored field of that name. This makes writing them
 * idempotent.
 */
function keepIds(input: Condition, current: RecordValues | undefined): Condition {
  const sent = input.customFields;
  const stored = current?.customFields;
  if (!Array.isArray(sent) || !Array.isArray(stored) || sent === stored) return input;
  const taken = new Set((sent as NamedField[]).map(({ id }) => id?.toLowerCase()));
  const free = (stored as NamedField[]).filter(({ id }) => id && !taken.has(id));
  const customFields = (sent as NamedField[]).map((field) => {
    if (field.id) return field;
    const at = free.findIndex(({ name }) => name === (field.name ?? null));
    return at === -1 ? field : { ...field, id: free.splice(at, 1)[0]?.id };
  });
  return { ...input, customFields };
}

/**
 * Starts looking up the references of an input, in one packet with other lookups. Their existence is checked
 * later.
 */
function lookAhead(
  tx: Transaction,
  resource: Resource,
  input: Condition,
  current: RecordValues | undefined,
): void {
  for (const { field, to } of resource.references) {
    const id = input[field];
    if (typeof id !== 'string' || !isUuid(id) || id === current?.[field]) continue;
    // Whoever awaits the lookup gets the error; this only avoids an unhandled rejection.
    findLinked(tx, to, id.toLowerCase()).catch(() => {});
  }
}

/**
 * Checks a caller's input: workspace, rules, and references to visible records.
 * @param current the record's values before, if it exists
 * @returns the values to store
 * @throws GatewayError BAD_REQUEST naming all invalid members
 */
export async function validateValues(
  tx: Transaction,
  session: Session,
  resource: Resource,
  input: object,
  current: RecordValues | undefined,
  isPatch = false,
): Promise<RecordValues> {
  const { caller } = session;
  const source = resource.writable.includes('teamId') ? (input as { teamId?: string | null }) : current;
  // A record stays in its workspace, unless another one is named.
  const wanted = source?.teamId?.toLowerCase() ?? current?.teamId ?? caller.user.teamId;
  const problems = new Violations(session.known);
  const isReached = caller.teamIds.includes(wanted);
  if (!isReached) {
    problems.add(['teamId'], 'must be the UUID of a workspace that you can write to', 'reference');
  }
  // Further checks need a workspace that exists.
  const teamId = isReached ? wanted : (current?.teamId ?? caller.user.teamId);
  const named = keepIds(isReached ? (input as Condition) : { ...input, teamId }, current);
  lookAhead(tx, resource, named, current);
  const write = { tx, session, teamId, problems, isPatch };
  const resolved = (await resource.resolve?.(write, named, current)) ?? named;
  const values = await problems.collect(() => checkValues(resource, resolved));
  await checkReferences(write, resource, values ?? resolved, current);
  problems.end();
  return { ...values, teamId };
}
