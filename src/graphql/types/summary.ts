import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import {
  type CountedKind,
  countByLinked,
  type LinkedCount,
  monthsAhead,
  type Summary,
  summarize,
} from '../../items/summary.js';
import { builder } from '../builder.js';
import { linkTo } from '../define/links.js';
import { ExpirationItemFilterInput, ExpirationStatus } from './item-filter.js';

const StatusCount = builder.objectRef<Summary['byStatus'][number]>('StatusCount').implement({
  description: 'How many items have a status.',
  fields: (t) => ({
    status: t.expose('status', { type: ExpirationStatus, description: 'The status.' }),
    count: t.exposeInt('count', { description: 'How many items have it.' }),
  }),
});

const MonthCount = builder.objectRef<Summary['byMonth'][number]>('MonthCount').implement({
  description: 'How many items have their date in a month.',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, `YYYY-MM`.' }),
    count: t.exposeInt('count', {
      description: 'How many current, notifying and expired items have their date in it.',
    }),
  }),
});

const CategoryCount = builder.objectRef<Summary['byCategory'][number]>('CategoryCount').implement({
  description: 'How many items are of a document type.',
  fields: (t) => ({
    category: t.field(linkTo('category', 'categoryId', 'The document type, when the caller may see it.')),
    count: t.exposeInt('count', { description: 'How many items are of it.' }),
  }),
});

/** Defines the type of a number of items. They are linked to a record. */
function defineCount(name: string, kind: CountedKind, what: string) {
  // As the field of one kind: of several at once, the compiler cannot tell that type and records go together.
  const link = linkTo(kind as 'tag', 'linkedId', `The ${what}.`);
  return builder.objectRef<LinkedCount>(`${name}Count`).implement({
    description: `How many items have a ${what}.`,
    fields: (t) => ({
      [kind]: t.field(link),
      count: t.exposeInt('count', { description: 'How many items have it.' }),
    }),
  });
}

/** Fields of the summary with numbers of items by linked records. */
const countedBy = [
  [
    'byContact',
    'contact',
    defineCount('Contact', 'contact', 'contact'),
    'each contact, as the main one or as one of several',
  ],
  ['byLocation', 'location', defineCount('Location', 'location', 'location'), 'each location itself'],
  ['byTag', 'tag', defineCount('Tag', 'tag', 'tag'), 'each tag'],
  [
    'byAssignedTo',
    'user',
    defineCount('User', 'user', 'user whom they are assigned to'),
    'each user whom they are assigned to',
  ],
  ['byTeam', 'team', defineCount('Team', 'team', 'workspace'), 'each workspace'],
] as const;

const ExpirationSummary = builder.objectRef<Summary>('ExpirationSummary').implement({
  description: 'How many items there are, and how they stand.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'How many items match.' }),
    byStatus: t.expose('byStatus', { type: [StatusCount], description: 'The items of each status.' }),
    byMonth: t.expose('byMonth', {
      type: [MonthCount],
      description: `The items of the current month and the ${monthsAhead - 1} after it, also where there are none. It is the month in the workspace that the filter names, or else in the caller's own.`,
    }),
    byCategory: t.expose('byCategory', {
      type: [CategoryCount],
      description: 'The items of each document type that has any, the largest number first.',
    }),
    ...Object.fromEntries(
      countedBy.map(([field, kind, type, what]) => [
        field,
        t.field({
          type: [type],
          extensions: { cost: 5_000 },
          description: `The items of ${what} that has any, the largest number first.`,
          args: {
            first: t.arg.int({
              required: true,
              defaultValue: defaultPageSize,
              description: `How many of them, at most ${maxPageSize}.`,
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
    args: { filter: t.arg({ type: ExpirationItemFilterInput, description: 'Only these.' }) },
    resolve: (_root, { filter }, { session }) => summarize(session, filter ?? {}),
  }),
);
