import { noDateAlias, type Status } from '../../domain/status.js';
import type { ExpirationItemFilter } from '../../items/filter.js';
import { builder } from '../builder.js';

/** The statuses of items. */
export const ExpirationStatus = builder.enumType('ExpirationStatus', {
  description: 'Where an item stands today, in the time zone of its workspace.',
  values: {
    CURRENT: { value: 'current', description: 'Its date is further away than the first reminder.' },
    NOTIFYING: { value: 'notifying', description: 'The first reminder is due.' },
    EXPIRED: { value: 'expired', description: 'Its date is past.' },
    ARCHIVED: { value: 'archived', description: 'It is not in use.' },
    NODATE: {
      value: 'nodate',
      description: 'It was filed by a scan that had no date.',
      deprecationReason: 'Fields answer `NO_DATE` in its place from version 1.0 on; filters take both.',
    },
    NO_DATE: {
      value: noDateAlias,
      description:
        'It was filed by a scan that had no date. For filters; fields answer `NODATE` until version 1.0.',
    },
    MISSING: { value: 'missing', description: 'Its document is required and absent.' },
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
    description: 'What a list of expiration items is narrowed to.',
    fields: (t) => ({
      term: t.string({ description: 'Part of the name or the details, in any letter case.' }),
      status: t.field({
        type: [ExpirationStatus],
        description: 'Items that stand at one of these today, each in the time zone of its workspace.',
      }),
      categoryId: t.id({ description: 'Items of a document type.' }),
      contactId: t.id({ description: 'Items with this contact, as the main one or as one of several.' }),
      locationId: t.id({ description: 'Items of a location and of all that lie in it, at any depth.' }),
      tagIds: t.idList({ description: 'Items with at least one of these tags.' }),
      assignedToId: t.id({ description: 'Items assigned to a user.' }),
      teamId: t.id({ description: 'Items of a workspace.' }),
      expiresAfter: t.field({ type: 'Date', description: 'Items whose date is later than this.' }),
      expiresBefore: t.field({ type: 'Date', description: 'Items whose date is earlier than this.' }),
      expiresWithinDays: t.int({
        description:
          'Items whose date is today or at most so many days ahead, each by the day of its workspace.',
      }),
      isActive: t.boolean({ description: 'Items in use only, or none of them.' }),
    }),
  });
