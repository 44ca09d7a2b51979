import { badField, GatewayError } from '../domain/errors.js';
import { check } from '../domain/rules.js';
import { findLinked, linkedNames } from './loaders.js';
import type { Condition, Resource, Values } from './resource.js';
import type { Session, Transaction } from './scope.js';

/** Checks values by the resource's rules; what is wrong with a reference is told of the place it is written at. */
function checkValues(resource: Resource, values: object): Record<string, unknown> {
  try {
    return check(resource.rules, values);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const reference = resource.references.find(({ field }) => field === error.fieldPath[0]);
    throw reference ? badField(reference.path, error.message) : error;
  }
}

/**
 * Checks what a caller writes: that it goes to a workspace of the caller's, keeps the resource's rules, and points
 * at records that the caller sees.
 * @param current the record's values before, if it exists
 * @returns the values to store
 * @throws GatewayError BAD_REQUEST naming the first member at fault
 */
export async function validated(
  tx: Transaction,
  session: Session,
  resource: Resource,
  input: object,
  current: Values | undefined,
): Promise<Values> {
  const { caller } = session;
  const placed = resource.fields.includes('teamId') ? (input as { teamId?: string | null }) : current;
  const wanted = placed?.teamId;
  const teamId = wanted?.toLowerCase() ?? caller.user.teamId;
  if (!caller.teamIds.includes(teamId)) {
    throw badField(['teamId'], 'must be the UUID of a workspace that you can write to');
  }
  const resolved = await resource.resolve?.({ tx, session, teamId }, input as Condition, current);
  const values = checkValues(resource, resolved ?? input);
  for (const { field, to, path } of resource.references) {
    const id = values[field];
    if (typeof id !== 'string' || id === current?.[field]) continue;
    if (!(await findLinked(tx, to, id))) throw badField(path, `names no ${linkedNames[to]} that exists`);
  }
  return { ...values, teamId };
}
