import type { Session } from '../../db/connection/session.js';
import type { Role } from '../../domain/roles.js';
import { loadAll, loadBatched } from '../../records/loaders.js';
import { teamIdsByUser } from '../../resources/users.js';
import { builder, typeOf } from '../builder.js';
import { needs } from '../execution/selection.js';

/** Roles of access tokens, as an enum. */
export const RoleEnum = builder.enumType('Role', {
  description: 'What a token may do.',
  values: {
    ADMIN: { description: 'Everything in the organization, including tokens.' },
    MEMBER: { description: 'Read and write in its workspaces.' },
    VIEWER: { description: 'Read in its workspaces.' },
    UPLOADER: { description: 'Only send upload notifications.' },
  } satisfies Record<Role, object>,
});

builder.objectField(typeOf('user'), 'teams', (t) =>
  t.field({
    type: [typeOf('team')],
    description: 'The workspaces of the user that the caller may see, sorted by name.',
    ...needs({}),
    resolve: async ({ id }, _args, { session }) =>
      teamsByName(session, await loadBatched(session, teamIdsByUser, id)),
  }),
);

/** Loads workspaces, ordered by their names. */
export async function teamsByName(session: Session, ids: readonly string[]) {
  const teams = await loadAll(session, 'team', ids);
  return teams.sort((a, b) => a.name.localeCompare(b.name));
}

/** A user as another record's input names it. */
export const UserReference = builder.inputType('UserReference', {
  description: 'A user of the organization.',
  fields: (t) => ({ id: t.id({ description: "The user's id. Null for nobody." }) }),
});

interface Assigning {
  readonly assignedTo?: { readonly id?: string | null } | null;
}

/** Replaces an input's `assignedTo` by the user's id; a missing one stays so. */
export function assigneeToId({ assignedTo, ...input }: Assigning): object {
  return { ...input, ...(assignedTo !== undefined && { assignedToId: assignedTo?.id ?? null }) };
}
