import type { Item } from '../../../items/item-rows.js';
import {
  deleteRepetition,
  findRepetition,
  repetitionRules,
  setRepetition,
} from '../../../items/repetitions.js';
import { builder, versionField } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/writes.js';

const about = {
  renewUntil:
    'The last day to which the item is renewed automatically. When it would be renewed beyond it, it is archived instead.',
  renewalsLeft:
    'How often the item is still renewed. It counts down with each renewal. At 0, the item is archived instead.',
};

const Repetition = builder.objectRef<Item>('Repetition').implement({
  description: 'The end of the renewals of an item.',
  extensions: { rules: repetitionRules },
  fields: (t) => ({
    expirationItemId: t.exposeID('id', { description: 'The item.' }),
    expirationDate: t.expose('expirationDate', {
      type: 'Date',
      nullable: true,
      description: 'The day the item expires.',
    }),
    renewUntil: t.expose('renewUntil', { type: 'Date', nullable: true, description: about.renewUntil }),
    renewalsLeft: t.exposeInt('renewalsLeft', { nullable: true, description: about.renewalsLeft }),
    version: t.string(versionField),
    modified: t.expose('modified', { type: 'DateTime', description: 'When the item was last changed.' }),
  }),
});

const RepetitionInput = builder.inputType('RepetitionInput', {
  description: 'The end of the renewals of an item. If there are both, the earlier one counts.',
  extensions: { rules: repetitionRules },
  fields: (t) => ({
    renewUntil: t.field({ type: 'Date', description: about.renewUntil }),
    renewalsLeft: t.int({ description: about.renewalsLeft }),
  }),
});

builder.queryField('repetition', (t) =>
  t.field({
    type: Repetition,
    nullable: true,
    description: 'Returns the end of the renewals of an item, or null if there is none.',
    args: { id: t.arg.id({ required: true, description: "The item's id." }) },
    resolve: (_root, { id }, { session }) => findRepetition(session, id),
  }),
);

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The item's id." });
  const ofItem = { type: Repetition, nullable: true as const };
  return {
    setRepetition: t.field({
      ...ofItem,
      description: 'Sets when the renewals of an item end, in place of an earlier end.',
      args: {
        id,
        input: t.arg({ type: RepetitionInput, required: true, description: 'The end.' }),
        ...versionArgument('the item'),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => setRepetition(session, id, input)),
    }),
    deleteRepetition: t.field({
      ...ofItem,
      description: 'Removes the end of the renewals of an item and returns it as it was.',
      args: { id, ...versionArgument('the item') },
      resolve: (_root, { id, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => deleteRepetition(session, id)),
    }),
  };
});
