import { type TagFilter, tags } from '../../resources/tags.js';
import { builder, type InputFields, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { Team } from './teams.js';

/** A word that groups items. */
export const Tag = builder.prismaObject('Tag', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    teamId: t.exposeID('teamId'),
    organizationId: t.exposeID('organizationId'),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the tag belongs to.')),
  }),
});

defineWrites({
  type: Tag,
  resource: tags,
  inputFields: (t: InputFields) => ({ name: t.string(), teamId: t.id() }),
  toValues: (input) => input,
});

const TagFilterInput = builder.inputRef<TagFilter>('TagFilter').implement({
  description: 'What a list of tags is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    teamId: t.id({ description: 'Tags of a workspace.' }),
  }),
});

/** The list of tags. */
export const tagList = defineReads({
  type: Tag,
  resource: tags,
  names: ['tag', 'tags'],
  filter: TagFilterInput,
  order: { field: 'name', direction: 'asc' },
});
