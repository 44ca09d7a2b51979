import { type LocationFilter, locations } from '../../resources/locations.js';
import { builder, type InputFields, Node } from '../builder.js';
import { customFieldsField, linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { CustomFieldInput } from './custom-fields.js';
import { Team } from './teams.js';

/** A place. */
export const Location = builder.prismaObject('Location', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    parentLocationId: t.exposeID('parentLocationId', { nullable: true }),
    name: t.exposeString('name', { nullable: true }),
    teamId: t.exposeID('teamId'),
    customFields: t.field(customFieldsField()),
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

defineWrites({
  type: Location,
  resource: locations,
  inputFields: (t: InputFields) => ({
    parentLocationId: t.id(),
    name: t.string(),
    teamId: t.id(),
    customFields: t.field({ type: [CustomFieldInput] }),
  }),
  toValues: (input) => input,
});

const LocationFilterInput = builder.inputRef<LocationFilter>('LocationFilter').implement({
  description: 'What a list of locations is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    teamId: t.id({ description: 'Locations of a workspace.' }),
    parentLocationId: t.id({ description: 'Locations that lie in another, one level down.' }),
    isRoot: t.boolean({
      description:
        'Locations that lie in none that the caller may see, where a tree begins, or none of them.',
    }),
  }),
});

/** The list of locations. */
export const locationList = defineReads({
  type: Location,
  resource: locations,
  names: ['location', 'locations'],
  filter: LocationFilterInput,
  order: { field: 'name', direction: 'asc' },
});
