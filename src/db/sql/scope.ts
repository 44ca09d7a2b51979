import type { Caller } from '../../domain/caller.js';
import type { Scope } from '../../domain/models.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { modelInfo } from './models.js';

/** A holder of a caller: a session or its transaction. */
export interface OfCaller {
  readonly caller: Caller;
}

type Filter = Record<string, unknown>;

const ofOrganization = (caller: Caller): Filter => ({ organizationId: caller.organizationId });

/** Limits rows to the caller's workspaces. An admin's are all: to name them would only slow the query. */
const ofTeams = (caller: Caller): Filter =>
  caller.role === 'ADMIN'
    ? ofOrganization(caller)
    : { ...ofOrganization(caller), teamId: { in: caller.teamIds } };

/** Conditions on the rows that a caller may touch, by scope. */
const filters: Readonly<Record<Scope, (caller: Caller) => Filter>> = {
  workspace: ofTeams,
  organization: ofOrganization,
  'own organization': (caller) => ({ id: caller.organizationId }),
  'own workspaces': (caller) => ({ ...ofOrganization(caller), id: { in: caller.teamIds } }),
  'own members': ({ teamIds }) => ({ teamId: { in: teamIds } }),
};

/** Returns the condition on a model's rows that a caller may touch. */
export function scopeOf(caller: Caller, model: Prisma.ModelName): Filter {
  const { scope, partOf } = modelInfo[model];
  // A part is its record's caller's.
  return partOf ? { [partOf.relation]: scopeOf(caller, partOf.record) } : filters[scope](caller);
}

function refuse(what: string): never {
  // A fault of ours, not of the caller: nothing that a caller sends can lead here.
  throw new Error(`${what} cannot be scoped.`);
}

/**
 * Throws if a write puts a row where its writer may not see it. A part is made by the write that holds the lock of its
 * record, and never becomes another record's.
 */
export function checkPlace(
  model: Prisma.ModelName,
  operation: 'insert' | 'update',
  row: Filter,
  caller: Pick<Caller, 'organizationId' | 'teamIds'>,
): void {
  if (model === 'Organization' && operation === 'insert') refuse('A new organization');
  const { partOf } = modelInfo[model];
  if (partOf && operation === 'update' && `${partOf.relation}Id` in row) refuse('A part of a record');
  const { organizationId = caller.organizationId, teamId } = row;
  if (organizationId !== caller.organizationId) refuse('A write outside of the organization');
  if (teamId === undefined || teamId === null) return;
  if (typeof teamId !== 'string' || !caller.teamIds.includes(teamId)) {
    refuse('A write outside of the workspaces');
  }
}
