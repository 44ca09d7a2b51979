import { pointer } from '../../../db/sql/selection.js';
import { load, loadJoined } from '../../../records/loaders.js';
import { applyPolicy, type Policy } from '../../../resources/reminder-policies.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/versions.js';
import { needs } from '../../execution/selection.js';

const [teamLink, categoryLink] = [pointer('teamId', 'team'), pointer('categoryId', 'category')];

const PolicySource = builder.enumType('ReminderPolicySource', {
  description: "Where an item's reminder policy comes from.",
  values: {
    ITEM: { description: 'The item itself.' },
    CATEGORY: { description: "The item's document type." },
    TEAM: { description: "The item's workspace." },
  } as const,
});

interface Effective {
  readonly policy: Policy;
  readonly from: 'ITEM' | 'CATEGORY' | 'TEAM';
}

const EffectivePolicy = builder.objectRef<Effective>('EffectiveReminderPolicy').implement({
  description: 'The reminder policy that an item follows. The closest policy applies as a whole.',
  fields: (t) => ({
    policy: t.field({
      type: typeOf('reminderPolicy'),
      description: 'The policy.',
      resolve: ({ policy }) => policy,
    }),
    from: t.field({
      type: PolicySource,
      description: 'Where the policy comes from.',
      resolve: ({ from }) => from,
    }),
  }),
});

builder.prismaObjectField('ExpirationItem', 'effectivePolicy', (t) =>
  t.field({
    type: EffectivePolicy,
    nullable: true,
    description:
      'The reminder policy that the item follows: its own, its document type’s or its workspace’s.',
    ...needs({
      fields: ['reminderPolicyId'],
      joins: [
        [teamLink, ['reminderPolicyId']],
        [categoryLink, ['reminderPolicyId']],
      ],
    }),
    resolve: async (item, _args, { session }): Promise<Effective | null> => {
      const sources = [
        ['ITEM', item.reminderPolicyId],
        ['CATEGORY', (await loadJoined(session, item, categoryLink))?.reminderPolicyId],
        ['TEAM', (await loadJoined(session, item, teamLink))?.reminderPolicyId],
      ] as const;
      for (const [from, id] of sources) {
        const policy = id ? await load(session, 'reminderPolicy', id) : null;
        if (policy) return { from, policy };
      }
      return null;
    },
  }),
);

const ApplyTo = builder.enumType('ApplyReminderPolicyTo', {
  description: 'Which reminders a changed reminder policy applies to.',
  values: {
    FUTURE_SLOTS: { description: 'Only reminders that become due from now on. This is the default.' },
    NOW: { description: "Also reminders that are already past: each item's last past step is sent." },
  } as const,
});

const ApplyInput = builder.inputType('ApplyReminderPolicyInput', {
  description: 'How to apply a reminder policy.',
  fields: (t) => ({
    applyTo: t.field({
      type: ApplyTo,
      required: true,
      description: 'Which reminders the policy applies to.',
    }),
  }),
});

builder.mutationField('applyReminderPolicy', (t) =>
  t.field({
    type: typeOf('reminderPolicy'),
    nullable: true,
    description: 'Applies a reminder policy to the items that follow it.',
    extensions: { loose: ['applyTo'] },
    args: {
      id: t.arg.id({ required: true, description: "The policy's id." }),
      input: t.arg({ type: ApplyInput, required: true, description: 'How to apply it.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => applyPolicy(session, id, input.applyTo === 'NOW')),
  }),
);
