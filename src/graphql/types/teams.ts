import { type TeamFilter, teams } from '../../resources/teams.js';
import { builder, graphqlOnly, type InputFields, Node } from '../builder.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';

/** A workspace. */
export const Team = builder.prismaObject('Team', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    isActive: t.exposeBoolean('isActive'),
    timezone: t.exposeString('timezone'),
    reminderDays: t.exposeInt('reminderDays'),
    workingDays: t.exposeIntList('workingDays'),
    reminderFallbackAddress: t.exposeString('reminderFallbackAddress', { nullable: true }),
    reminderPolicyId: t.exposeID('reminderPolicyId', { nullable: true }),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
  }),
});

defineWrites({
  type: Team,
  resource: teams,
  ownership: 'administer',
  inputFields: (t: InputFields, whole: boolean) => ({
    name: t.string({ required: whole }),
    isActive: t.boolean(),
    timezone: t.string(),
    reminderDays: t.int(),
    workingDays: t.intList(graphqlOnly),
    reminderFallbackAddress: t.string(graphqlOnly),
    reminderPolicyId: t.id({
      description: 'The reminder policy of the workspace; kept when null.',
      ...graphqlOnly,
    }),
  }),
  toValues: (input) => input,
});

const TeamFilterInput = builder.inputRef<TeamFilter>('TeamFilter').implement({
  description: 'What a list of workspaces is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    isActive: t.boolean({ description: 'Workspaces in use only, or none of them.' }),
  }),
});

defineReads({
  type: Team,
  resource: teams,
  names: ['team', 'teams'],
  filter: TeamFilterInput,
  order: { field: 'name', direction: 'asc' },
});
