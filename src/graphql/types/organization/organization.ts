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

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description: 'Changes to an organization. Omitted fields keep their values, and null restores the default.',
  fields: (t) => ({
    // In the order in which events name what was changed.
    locale: t.string({ description: 'The language of users who have not chosen one.' }),
    name: t.string({ description: "The organization's name." }),
    timezone: t.string({ description: 'The IANA time zone of new workspaces.' }),
  }),
});

builder.mutationField('updateOrganization', (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description: "Updates the caller's organization.",
    authScopes: { administer: true },
    extensions: { loose: ['locale', 'name', 'timezone'] },
    args: {
      input: t.arg({ type: UpdateOrganizationInput, required: true, description: 'The changes.' }),
      ...versionArgument(),
    },
    resolve: (_root, { ifVersion, input }, { session }) =>
      onVersion(session, ifVersion, () => updateOrganization(session, input)),
  }),
);
