import {
  type Acknowledgement,
  acknowledgeItem,
  acknowledgementRules,
  acknowledgementsByItem,
  deleteAcknowledgement,
  findAcknowledgement,
  setAcknowledgement,
} from '../../items/acknowledgements.js';
import { loadBatched } from '../../records/loaders.js';
import { builder, versionField } from '../builder.js';
import { linkTo } from '../define/links.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';
import { ExpirationItem } from './expiration-items.js';

const AcknowledgementType = builder.objectRef<Acknowledgement>('Acknowledgement').implement({
  description: "That somebody has taken note of an item's date: nothing is repeated or escalated.",
  extensions: { rules: acknowledgementRules },
  fields: (t) => ({
    expirationItemId: t.exposeID('itemId', { description: 'The item whose date was acknowledged.' }),
    expirationDate: t.expose('expirationDate', {
      type: 'Date',
      description: 'The date that was acknowledged.',
    }),
    note: t.exposeString('note', { nullable: true, description: 'What was said.' }),
    silence: t.exposeBoolean('silence', {
      description: 'Whether all reminders of the date end, the plain ones as well.',
    }),
    snoozeUntil: t.expose('snoozeUntil', {
      type: 'Date',
      nullable: true,
      description: 'The day on which it ends, and the item is told of again.',
    }),
    version: t.string(versionField),
    created: t.expose('created', { type: 'DateTime', description: 'When it was acknowledged.' }),
    user: t.field(linkTo('user', 'userId', 'Who acknowledged it.')),
  }),
});

builder.prismaObjectFields('ExpirationItem', (t) => ({
  acknowledgement: t.field({
    type: AcknowledgementType,
    nullable: true,
    description: 'That its present date is acknowledged.',
    ...needs({ fields: ['expirationDate'] }),
    resolve: async ({ id, expirationDate }, _args, { session }) => {
      const all = await loadBatched(session, acknowledgementsByItem, id);
      return all.find((one) => one.expirationDate.getTime() === expirationDate?.getTime()) ?? null;
    },
  }),
}));

const values = {
  note: 'What is to be said of it.',
  silence: 'Whether all reminders of the date end.',
  snoozeUntil: 'The day on which the item is told of again: a day after today in its workspace.',
};

const AcknowledgementInput = builder.inputType('AcknowledgementInput', {
  description: "What is said of an item's present date.",
  extensions: { rules: acknowledgementRules },
  fields: (t) => ({
    note: t.string({ description: values.note }),
    silence: t.boolean({ description: values.silence }),
    snoozeUntil: t.field({ type: 'Date', description: values.snoozeUntil }),
  }),
});

builder.queryField('acknowledgement', (t) =>
  t.field({
    type: AcknowledgementType,
    nullable: true,
    description: "The acknowledgement of an item's present date; null when nobody has acknowledged it.",
    args: { id: t.arg.id({ required: true, description: "The item's id." }) },
    resolve: (_root, { id }, { session }) => findAcknowledgement(session, id),
  }),
);

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The item's id." });
  const ofAcknowledgement = { type: AcknowledgementType, nullable: true as const };
  return {
    acknowledgeExpirationItem: t.field({
      type: ExpirationItem,
      nullable: true,
      description: "Acknowledges an item's present date: nothing is repeated or escalated any more.",
      extensions: { rules: acknowledgementRules },
      args: {
        id,
        note: t.arg.string({ description: values.note }),
        silence: t.arg.boolean({ description: values.silence }),
        snoozeUntil: t.arg({ type: 'Date', description: values.snoozeUntil }),
        ...versionArgument(),
      },
      resolve: (_root, { id, ifVersion, ...input }, { session }) =>
        onVersion(session, ifVersion, () => acknowledgeItem(session, id, input)),
    }),
    setAcknowledgement: t.field({
      ...ofAcknowledgement,
      description:
        "Acknowledges an item's present date, and answers the acknowledgement. It takes the place of the one before.",
      args: {
        id,
        input: t.arg({
          type: AcknowledgementInput,
          required: true,
          description: 'What is said of the date.',
        }),
        ...versionArgument('the acknowledgement'),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => setAcknowledgement(session, id, input)),
    }),
    deleteAcknowledgement: t.field({
      ...ofAcknowledgement,
      description: "Takes back the acknowledgement of an item's present date, and answers it as it was.",
      args: { id, ...versionArgument('the acknowledgement') },
      resolve: (_root, { id, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => deleteAcknowledgement(session, id)),
    }),
  };
});
