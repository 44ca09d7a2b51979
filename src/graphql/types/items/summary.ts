import { defaultPageSize, maxPageSize } from '../../../domain/paging.js';
import { withArticle } from '../../../domain/text/names.js';
import {
  type CountedKind,
  countByLinked,
  type LinkedCount,
  monthsAhead,
  type Summary,
  summarize,
} from '../../../items/summary.js';
import { builder } from '../../builder.js';
import { linkTo } from '../../define/links.js';
import { listOf } from '../../define/records.js';
import { ExpirationStatus } from './expiration-items.js';
import '../records/resources.js';

const StatusCount = builder.objectRef<Summary['byStatus'][number]>('StatusCount').implement({
  description: 'The number of items with a status.',
  fields: (t) => ({
    status: t.expose('status', { type: ExpirationStatus, description: 'The status.' }),
    count: t.exposeInt('count', { description: 'The number of items.' }),
  }),
});

const MonthCount = builder.objectRef<Summary['byMonth'][number]>('MonthCount').implement({
  description: 'The number of items that expire in a month.',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, `YYYY-MM`.' }),
    count: t.exposeInt('count', {
      description: 'The number of current, notifying and expired items whose date is in this month.',
    }),
  }),
});

const CategoryCount = builder.objectRef<Summary['byCategory'][number]>('CategoryCount').implement({
  description: 'The number of items of a document type.',
  fields: (t) => ({
    category: t.field(linkTo('category', 'categoryId', 'The document type, if the caller may see it.')),
    count: t.exposeInt('count', { description: 'The number of items.' }),
  }),
});

/** Defines the type of a number of items. They are linked to a record. */
function defineCount(name: string, kind: CountedKind, what: string) {
  // As the field of one kind: of several at once, the compiler cannot tell that type and records go together.
  const link = linkTo(kind as 'tag', 'linkedId', `The ${what}.`);
  return builder.objectRef<LinkedCount>(`${name}Count`).implement({
    description: `The number of items with ${withArticle(what)}.`,
    fields: (t) => ({
      [kind]: t.field(link),
      count: t.exposeInt('count', { description: 'The number of items.' }),
    }),
  });
}

/** Fields of the summary with numbers of items by linked records. */
const countedBy = [
  [
    'byContact',
    'contact',
    defineCount('Contact', 'contact', 'contact'),
    'contact, either as the main one or as one of several',
  ],
  [
    'byLocation',
    'location',
    defineCount('Location', 'location', 'location'),
    'location, not counting the locations inside it',
  ],
  ['byTag', 'tag', defineCount('Tag', 'tag', 'tag'), 'tag'],
  ['byAssignedTo', 'user', defineCount('User', 'user', 'assigned user'), 'assigned user'],
  ['byTeam', 'team', defineCount('Team', 'team', 'workspace'), 'workspace'],
] as const;

const ExpirationSummary = builder.objectRef<Summary>('ExpirationSummary').implement({
  description: 'The number of items, by various criteria.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'The number of items that match the filter.' }),
    byStatus: t.expose('byStatus', { type: [StatusCount], description: 'The number of items per status.' }),
    byMonth: t.expose('byMonth', {
      type: [MonthCount],
      description: `The number of items in the current month and each of the ${monthsAhead - 1} after it, including zeros. The current month is that of the workspace in the filter, or else of the caller's own workspace.`,
    }),
    byCategory: t.expose('byCategory', {
      type: [CategoryCount],
      description:
        'The number of items per document type, the largest first. Only those with items are listed.',
    }),
    ...Object.fromEntries(
      countedBy.map(([field, kind, type, what]) => [
        field,
        t.field({
          type: [type],
          extensions: { cost: 5_000 },
          description: `The number of items per ${what}, the largest first. Only those with items are listed.`,
          args: {
            first: t.arg.int({
              required: true,
              defaultValue: defaultPageSize,
              description: `How many entries to return, at most ${maxPageSize}.`,
            }),
          },
          resolve: (summary, { first }, { session }) => countByLinked(session, summary, kind, first),
        }),
      ]),
    ),
  }),
});

builder.queryField('expirationSummary', (t) =>
  t.field({
    type: ExpirationSummary,
    description: 'Counts the items that the caller may see.',
    args: {
      filter: t.arg({
        type: listOf('expirationItem').filter,
        description: 'Counts only items that match this filter.',
      }),
    },
    resolve: (_root, { filter }, { session }) => summarize(session, filter ?? {}),
  }),
);
