import {
  type DigestSetting,
  deleteDigestSetting,
  type digestModes,
  type digestOrigins,
  digestRules,
  findDigestSetting,
  setDigestSetting,
} from '../../reminders/queries/digest-settings.js';
import { builder } from '../builder.js';
import { defineValue, words } from '../define/values.js';

const DigestMode = words('DigestMode', 'How somebody gets reminders.', {
  SINGLE: 'A mail for each item; one mail for more than five items of one moment.',
  DAILY: 'One mail a day and workspace.',
  WEEKLY: 'One mail a week and workspace.',
} satisfies Record<(typeof digestModes)[number], string>);

const DigestOrigin = words('DigestOrigin', 'Whose setting applies to somebody.', {
  OWN: 'Their own.',
  USERS: 'That of all users.',
  CONTACTS: 'That of all contacts.',
  ORGANIZATION: 'That of the organization.',
  NONE: 'Nobody has set anything.',
} satisfies Record<(typeof digestOrigins)[number], string>);

const about = {
  mode: 'How they get reminders.',
  weekday: 'The day of a weekly mail: 1 Monday to 7 Sunday.',
  allIsWell:
    'Whether a mail comes each week even if nothing was due: how much is watched, what is next, and when the last mail was taken.',
  whatIsMissing:
    'Whether a mail comes each week that lists the vehicles, people, companies and locations that lack something they must have. If none does, none comes. Only users get it.',
  time: "The time of a daily or weekly mail, `HH:mm`, in the recipient's time zone or else the workspace's.",
};

const DigestSettingType = defineValue<DigestSetting>(
  'DigestSetting',
  'How somebody gets reminders: a mail for each item, or one mail a day or a week.',
  {
    id: ['ID', 'The id or the word that it was asked for by.', { stored: { type: 'string', maxLength: 36 } }],
    mode: [DigestMode, about.mode],
    weekday: ['Int', about.weekday, { limits: { minimum: 1, maximum: 7 } }],
    time: ['String', about.time],
    allIsWell: ['Boolean', about.allIsWell],
    whatIsMissing: ['Boolean', about.whatIsMissing],
    from: [DigestOrigin, 'Whose setting it is.'],
  },
);

const DigestSettingInput = builder.inputType('DigestSettingInput', {
  description: 'How somebody gets reminders.',
  extensions: { rules: digestRules },
  fields: (t) => ({
    mode: t.field({ type: DigestMode, required: true, description: about.mode }),
    weekday: t.int({ description: `${about.weekday} Default: 1.` }),
    time: t.string({ description: `${about.time} Default: \`08:00\`.` }),
    allIsWell: t.boolean({ description: `${about.allIsWell} Default: false.` }),
    whatIsMissing: t.boolean({ description: `${about.whatIsMissing} Default: false.` }),
  }),
});

const id =
  'The id of a user or contact, or `me`; or `users`, `contacts` or `organization` for the default of all. Only admins can name others than themselves.';

builder.queryField('digestSetting', (t) =>
  t.field({
    type: DigestSettingType,
    nullable: true,
    description: 'Returns how somebody gets reminders.',
    args: { id: t.arg.id({ required: true, description: id }) },
    resolve: (_root, args, { session }) => findDigestSetting(session, args.id),
  }),
);

builder.mutationFields((t) => {
  // Who may only read gets mails, too.
  const shared = {
    ...{ type: DigestSettingType, nullable: true as const },
    ...{ skipTypeScopes: true, authScopes: { read: true } },
  };
  const named = t.arg.id({ required: true, description: id });
  return {
    setDigestSetting: t.field({
      ...shared,
      description: 'Sets how somebody gets reminders. Digests that wait come at its time.',
      args: {
        id: named,
        input: t.arg({ type: DigestSettingInput, required: true, description: 'The setting.' }),
      },
      resolve: (_root, args, { session }) => setDigestSetting(session, args.id, args.input),
    }),
    deleteDigestSetting: t.field({
      ...shared,
      description: 'Removes a setting, so that the default applies, and returns it as it was.',
      args: { id: named },
      resolve: (_root, args, { session }) => deleteDigestSetting(session, args.id),
    }),
  };
});
