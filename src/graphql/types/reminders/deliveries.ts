import { reasonCode, reasonText } from '../../../domain/reminders/reasons.js';
import { load } from '../../../records/loaders.js';
import { shownAddress } from '../../../reminders/shown/addresses.js';
import { retryDelivery } from '../../../reminders/shown/deliveries.js';
import { remindersOfDelivery, type Target } from '../../../reminders/shown/reminders.js';
import { resendReminder } from '../../../reminders/shown/resend.js';
import { builder, typeOf } from '../../builder.js';
import { nest } from '../../define/nested.js';
import { listOf } from '../../define/records.js';
import { onVersion, versionArgument } from '../../define/versions.js';
import { NotToldReasonEnum } from '../records/reasons.js';
import '../records/resources.js';

builder.objectRef<Target>('ReminderTarget').implement({
  description: 'A recipient of a reminder.',
  fields: (t) => ({
    address: t.string({
      description: 'The address. For a contact that the caller may not see, only a word.',
      resolve: (target, _args, { session }) => shownAddress(session, target),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why they are not notified, in plain words. Null if they are.',
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'The code for why they are not notified. Null if they are.',
      resolve: ({ reason }) => reasonCode(reason),
    }),
    delivery: t.field({
      type: typeOf('delivery'),
      nullable: true,
      description: 'The delivery that notifies them.',
      resolve: ({ deliveryId }, _args, { session }) => load(session, 'delivery', deliveryId),
    }),
  }),
});

nest({
  on: typeOf('delivery'),
  field: 'reminders',
  description: 'The reminders that it contains.',
  list: { ...listOf('reminder'), kind: 'reminder' },
  link: remindersOfDelivery,
});

builder.mutationField('resendReminder', (t) =>
  t.field({
    type: typeOf('reminder'),
    nullable: true,
    description:
      'Sends a reminder again, to the current recipients of its step. Returns a new reminder for the same date.',
    args: { id: t.arg.id({ required: true, description: "The reminder's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => resendReminder(session, id)),
  }),
);

builder.mutationField('retryDelivery', (t) =>
  t.field({
    type: typeOf('delivery'),
    nullable: true,
    description: 'Retries a failed delivery for up to one day from now.',
    args: { id: t.arg.id({ required: true, description: "The delivery's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => retryDelivery(session, id)),
  }),
);
