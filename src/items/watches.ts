import * as z from 'zod';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition, RowOf } from '../db/sql/conditions.js';
import { recordNames } from '../db/sql/models.js';
import { forbidden, may, personOf } from '../domain/caller.js';
import { badField } from '../domain/errors.js';
import type { RecordKind } from '../domain/models.js';
import { isUuid, rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { exposedInGraphql, link } from '../records/declare/fields.js';
import { findLinked } from '../records/loaders.js';
import type { Write } from '../records/resource.js';
import { type HolderKind, holderKinds } from './holders.js';

/** Items that a watch is narrowed to. What is left out does not narrow, and each that is there does. */
export interface WatchedItems {
  readonly categoryIds?: readonly string[] | null;
  readonly locationId?: string | null;
  readonly tagIds?: readonly string[] | null;
  readonly contactTypeId?: string | null;
  readonly contactIds?: readonly string[] | null;
}

/** Records that a watch is narrowed to whose makers are told when they lack something. */
export interface WatchedHolders {
  readonly kind?: HolderKind | null;
  readonly requirementIds?: readonly string[] | null;
  readonly locationId?: string | null;
  readonly term?: string | null;
}

/** Kinds of records that the members of a watch's filters name. */
const watchedKinds = {
  filter: {
    categoryIds: 'category',
    locationId: 'location',
    tagIds: 'tag',
    contactTypeId: 'contactType',
    contactIds: 'contact',
  } satisfies Record<keyof WatchedItems, RecordKind>,
  holders: { requirementIds: 'requirement', locationId: 'location' } satisfies Partial<
    Record<keyof WatchedHolders, RecordKind>
  >,
} as const;

/** Returns the members of a filter that narrow. No others are stored. */
const narrowing = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));

const listRule = rules.uuids.transform((ids) => (ids.length > 0 ? ids : undefined));
const idRule = rules.uuid.transform((id) => id ?? undefined);

const watchedRule = z
  .object({
    categoryIds: listRule,
    locationId: idRule,
    tagIds: listRule,
    contactTypeId: idRule,
    contactIds: listRule,
  })
  .nullish()
  .transform((given): WatchedItems => narrowing(given ?? {}));

const holdersRule = z
  .object({
    kind: z.enum(holderKinds).nullish(),
    requirementIds: listRule,
    locationId: idRule,
    term: rules.line,
  })
  .nullish()
  .transform((given): WatchedHolders | null => (given ? narrowing(given) : null));

/**
 * Checks that a caller watches for itself. For others only admins do: whoever watches is written to.
 * @throws GatewayError FORBIDDEN
 */
function checkWatcher({ caller }: Transaction, { userId }: { readonly userId: unknown }): void {
  if (userId !== caller.user.id && !may(caller.role, 'administer')) throw forbidden(caller.role);
}

/**
 * Decides who is notified: a user or a contact, whichever is new. It stays who it was where neither is named, and is the
 * caller in the beginning.
 * @throws GatewayError BAD_REQUEST when both are given
 */
function whoIsTold(input: Condition, current: Condition | undefined, callerId: string): Condition {
  if (current && input.userId === undefined && input.contactId === undefined) {
    return { userId: current.userId, contactId: current.contactId };
  }
  const { userId = null, contactId = null } = input;
  if (contactId === null) return { userId: userId ?? callerId };
  const isNewUser = userId !== null && userId !== (current?.userId ?? null);
  const isNewContact = contactId !== (current?.contactId ?? null);
  if (isNewUser && isNewContact) throw badField(['contactId'], 'must be left out where a user is told');
  if (isNewUser) return { contactId: null };
  return isNewContact ? { userId: null } : {};
}

/** Checks who is told now. Of one who is not there, that is said, whoever asks. */
async function checkTold(tx: Transaction, { userId, contactId }: Condition): Promise<void> {
  const [kind, id] =
    typeof userId === 'string' ? (['user', userId] as const) : (['contact', contactId] as const);
  if (typeof id !== 'string' || !isUuid(id) || !(await findLinked(tx, kind, id.toLowerCase()))) return;
  checkWatcher(tx, { userId: kind === 'user' ? id.toLowerCase() : null });
}

