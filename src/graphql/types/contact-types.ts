import { type ContactTypeFilter, contactTypes } from '../../resources/contact-types.js';
import { builder, type InputFields, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { Team } from './teams.js';

/** A kind of contact. */
export const ContactType = builder.prismaObject('ContactType', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    teamId: t.exposeID('teamId', { description: 'The workspace the contact type belongs to.' }),
    isActive: t.exposeBoolean('isActive'),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the contact type belongs to.')),
  }),
});

defineWrites({
  type: ContactType,
  resource: contactTypes,
  inputFields: (t: InputFields) => ({ name: t.string(), teamId: t.id(), isActive: t.boolean() }),
  toValues: (input) => input,
});

const ContactTypeFilterInput = builder.inputRef<ContactTypeFilter>('ContactTypeFilter').implement({
  description: 'What a list of contact types is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    isActive: t.boolean({ description: 'Contact types in use only, or none of them.' }),
    teamId: t.id({ description: 'Contact types of a workspace.' }),
  }),
});

/** The list of contact types. */
export const contactTypeList = defineReads({
  type: ContactType,
  resource: contactTypes,
  names: ['contactType', 'contactTypes'],
  filter: ContactTypeFilterInput,
  order: { field: 'name', direction: 'asc' },
});
