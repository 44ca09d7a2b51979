import { builder } from './builder.js';
import { customFieldsOf, linkTo } from './links.js';
import { Location } from './locations.js';
import { Team } from './teams.js';
import { User } from './users.js';

/** A person to be reminded or responsible. */
export const Contact = builder.prismaObject('Contact', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    email: t.exposeString('email'),
    timezone: t.exposeString('timezone', { nullable: true }),
    mobile: t.exposeString('mobile', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    typeId: t.exposeID('typeId', { nullable: true }),
    contactId: t.exposeString('contactId', { nullable: true }),
    locationId: t.exposeID('locationId', { nullable: true }),
    teamId: t.exposeID('teamId'),
    isActive: t.exposeBoolean('isActive'),
    customFields: t.field(customFieldsOf()),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    assignedTo: t.field(linkTo(User, 'user', 'assignedToId', 'The user the contact is assigned to.')),
    location: t.field(
      linkTo(Location, 'location', 'locationId', 'Where the contact works, when the caller may see it.'),
    ),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the contact belongs to.')),
  }),
});
