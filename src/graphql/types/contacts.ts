import { type ContactFilter, contacts } from '../../resources/contacts.js';
import { builder, type InputFields, Node } from '../builder.js';
import { customFieldsField, linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { ContactType } from './contact-types.js';
import { CustomFieldInput } from './custom-fields.js';
import { Location } from './locations.js';
import { Team } from './teams.js';
import { assigneeToId, User, UserReference } from './users.js';

/** A person to be reminded or responsible. */
export const Contact = builder.prismaObject('Contact', {
  interfaces: [Node],
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
    customFields: t.field(customFieldsField()),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    assignedTo: t.field(linkTo(User, 'user', 'assignedToId', 'The user the contact is assigned to.')),
    type: t.field(
      linkTo(ContactType, 'contactType', 'typeId', "The contact's type, when the caller may see it."),
    ),
    location: t.field(
      linkTo(Location, 'location', 'locationId', 'Where the contact works, when the caller may see it.'),
    ),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the contact belongs to.')),
  }),
});

defineWrites({
  type: Contact,
  resource: contacts,
  inputFields: (t: InputFields, whole: boolean) => ({
    name: t.string(),
    email: t.string({ required: whole }),
    timezone: t.string(),
    mobile: t.string(),
    phone: t.string(),
    assignedTo: t.field({ type: UserReference }),
    typeId: t.id(),
    contactId: t.string(),
    locationId: t.id(),
    teamId: t.id(),
    isActive: t.boolean(),
    customFields: t.field({ type: [CustomFieldInput] }),
  }),
  toValues: assigneeToId,
});

const ContactFilterInput = builder.inputRef<ContactFilter>('ContactFilter').implement({
  description: 'What a list of contacts is narrowed to.',
  fields: (t) => ({
    term: t.string({
      description:
        "Part of the name, e-mail address, telephone numbers or the caller's own id, in any letter case.",
    }),
    email: t.string({ description: 'The contact with this e-mail address, in any letter case.' }),
    isActive: t.boolean({ description: 'Contacts in use only, or none of them.' }),
    teamId: t.id({ description: 'Contacts of a workspace.' }),
    typeId: t.id({ description: 'Contacts of a type.' }),
    locationId: t.id({ description: 'Contacts at a location.' }),
    assignedToId: t.id({ description: 'Contacts assigned to a user.' }),
  }),
});

/** The list of contacts. */
export const contactList = defineReads({
  type: Contact,
  resource: contacts,
  names: ['contact', 'contacts'],
  filter: ContactFilterInput,
  order: { field: 'name', direction: 'asc' },
});
