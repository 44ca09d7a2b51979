import type { Session } from '../db/connection/session.js';
import { recordNames } from '../db/sql/models.js';
import type { Route } from '../domain/doors/route.js';
import { notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { load } from '../records/loaders.js';
import type { RouteVariables } from './sofa.js';

/**
 * Checks that the caller sees the record whose list is requested.
 * @throws GatewayError NOT_FOUND
 */
export async function checkOwner(session: Session, route: Route, { filter }: RouteVariables): Promise<void> {
  if (route.kind !== 'list' || !route.of) return;
  const id = String((filter as Record<string, unknown>)[`${route.of}Id`]);
  const owner = isUuid(id) && (await load(session, route.of, id.toLowerCase()));
  if (!owner) throw notFound(recordNames[route.of], id);
}
