import type { InputShapeFromFields } from '@pothos/core';
import type { RecipientKind } from '../../domain/reminders/policy.js';
import { loadBatched } from '../../records/loaders.js';
import {
  type Policy,
  type ReminderPolicyFilter,
  reminderPolicies,
  stepsByPolicy,
} from '../../resources/reminder-policies.js';
import { builder, type InputFields, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { DeliverOnEnum, RecipientKindEnum } from './reminder-enums.js';
import { Team } from './teams.js';

/** A step, as it is stored or as it was just written. */
interface StepShape {
  readonly id: string;
  readonly offsetDays: number;
  readonly repeatEveryDays: number | null;
  readonly repeatCount: number | null;
  readonly onlyUnacknowledged: boolean;
  readonly recipients: readonly string[];
  readonly addresses: readonly string[];
}

/** A step of a reminder policy. */
export const ReminderStep = builder.objectRef<StepShape>('ReminderStep').implement({
  description: 'One step of a reminder policy: when and whom to tell.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The step's id; it stays while the step's offset does." }),
    offsetDays: t.exposeInt('offsetDays', { description: 'Days from the date; before it if negative.' }),
    repeatEveryDays: t.exposeInt('repeatEveryDays', {
      nullable: true,
      description: 'Days after which it is told again, until acknowledged; once when null.',
    }),
    repeatCount: t.exposeInt('repeatCount', {
      nullable: true,
      description: 'How often it is repeated at most; 365 times when null.',
    }),
    onlyUnacknowledged: t.exposeBoolean('onlyUnacknowledged', {
      description: 'Whether the step is left out once the date is acknowledged.',
    }),
    recipients: t.field({
      type: [RecipientKindEnum],
      description: 'Whom to tell, by their part in the item.',
      // The rules let nothing else into it.
      resolve: ({ recipients }) => recipients as RecipientKind[],
    }),
    addresses: t.field({
      type: ['String'],
      description: 'Further addresses to tell.',
      resolve: ({ addresses }) => [...addresses],
    }),
  }),
});

const ReminderStepInput = builder.inputType('ReminderStepInput', {
  description: 'One step of a reminder policy: when and whom to tell.',
  fields: (t) => ({
    offsetDays: t.int({
      required: true,
      description: 'Days from the date, -3650 to 3650; before it if negative.',
    }),
    repeatEveryDays: t.int({ description: 'Days after which it is told again, until acknowledged.' }),
    repeatCount: t.int({ description: 'How often it is repeated at most; 365 times when left out.' }),
    onlyUnacknowledged: t.boolean({ description: 'Whether it is left out once the date is acknowledged.' }),
    recipients: t.field({
      type: [RecipientKindEnum],
      description: 'Whom to tell; when left out CONTACTS, MAIN_CONTACT, ASSIGNEE and WATCHERS.',
    }),
    addresses: t.stringList({ description: 'Further addresses to tell.' }),
  }),
});

/** A reminder policy. */
export const ReminderPolicy = builder.prismaObject('ReminderPolicy', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    timeOfDay: t.exposeString('timeOfDay'),
    deliverOn: t.expose('deliverOn', { type: DeliverOnEnum }),
    leadDays: t.exposeInt('leadDays'),
    teamId: t.exposeID('teamId'),
    steps: t.field({
      type: [ReminderStep],
      description: 'Its steps, the earliest first.',
      ...needs({}),
      resolve: ({ id, steps }: Policy, _args, { session }): readonly StepShape[] | Promise<StepShape[]> =>
        steps ?? loadBatched(session, stepsByPolicy, id),
    }),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the policy belongs to.')),
  }),
});

const inputFields = (t: InputFields, whole: boolean) => ({
  name: t.string({ required: whole }),
  timeOfDay: t.string(),
  deliverOn: t.field({ type: DeliverOnEnum }),
  teamId: t.id(),
  steps: t.field({ type: [ReminderStepInput] }),
});

type PolicyInput = InputShapeFromFields<ReturnType<typeof inputFields>>;

defineWrites({
  type: ReminderPolicy,
  resource: reminderPolicies,
  inputFields,
  toValues: (input: Partial<PolicyInput>) => input,
});

const ReminderPolicyFilterInput = builder.inputRef<ReminderPolicyFilter>('ReminderPolicyFilter').implement({
  description: 'What a list of reminder policies is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    teamId: t.id({ description: 'Reminder policies of a workspace.' }),
  }),
});

/** The list of reminder policies. */
export const reminderPolicyList = defineReads({
  type: ReminderPolicy,
  resource: reminderPolicies,
  names: ['reminderPolicy', 'reminderPolicies'],
  filter: ReminderPolicyFilterInput,
  order: { field: 'name', direction: 'asc' },
});
