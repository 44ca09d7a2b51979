import type { RowOf } from '../../../db/sql/columns.js';
import {
  acknowledgeItem,
  acknowledgementRules,
  acknowledgementsByItem,
  deleteAcknowledgement,
  findAcknowledgement,
  setAcknowledgement,
} from '../../../items/acknowledgements.js';
import { loadBatched } from '../../../records/loaders.js';
import { builder, typeOf, versionField } from '../../builder.js';
import { linkTo } from '../../define/links.js';
import { onVersion, versionArgument } from '../../define/versions.js';
import { needs } from '../../execution/selection.js';

const AcknowledgementType = builder.objectRef<RowOf<'Acknowledgement'>>('Acknowledgement').implement({
  description:
    "Records that somebody has taken note of an item's date. It stops repeated and escalated reminders.",
  extensions: { rules: acknowledgementRules },
  fields: (t) => ({
    expirationItemId: t.exposeID('itemId', { description: 'The item whose date was acknowledged.' }),
    expirationDate: t.expose('expirationDate', {
      type: 'Date',
      description: 'The date that was acknowledged.',
    }),
    note: t.exposeString('note', { nullable: true, description: 'The note left with the acknowledgement.' }),
    silence: t.exposeBoolean('silence', {
      description: 'True if all reminders for the date stop, not only repeated and escalated ones.',
    }),
    snoozeUntil: t.expose('snoozeUntil', {
      type: 'Date',
      nullable: true,
      description: 'The day the acknowledgement ends and reminders resume.',
    }),
    version: t.string(versionField),
    created: t.expose('created', { type: 'DateTime', description: 'When it was acknowledged.' }),
    user: t.field(linkTo('user', 'userId', 'The user who acknowledged it.')),
  }),
});

builder.prismaObjectFields('ExpirationItem', (t) => ({
  acknowledgement: t.field({
    type: AcknowledgementType,
    nullable: true,
    description: "The acknowledgement of the item's current date.",
    ...needs({ fields: ['expirationDate'] }),
    resolve: async ({ id, expirationDate }, _args, { session }) => {
      const all = await loadBatched(session, acknowledgementsByItem, id);
      return all.find((one) => one.expirationDate.getTime() === expirationDate?.getTime()) ?? null;
    },
  }),
}));

const AcknowledgementInput = builder.inputType('AcknowledgementInput', {
  description: "An acknowledgement of an item's current date.",
  extensions: { rules: acknowledgementRules },
  fields: (t) => ({
    note: t.string({ description: 'A note to leave with the acknowledgement.' }),
    silence: t.boolean({ description: 'True if all reminders for the date stop.' }),
    snoozeUntil: t.field({
      type: 'Date',
      description: "The day reminders resume. It must be after today in the item's workspace.",
    }),
  }),
});

builder.queryField('acknowledgement', (t) =>
  t.field({
    type: AcknowledgementType,
    nullable: true,
    description:
      "Returns the acknowledgement of an item's current date, or null if nobody has acknowledged it.",
    args: { id: t.arg.id({ required: true, description: "The item's id." }) },
    resolve: (_root, { id }, { session }) => findAcknowledgement(session, id),
  }),
);

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The item's id." });
  const ofAcknowledgement = { type: AcknowledgementType, nullable: true as const };
  return {
    acknowledgeExpirationItem: t.field({
      type: typeOf('expirationItem'),
      nullable: true,
      description: "Acknowledges an item's current date. This stops repeated and escalated reminders.",
      extensions: { loose: ['note', 'silence', 'snoozeUntil'] },
      args: {
        id,
        input: t.arg({ type: AcknowledgementInput, required: true, description: 'The acknowledgement.' }),
        ...versionArgument(),
      },
      resolve: (_root, { id, ifVersion, input }, { session }) =>
        onVersion(session, ifVersion, () => acknowledgeItem(session, id, input)),
    }),
    setAcknowledgement: t.field({
      ...ofAcknowledgement,
      description:
        "Acknowledges an item's current date and returns the acknowledgement. It replaces an earlier one.",
      args: {
        id,
        input: t.arg({
          type: AcknowledgementInput,
          required: true,
          description: 'The acknowledgement.',
        }),
        ...versionArgument('the acknowledgement'),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => setAcknowledgement(session, id, input)),
    }),
    deleteAcknowledgement: t.field({
      ...ofAcknowledgement,
      description: "Withdraws the acknowledgement of an item's current date and returns it as it was.",
      args: { id, ...versionArgument('the acknowledgement') },
      resolve: (_root, { id, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => deleteAcknowledgement(session, id)),
    }),
  };
});
