import type { Caller } from '../../domain/caller.js';
import { Kept } from '../../domain/kept.js';
import type { Scope } from '../../domain/models.js';
import type { Precondition } from '../../domain/versions.js';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.js';
import { sendIn } from '../connection/begin.js';
import { eachBegun } from '../connection/connections.js';
import type { Database } from '../connection/database.js';
import { replicaOf } from '../replica/replica.js';
import type { Secrets } from '../secrets/secrets.js';
import { rowOf } from './models.js';

/** On whose behalf, when, and on what condition a request works on the data. */
export interface Session {
  readonly caller: Caller;
  /** The time of the request. */
  readonly now: Date;
  /** The caller's condition on the versions of records that are changed. */
  readonly precondition?: Precondition | undefined;
  /** Keeps the secrets that a request makes. */
  readonly secrets?: Secrets;
  /** The caller's token, as it was sent: what is encrypted with it, nobody else can read. */
  readonly bearer?: string;
}

/** A client that reads and writes nothing but what its caller may see. */
export type ScopedClient = PrismaClient;
/** A scoped client inside a transaction. */
export type Transaction = Prisma.TransactionClient;

interface Opened {
  /** Not a copy of it, which has all that is kept with it. */
  readonly of: Session;
  readonly whole: Database;
  /** Made when it is asked for, as it is not cheap. */
  scoped?: ScopedClient;
  /** The transaction that all of the session's work is a part of, while there is one. */
  around?: Transaction;
}

const opened = new Kept<Session, Opened>();

function openedOf(session: Session): Opened {
  const clients = opened.get(session);
  if (clients?.of !== session) throw new Error('This session was not opened.');
  return clients;
}

/** The scoped client of a session: the only way from a request to the database. */
export function dbOf(session: Session): ScopedClient {
  const clients = openedOf(session);
  // It lacks what opens and closes connections, and nothing else.
  if (clients.around) return clients.around as ScopedClient;
  const own = ownOf(session);
  const client = scopedOf(session);
  return own === clients.whole ? client : eachBegun(client, own.transaction);
}

/** The scoped client of a session, whatever transaction is around it. */
export function scopedOf(session: Session): ScopedClient {
  const clients = openedOf(session);
  clients.scoped ??= scoped(clients.whole.prisma, session.caller);
  return clients.scoped;
}

/**
 * The database that a session was opened on, which shows everything: only for what joins the rows of several sessions
 * in one statement, each under the organization and workspace of its own caller.
 */
export function wholeOf(session: Session): Database {
  return openedOf(session).whole;
}

/** The database as it is for a session's own statements. */
export const ownOf = (session: Session) => wholeOf(session).as(session.caller);

/** The transaction that all of a session's work is a part of, if there is one. */
export function transactionAround(session: Session): Transaction | undefined {
  return openedOf(session).around;
}

/**
 * Makes all that a session does while `work` runs a part of a transaction.
 * @param tx a transaction of the session's own client
 */
export async function within<T>(session: Session, tx: Transaction, work: () => Promise<T>): Promise<T> {
  const clients = openedOf(session);
  clients.around = tx;
  try {
    return await work();
  } finally {
    delete clients.around;
  }
}

/** Sends a statement and gives its rows. */
export type Reader = <Row>(statement: Prisma.Sql) => Promise<Row[]>;

/**
 * What reads for a session without Prisma's client, which takes ten times as long: for statements that say whose rows
 * they read (`rowsSql` in sql.ts).
 * @param tx the transaction that they are sent in, unless it is the one around the session
 * @param isLast whether it is the last statement of the work in the transaction
 */
export function readerOf(session: Session, tx?: Transaction, isLast?: boolean): Reader {
  const around = tx ?? transactionAround(session);
  if (around) return async ({ text, values }) => (await sendIn(around, text, values, isLast)).rows;
  const database = ownOf(session);
  return ({ text, values }) => database.query(text, values);
}

/** `readerOf` for what is found by keys, and so at once: what is asked for in one turn shares a connection. */
export function lookUpOf(session: Session): Reader {
  const around = transactionAround(session);
  if (around) return readerOf(session, around);
  const database = ownOf(session);
  return ({ text, values }) => database.query(text, values, session);
}

/** Opens a session: from here on, nothing of the request reaches beyond its caller. */
export function openSession(database: Database, session: Session): Session {
  opened.set(session, { of: session, whole: database });
  return session;
}

/** Has a session that does nothing but read do so on a replica, where there is one that suits its caller. */
export function readFromReplica(session: Session): void {
  const replica = replicaOf(wholeOf(session));
  if (replica?.suits(session.caller, session.now))
    opened.set(session, { of: session, whole: replica.database });
}

/**
 * Lets a session reach a workspace that it has just made: the rest of the request may use it. Were the making to be
 * undone, the session would reach for nothing.
 */
export function reach({ caller }: Session, teamId: string): void {
  (caller.teamIds as string[]).push(teamId);
}

type Filter = Record<string, unknown>;

const ofOrganization = (caller: Caller): Filter => ({ organizationId: caller.organizationId });

/** An admin's workspaces are all of the organization's, so naming them would only slow the reading down. */
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

/** The condition on the rows of a model that a caller may touch. */
export function scopeOf(caller: Caller, model: Prisma.ModelName): Filter {
  const { scope, partOf } = rowOf[model];
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
 * Filters are put on the rows of one model, so a relation would lead beyond them: records are linked by their
 * ids, and what is linked is loaded by a query of its own.
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
 * A row may only be put where its writer sees it again. A part is made by the write that holds the lock of its
 * record, and never becomes another record's.
 */
export function checkPlace(model: Prisma.ModelName, operation: string, row: Filter, caller: Caller): void {
  if (model === 'Organization' && inserting.has(operation)) refuse('A new organization');
  const { partOf } = rowOf[model];
  if (partOf && !inserting.has(operation) && `${partOf.relation}Id` in row) refuse('A part of a record');
  const { organizationId = caller.organizationId, teamId } = row;
  if (organizationId !== caller.organizationId) refuse('A write outside of the organization');
  if (teamId === undefined || teamId === null) return;
  if (typeof teamId !== 'string' || !caller.teamIds.includes(teamId)) {
    refuse('A write outside of the workspaces');
  }
}

function scoped(prisma: PrismaClient, caller: Caller): ScopedClient {
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