type Members = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** Checks that all records exist that a watch is narrowed to. Those that it has already may be gone by now. */
async function checkWatched(
  { tx, problems }: Write,
  field: keyof typeof watchedKinds,
  given: Members,
  known: Members,
): Promise<void> {
  // What is against the rules is told by them.
  if (!{ filter: watchedRule, holders: holdersRule }[field].safeParse(given).success) return;
  const named = Object.entries<RecordKind>(watchedKinds[field]).flatMap(([member, kind]) => {
    const ids = given[member];
    const before = new Set([known[member] ?? []].flat());
    return [ids ?? []]
      .flat()
      .map((id, index) => ({ id, path: [field, member, ...(Array.isArray(ids) ? [index] : [])], kind }))
      .filter(({ id }) => typeof id === 'string' && isUuid(id) && !before.has(id.toLowerCase()));
  });
  const found = await Promise.all(named.map(({ id, kind }) => findLinked(tx, kind, id.toLowerCase())));
  for (const [index, { path, kind }] of named.entries()) {
    if (!found[index]) problems.add(path, `names no ${recordNames[kind]} that exists`, 'reference');
  }
}

const hasMembers = (filter: unknown) => Object.values(filter ?? {}).some((value) => value != null);

/** Checks both filters of a watch, of which only one can be used. */
async function checkFilters(write: Write, input: Condition, current: Condition | undefined): Promise<void> {
  const holders = input.holders === undefined ? current?.holders : input.holders;
  const filter = input.filter === undefined ? current?.filter : input.filter;
  if (holders && hasMembers(filter)) throw badField(['filter'], 'must be left out where records are watched');
  for (const field of ['filter', 'holders'] as const)
    await checkWatched(write, field, (input[field] ?? {}) as Members, (current?.[field] ?? {}) as Members);
}

/** Watches: users and contacts who are notified about items, or about records that lack something. */
export const watches = declareResource('Watch', {
  fields: {
    id: exposedInGraphql(),
    name: exposedInGraphql(rules.line),
    userId: exposedInGraphql(rules.uuid, {
      sent: 'The user to notify. Default: the caller, unless a contact is given. Only an admin can change the watches of others.',
    }),
    user: link('userId', 'The user to notify.', {
      hasNone: false,
      list: 'The watches that notify the user.',
    }),
    contactId: exposedInGraphql(rules.uuid, {
      sent: 'The contact to notify instead of a user. Only an admin can set it.',
    }),
    contact: link('contactId', 'The contact to notify, if the caller may see it.', {
      hasNone: false,
      list: 'The watches that notify the contact.',
    }),
    filter: exposedInGraphql(watchedRule, {
      type: 'WatchedItems',
      description: 'Which items are watched.',
      sent: 'Which items are watched. If omitted, all items are.',
    }),
    holders: exposedInGraphql(holdersRule, {
      type: 'WatchedHolders',
      description:
        'Which records are watched, if the watch is about those that lack something they must have, and not about items.',
      sent: 'Which records are watched, if the watch is about those that lack something they must have. Items are not watched then. With `{}`, all records are.',
    }),
    isActive: exposedInGraphql(rules.flag(true)),
    teamId: exposedInGraphql(rules.uuid),
    team: link('teamId', 'The workspace whose items are watched.', {
      list: 'The watches of the workspace.',
    }),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    teamId: 'Watches in this workspace.',
    userId: 'Watches that notify this user.',
    contactId: 'Watches that notify this contact.',
    isActive: 'If true, only watches in use. If false, only those not in use.',
  },
  retired: { field: 'isActive', when: false },
  indexed: ['name'],
  title: (watch) => watch.name,
  resolve: async (write, input, current) => {
    const { tx, session } = write;
    const resolved = { ...input, ...whoIsTold(input, current, personOf(session.caller).id) };
    if (current) checkWatcher(tx, { userId: current.userId });
    await checkTold(tx, resolved);
    await checkFilters(write, input, current);
    return resolved;
  },
  checkOwner: (tx, watch) => checkWatcher(tx, watch as RowOf<'Watch'>),
});
