import { monthsAhead, type Summary, summarize } from '../../items/summary.js';
import { builder } from '../builder.js';
import { linkTo } from '../define/links.js';
import { Category } from './categories.js';
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
    category: t.field(
      linkTo(Category, 'category', 'categoryId', 'The document type, when the caller may see it.'),
    ),
    count: t.exposeInt('count', { description: 'How many items are of it.' }),
  }),
});

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
