import { columns } from '../../../prisma/generated/columns.js';
import { type Caller, may, seesAllTeams, signInLinkSubject } from '../../domain/caller.js';
import {
  byKind,
  type ModelName,
  type ModelRow,
  models,
  type RecordKind,
  type Scope,
  signInEventTypes,
} from '../../domain/models.js';

/** Table of models by Prisma's names. It does not compile if a model of the schema is missing. */
export const modelInfo: Readonly<Record<keyof typeof columns, ModelRow>> = models;

// It does not compile either if the table has a row without a model.
columns satisfies Record<ModelName, object>;

/** Table names by record kind. */
export const tables = byKind<RecordKind, string>(({ noun, table }) => (noun ? table : undefined));

/** Kinds of records, in order of precedence. If two records have the same id, the first kind wins. */
export const recordKinds = Object.keys(tables) as RecordKind[];

/** Public names of the record kinds. */
export const recordNames = byKind<RecordKind, string>(({ noun }) => noun);

/** Returns the Prisma model of a record kind, which is also its GraphQL type. */
export function modelName<Kind extends RecordKind>(kind: Kind): Capitalize<Kind> & ModelName {
  // The compiler understands `Capitalize`, but not the code that does it.
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}` as Capitalize<Kind> & ModelName;
}

/** A session or transaction, which has a caller. */
export interface OfCaller {
  readonly caller: Caller;
  /** True if the caller's only workspace has very many rows. */
  readonly seesMuch?: boolean;
  /** True if row-level security applies to the caller's statements. */
  readonly rowSecurity?: boolean;
}

/** Returns whether row-level security has a view of a model's rows. Those of parts and memberships depend on other rows. */
export const hasView = ({ noun, partOf }: ModelRow): boolean => noun !== undefined && partOf === undefined;

/**
 * Returns the name of a model's view of the rows that a caller may access. Each is one column, `whole`
 * (`db/row-security/policies.ts`).
 */
export const viewName = (model: ModelName): string => `caller_sees_${modelInfo[model].table}`;

type Filter = Record<string, unknown>;

/**
 * Returns the condition on a column that has one of some values. The form for a single row lets PostgreSQL keep its
 * plan; planning took a quarter of the time of a change.
 */
export function oneOrMany<Id>(ids: readonly Id[]): Id | { readonly in: readonly Id[] } {
  const [id, ...others] = ids;
  return id !== undefined && others.length === 0 ? id : { in: ids };
}

const ofOrganization = (caller: Caller): Filter => ({ organizationId: caller.organizationId });

/**
 * Limits rows to the caller's workspaces. An admin sees all workspaces, so listing them would only slow the
 * query.
 */
const ofTeams = (caller: Caller): Filter =>
  seesAllTeams(caller)
    ? ofOrganization(caller)
    : { ...ofOrganization(caller), teamId: { in: caller.teamIds } };

/** Conditions on the rows that a caller may access, by scope. */
const filters: Readonly<Record<Scope, (caller: Caller) => Filter>> = {
  workspace: ofTeams,
  organization: ofOrganization,
  'own organization': (caller) => ({ id: caller.organizationId }),
  'own workspaces': (caller) => ({ ...ofOrganization(caller), id: { in: caller.teamIds } }),
  'own members': ({ teamIds }) => ({ teamId: { in: teamIds } }),
};

/**
 * Conditions that hide the sign-ins of others. They are their own business, and that of administrators, who
 * look after the gateway.
 */
const signInFilters: Readonly<Partial<Record<ModelName, (userId: string) => Filter>>> = {
  EventLog: (userId) => ({ OR: [{ typeId: { notIn: signInEventTypes } }, { userId }] }),
  Delivery: () => ({ subjectKind: { notIn: [signInLinkSubject] } }),
};

/** Returns the condition that hides the sign-ins of others. The gateway itself sees all. */
const hideSignIns = ({ role, user }: Caller, model: ModelName): Filter =>
  user.id === null || may(role, 'administer') ? {} : (signInFilters[model]?.(user.id) ?? {});

/** Returns the condition on a model's rows that a caller may access. */
export function scopeOf(caller: Caller, model: ModelName): Filter {
  const { scope, partOf } = modelInfo[model];
  // A part belongs to whoever may access its record.
  if (partOf) return { [partOf.relation]: scopeOf(caller, partOf.record) };
  return { ...filters[scope](caller), ...hideSignIns(caller, model) };
}

/**
 * Returns the same condition for a list. For several workspaces, PostgreSQL's kept plan expects ten of average
 * size, and may read all of the organization's rows, so a caller's only workspace has its own form. In it, no index is
 * used for the organization, unless the workspace is most of it: PostgreSQL would read the index of the whole organization
 * beside that of the workspace.
 */
export function listScopeOf({ caller, seesMuch = false }: OfCaller, model: ModelName): Filter {
  const scope = scopeOf(caller, model);
  if (!('teamId' in scope)) return scope;
  const ofTeam = { ...scope, teamId: oneOrMany(caller.teamIds) };
  const isHidden = caller.teamIds.length === 1 && !seesMuch && 'organizationId' in scope;
  return isHidden ? { ...ofTeam, organizationId: { same: caller.organizationId } } : ofTeam;
}

/**
 * Returns the same condition for rows that are found by their ids. No index serves it.
 * PostgreSQL's kept plan expects an organization of average size, and may read all of its rows instead of those few.
 */
export function lookUpScopeOf(caller: Caller, model: ModelName): Filter {
  const { organizationId, teamId, ...others } = scopeOf(caller, model);
  return {
    ...others,
    ...(organizationId === undefined ? {} : { organizationId: { same: organizationId } }),
    ...(teamId === undefined ? {} : { teamId: { sameAsOne: caller.teamIds } }),
  };
}

/** Returns whether a caller sees one workspace alone. */
export const seesOneTeam = (caller: Caller): boolean => !seesAllTeams(caller) && caller.teamIds.length === 1;

function refuse(what: string): never {
  // This is an internal error: nothing that a caller sends can lead here.
  throw new Error(`${what} cannot be scoped.`);
}

/**
 * Throws if a write puts a row where its writer may not see it. A part needs no check: the write that creates
 * it locks its record, and it never moves to another record.
 */
export function checkWriteScope(
  model: ModelName,
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
