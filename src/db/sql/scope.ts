import type { Caller } from '../../domain/caller.js';
import type { Scope } from '../../domain/models.js';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.js';
import { modelInfo } from './models.js';

/** A client of Prisma's that reads and writes nothing but what its caller may see. */
export type ScopedClient = PrismaClient;

/** A holder of a caller: a session or its transaction. */
export interface OfCaller {
  readonly caller: Caller;
}

type Filter = Record<string, unknown>;

const ofOrganization = (caller: Caller): Filter => ({ organizationId: caller.organizationId });

/**
 * Limits rows to the caller's workspaces. An admin's are all of the organization's, so naming them would only slow
 * the query.
 */
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

/** Operations that find their rows by `where`. */
const filtered = new Set([
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'delete',
  'deleteMany',
]);
const inserting = new Set(['create', 'createMany', 'createManyAndReturn']);

interface Arguments {
  where?: Filter;
  data?: Filter | Filter[];
  select?: Filter;
  include?: Filter;
}

function refuse(what: string): never {
  // A fault of ours, not of the caller: nothing that a caller sends can lead here.
  throw new Error(`${what} cannot be scoped.`);
}

/**
 * Throws if a Prisma call uses relations. Filters apply to the rows of one model, and a relation would lead beyond
 * them. Linked records are loaded by their ids, in a query of their own.
 */
function checkRelations(model: Prisma.ModelName, { data, select, include }: Arguments): void {
  const columns = Prisma[`${model}ScalarFieldEnum`];
  if (include) refuse('A relation');
  for (const part of [select ?? {}, data ?? []].flat()) {
    if (!Object.keys(part).every((field) => Object.hasOwn(columns, field))) refuse('A relation');
  }
}

/** Adds the caller's filter to an operation's `where`, beside the caller's own conditions. */
function narrow(args: Arguments, filter: Filter): Arguments {
  const { AND: others, ...where } = args.where ?? {};
  const all = others === undefined ? [filter] : [filter, ...[others].flat()];
  return { ...args, where: { ...where, AND: all } };
}

/**
 * Throws if a write puts a row where its writer may not see it. A part is made by the write that holds its record's
 * lock, and never becomes another record's.
 */
export function checkPlace(model: Prisma.ModelName, operation: string, row: Filter, caller: Caller): void {
  if (model === 'Organization' && inserting.has(operation)) refuse('A new organization');
  const { partOf } = modelInfo[model];
  if (partOf && !inserting.has(operation) && `${partOf.relation}Id` in row) refuse('A part of a record');
  const { organizationId = caller.organizationId, teamId } = row;
  if (organizationId !== caller.organizationId) refuse('A write outside of the organization');
  if (teamId === undefined || teamId === null) return;
  if (typeof teamId !== 'string' || !caller.teamIds.includes(teamId)) {
    refuse('A write outside of the workspaces');
  }
}

/** Limits a Prisma client to a caller's rows, for a transaction that Prisma joins. */
export function scopedClient(prisma: PrismaClient, caller: Caller): ScopedClient {
  const client = prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const given = args as Arguments;
          checkRelations(model, given);
          for (const row of [given.data ?? []].flat()) checkPlace(model, operation, row, caller);
          if (inserting.has(operation)) return query(args);
          if (!filtered.has(operation)) refuse(operation);
          return query(narrow(given, scopeOf(caller, model)) as typeof args);
        },
      },
    },
  });
  // The extension changes what is asked, not the shape of any argument or answer; its own inferred type is
  // slow to check and says the same.
  return client as unknown as ScopedClient;
}
