import type { NoticeRule, noticeEnds, noticeUnits } from '../../../domain/notice.js';
import type { Item } from '../../../items/item-rows.js';
import {
  deleteNoticePeriod,
  findNoticePeriod,
  noticePeriodRules,
  setNoticePeriod,
} from '../../../items/notice-periods.js';
import { builder, versionField } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/writes.js';

const NoticeUnit = builder.enumType('NoticeUnit', {
  description: 'Units of notice periods.',
  values: {
    DAYS: { description: 'Days.' },
    WEEKS: { description: 'Weeks.' },
    MONTHS: { description: 'Months. A day that a month does not have becomes its last day.' },
    YEARS: { description: 'Years. In years without February 29, it becomes February 28.' },
  } satisfies Record<(typeof noticeUnits)[number], object>,
});

const ends = 'The last end of {} that does not come after the expiration date.';
const NoticeEnd = builder.enumType('NoticeEnd', {
  description: 'The day that a notice period is counted back from.',
  values: {
    EXPIRATION: { description: 'The expiration date.' },
    END_OF_MONTH: { description: ends.replace('{}', 'a month') },
    END_OF_QUARTER: { description: ends.replace('{}', 'a quarter') },
    END_OF_YEAR: { description: ends.replace('{}', 'a year') },
  } satisfies Record<(typeof noticeEnds)[number], object>,
});

const about = {
  rule: 'How the last day to give notice follows from the expiration date: 3 months before it, or 6 weeks before the end of a quarter. If the expiration date changes, it is computed anew.',
  unit: 'The unit.',
  count: 'The number of units.',
  before: 'The day that they are counted back from.',
};

const NoticeRuleType = builder.objectRef<NoticeRule>('NoticeRule').implement({
  description: about.rule,
  fields: (t) => ({
    unit: t.expose('unit', { type: NoticeUnit, description: about.unit }),
    count: t.exposeInt('count', { description: about.count }),
    before: t.expose('before', { type: NoticeEnd, description: about.before }),
  }),
});
const NoticeRuleInput = builder.inputType('NoticeRuleInput', {
  description: about.rule,
  fields: (t) => ({
    unit: t.field({ type: NoticeUnit, required: true, description: about.unit }),
    count: t.int({ required: true, description: about.count }),
    before: t.field({ type: NoticeEnd, description: `${about.before} Default: \`EXPIRATION\`.` }),
  }),
});

const NoticePeriod = builder.objectRef<Item>('NoticePeriod').implement({
  description: 'The last day to give notice of an item, and how it is computed.',
  extensions: { rules: noticePeriodRules },
  fields: (t) => ({
    expirationItemId: t.exposeID('id', { description: 'The item.' }),
    expirationDate: t.expose('expirationDate', {
      type: 'Date',
      nullable: true,
      description: 'The day the item expires.',
    }),
    noticeDate: t.expose('noticeDate', {
      type: 'Date',
      nullable: true,
      description: 'The last day to give notice. Null if a rule waits for an expiration date.',
    }),
    rule: t.field({
      type: NoticeRuleType,
      nullable: true,
      description: `${about.rule} Null for a day that was typed.`,
      resolve: ({ noticeRule }) => noticeRule as NoticeRule | null,
    }),
    version: t.string(versionField),
    modified: t.expose('modified', { type: 'DateTime', description: 'When the item was last changed.' }),
  }),
});

const NoticePeriodInput = builder.inputType('NoticePeriodInput', {
  description: 'The last day to give notice of an item, or the rule that computes it.',
  extensions: { rules: noticePeriodRules },
  fields: (t) => ({
    noticeDate: t.field({
      type: 'Date',
      description: 'The last day to give notice, not after the expiration date. Ignored if there is a rule.',
    }),
    rule: t.field({ type: NoticeRuleInput, description: about.rule }),
  }),
});

builder.queryField('noticePeriod', (t) =>
  t.field({
    type: NoticePeriod,
    nullable: true,
    description: 'Returns the last day to give notice of an item, or null if it has none.',
    args: { id: t.arg.id({ required: true, description: "The item's id." }) },
    resolve: (_root, { id }, { session }) => findNoticePeriod(session, id),
  }),
);

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The item's id." });
  const ofItem = { type: NoticePeriod, nullable: true as const };
  return {
    setNoticePeriod: t.field({
      ...ofItem,
      description:
        'Sets the last day to give notice of an item, or the rule that computes it, in place of an earlier one.',
      args: {
        id,
        input: t.arg({ type: NoticePeriodInput, required: true, description: 'The notice period.' }),
        ...versionArgument('the item'),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => setNoticePeriod(session, id, input)),
    }),
    deleteNoticePeriod: t.field({
      ...ofItem,
      description: 'Removes the notice period of an item and returns it as it was.',
      args: { id, ...versionArgument('the item') },
      resolve: (_root, { id, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => deleteNoticePeriod(session, id)),
    }),
  };
});
