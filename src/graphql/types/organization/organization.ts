import { readOrganization, updateOrganization } from '../../../access/organizations.js';
import { builder, versionField } from '../../builder.js';
import type { Context } from '../../context.js';
import { onVersion, versionArgument } from '../../define/versions.js';

/** The organization of a caller. */
export const Organization = builder.prismaObject('Organization', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    timezone: t.exposeString('timezone'),
    locale: t.exposeString('locale'),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    version: t.string(versionField),
  }),
});

/** Options of a field with the caller's organization. */
export const organizationField = {
  description: "The caller's organization.",
  resolve: (_parent: unknown, _args: object, { session }: Context) => readOrganization(session),
};

builder.queryField('organization', (t) => t.field({ type: Organization, ...organizationField }));

builder.mutationField('updateOrganization', (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description:
      "Updates the caller's organization. Omitted arguments keep their values, and null restores the default.",
    authScopes: { administer: true },
    args: {
      name: t.arg.string({ description: "The file's name." }),
      timezone: t.arg.string({ description: 'The IANA time zone of new workspaces.' }),
      locale: t.arg.string({ description: 'The language of users who have not chosen one.' }),
      ...versionArgument(),
    },
    resolve: (_root, { ifVersion, ...changes }, { session }) =>
      onVersion(session, ifVersion, () => updateOrganization(session, changes)),
  }),
);
