import { builder } from './builder.js';
import { customFieldsOf, linkTo } from './links.js';
import { Team } from './teams.js';

/** A place. */
export const Location = builder.prismaObject('Location', {
  fields: (t) => ({
    id: t.exposeID('id'),
    parentLocationId: t.exposeID('parentLocationId', { nullable: true }),
    name: t.exposeString('name', { nullable: true }),
    teamId: t.exposeID('teamId'),
    customFields: t.field(customFieldsOf()),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the location belongs to.')),
  }),
});

builder.prismaObjectField('Location', 'parentLocation', (t) =>
  t.field(
    linkTo(
      Location,
      'location',
      'parentLocationId',
      'The location this one lies in, when the caller may see it.',
    ),
  ),
);
