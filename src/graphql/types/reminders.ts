import { pointer } from '../../db/sql/selection.js';
import { load, loadJoined } from '../../records/loaders.js';
import { applyPolicy, type Policy } from '../../resources/reminder-policies.js';
import { builder, typeOf } from '../builder.js';
import { linkTo } from '../define/links.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';

const [teamLink, categoryLink] = [pointer('teamId', 'team'), pointer('categoryId', 'category')];

const policyLink = (description: string) => linkTo('reminderPolicy', 'reminderPolicyId', description);

builder.prismaObjectField('Team', 'reminderPolicy', (t) =>
  t.field(policyLink('The reminder policy of the workspace.')),
);
builder.prismaObjectField('Category', 'reminderPolicy', (t) =>
  t.field(policyLink('The reminder policy of its items, if it is not the workspace’s.')),
);
builder.prismaObjectField('ExpirationItem', 'reminderPolicy', (t) =>
  t.field(policyLink('The item’s own reminder policy.')),
);

const PolicySource = builder.enumType('ReminderPolicySource', {
  description: 'Whose reminder policy an item follows.',
  values: {
    ITEM: { description: 'Its own.' },
    CATEGORY: { description: "Its document type's." },
    TEAM: { description: "Its workspace's." },
  } as const,
});

interface Effective {
  readonly policy: Policy;
  readonly from: 'ITEM' | 'CATEGORY' | 'TEAM';
}

const EffectivePolicy = builder.objectRef<Effective>('EffectiveReminderPolicy').implement({
  description: 'The reminder policy that an item follows: the nearest one, as a whole.',
  fields: (t) => ({
    policy: t.field({
      type: typeOf('reminderPolicy'),
      description: 'The policy.',
      resolve: ({ policy }) => policy,
    }),
    from: t.field({ type: PolicySource, description: 'Whose it is.', resolve: ({ from }) => from }),
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
  description: 'What a changed reminder policy is applied to.',
  values: {
    FUTURE_SLOTS: { description: 'What comes due from now on, as without it.' },
    NOW: { description: 'Also what has passed of its items: the last step is told of each.' },
  } as const,
});

builder.mutationField('applyReminderPolicy', (t) =>
  t.field({
    type: typeOf('reminderPolicy'),
    nullable: true,
    description: 'Applies a reminder policy to the items that follow it.',
    args: {
      id: t.arg.id({ required: true, description: "The policy's id." }),
      applyTo: t.arg({ type: ApplyTo, required: true, description: 'To what.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, applyTo, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => applyPolicy(session, id, applyTo === 'NOW')),
  }),
);
