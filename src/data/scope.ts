import type { Caller } from '../domain/roles.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';

/** On whose behalf, when, and on what condition a request works on the data. */
export interface Session {
  readonly caller: Caller;
  /** The time of the request. */
  readonly now: Date;
  /** Whether a record's version is one that the caller's `If-Match` allows to be changed. */
  readonly precondition?: ((version: string) => boolean) | undefined;
}

/** A client that reads and writes nothing but what its caller may see. */
export type ScopedClient = PrismaClient;
/** A scoped client inside a transaction. */
export type Transaction = Prisma.TransactionClient;

const clients = new WeakMap<Session, ScopedClient>();

/** The scoped client of a session: the only way from a request to the database. */
export function dbOf(session: Session): ScopedClient {
  const client = clients.get(session);
  if (!client) throw new Error('This session was not opened.');
  return client;
}

/** Opens a session: from here on, nothing of the request reaches beyond its caller. */
export function openSession(prisma: PrismaClient, session: Session): Session {
  clients.set(session, scoped(prisma, session.caller));
  return session;
}

type Filter = Record<string, unknown>;

const ofOrganization = (caller: Caller): Filter => ({ organizationId: caller.organizationId });

/** An admin's workspaces are all of the organization's, so naming them would only slow the reading down. */
const ofTeams = (caller: Caller): Filter =>
  caller.role === 'ADMIN'
    ? ofOrganization(caller)
    : { ...ofOrganization(caller), teamId: { in: caller.teamIds } };

const through = (relation: string, filter: (caller: Caller) => Filter) => (caller: Caller) => ({
  [relation]: filter(caller),
});

/** Which rows of each model a caller may touch. A new model does not compile until it has its line here. */
const filters: Record<Prisma.ModelName, (caller: Caller) => Filter> = {
  Organization: (caller) => ({ id: caller.organizationId }),
  Team: (caller) => ({ ...ofOrganization(caller), id: { in: caller.teamIds } }),
  User: ofOrganization,
  AccessToken: ofOrganization,
  Membership: through('team', ofOrganization),
  Attachment: ofTeams,
  AttachmentContent: through('attachment', ofTeams),
  Category: ofTeams,
  Company: ofTeams,
  Contact: ofTeams,
  ContactType: ofTeams,
  EventLog: ofTeams,
  EventLogEntity: through('event', ofTeams),
  ExpirationItem: ofTeams,
  ExpirationItemContact: through('item', ofTeams),
  ExpirationItemLocation: through('item', ofTeams),
  ExpirationItemTag: through('item', ofTeams),
  Location: ofTeams,
  Note: ofTeams,
  NoteRelation: through('note', ofTeams),
  Renewal: ofTeams,
  Tag: ofTeams,
  UploadNotification: ofTeams,
  Vehicle: ofTeams,
};

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
}

/** Adds the caller's filter to an operation's `where`, beside the caller's own conditions. */
function narrow(args: Arguments, filter: Filter): Arguments {
  const { AND: others, ...where } = args.where ?? {};
  const all = others === undefined ? [filter] : [filter, ...[others].flat()];
  return { ...args, where: { ...where, AND: all } };
}

/** A row may only be put where its writer sees it again. A row that would not is a fault of ours, not of the caller. */
function checkPlace(row: Filter, caller: Caller): void {
  const { organizationId, teamId } = row;
  if (organizationId !== undefined && organizationId !== caller.organizationId) {
    throw new Error('A write outside of the organization was refused.');
  }
  if (typeof teamId === 'string' && !caller.teamIds.includes(teamId)) {
    throw new Error('A write outside of the workspaces was refused.');
  }
}

function scoped(prisma: PrismaClient, caller: Caller): ScopedClient {
  const client = prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const given = args as Arguments;
          for (const row of [given.data ?? []].flat()) checkPlace(row, caller);
          if (inserting.has(operation)) return query(args);
          if (!filtered.has(operation)) throw new Error(`${operation} cannot be scoped.`);
          return query(narrow(given, filters[model](caller)) as typeof args);
        },
      },
    },
  });
  // The extension changes what is asked, not the shape of any argument or answer; its own inferred type is
  // slow to check and says the same.
  return client as unknown as ScopedClient;
}
