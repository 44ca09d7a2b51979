import { noDateAlias, type Status } from '../../domain/status.js';
import type { ExpirationItemFilter } from '../../items/filter.js';
import { builder } from '../builder.js';

/** The statuses of items. */
export const ExpirationStatus = builder.enumType('ExpirationStatus', {
  description: "An item's status today, in the time zone of its workspace.",
  values: {
    CURRENT: { value: 'current', description: 'Its first reminder is not due yet.' },
    NOTIFYING: { value: 'notifying', description: 'The first reminder is due.' },
    EXPIRED: { value: 'expired', description: 'Its date is past.' },
    ARCHIVED: { value: 'archived', description: 'It is not in use.' },
    NODATE: {
      value: 'nodate',
      description: 'It was filed from a scan without a date.',
      deprecationReason: 'Fields answer `NO_DATE` in its place from version 1.0 on; filters take both.',
    },
    NO_DATE: {
      value: noDateAlias,
      description:
        'It was filed from a scan without a date. For use in filters: fields return `NODATE` until version 1.0.',
    },
    MISSING: { value: 'missing', description: 'Its document is required but absent.' },
  } as const satisfies Record<
    Uppercase<Status>,
    { value: Status; description: string; deprecationReason?: string }
  > &
    Record<'NO_DATE', object>,
});

/** The filter of items. */
export const ExpirationItemFilterInput = builder
  .inputRef<ExpirationItemFilter>('ExpirationItemFilter')
  .implement({
    description: 'Filters a list of expiration items.',
    fields: (t) => ({
      term: t.string({ description: 'Part of the name or the details, ignoring case.' }),
      status: t.field({
        type: [ExpirationStatus],
        description: 'Items with one of these statuses today, in the time zone of their workspace.',
      }),
      categoryId: t.id({ description: 'Items of this document type.' }),
      contactId: t.id({
        description: 'Items with this contact, either as the main one or as one of several.',
      }),
      locationId: t.id({
        description: 'Items of this location and of all locations inside it, at any depth.',
      }),
      tagIds: t.idList({ description: 'Items with at least one of these tags.' }),
      assignedToId: t.id({ description: 'Items assigned to this user.' }),
      teamId: t.id({ description: 'Items in this workspace.' }),
      expiresAfter: t.field({ type: 'Date', description: 'Items that expire after this date.' }),
      expiresBefore: t.field({ type: 'Date', description: 'Items that expire before this date.' }),
      expiresWithinDays: t.int({
        description: 'Items that expire today or within this many days, in the time zone of their workspace.',
      }),
      isActive: t.boolean({ description: 'If true, only items in use. If false, only archived items.' }),
    }),
  });
