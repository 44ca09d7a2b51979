import type { RecipientKind } from '../../domain/reminders/policy.js';
import { builder } from '../builder.js';
import { RecipientKindEnum } from './reminder-enums.js';

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

builder.inputType('ReminderStepInput', {
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
