import { findCompanies, findContacts, findLocations, findTags, findVehicles } from '../../data/options';
import type { ExpirationItemFilter, ExpirationStatus } from '../../generated/types';
import { today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import type { Filter } from '../../list/declare';
import { filtersByRecords } from '../../records/declared';
import { statusText } from '../../ui/status';

const statuses = ['EXPIRED', 'NOTIFYING', 'CURRENT', 'MISSING', 'NO_DATE', 'ARCHIVED'] as const;

const isStatus = (word: string): word is ExpirationStatus => statuses.some((known) => known === word);

/** Converts how soon something expires to a condition. */
function soonIs(due: string): ExpirationItemFilter | undefined {
  if (due === '') return {};
  if (due === 'overdue') return { status: ['EXPIRED'] };
  return /^\d{1,4}$/.test(due) ? { expiresWithinDays: Number(due) } : undefined;
}

function statusIs(words: string): ExpirationItemFilter | undefined {
  // Archived items are inactive, and shown only on request.
  if (words === '') return { isActive: true };
  if (words === 'all') return {};
  const known = words.split(',');
  return known.every(isStatus) ? { status: known } : undefined;
}

/** Converts how soon notice must be given to a condition. */
function noticeIs(soon: string): ExpirationItemFilter | undefined {
  if (soon === '') return {};
  if (soon === 'past') return { noticeBefore: today() };
  return /^\d{1,4}$/.test(soon) ? { noticeWithinDays: Number(soon) } : undefined;
}

/** Filters by whose paper an item is. */
const holderFilters: readonly Filter<ExpirationItemFilter>[] = (
  [
    ['VEHICLE', 'fields.EXPIRATION_ITEM_holderVehicle', findVehicles],
    ['CONTACT', 'fields.EXPIRATION_ITEM_holderContact', findContacts],
    ['COMPANY', 'fields.EXPIRATION_ITEM_holderCompany', findCompanies],
    ['LOCATION', 'fields.EXPIRATION_ITEM_holderLocation', findLocations],
  ] as const
).map(([kind, label, find]) => ({
  type: 'record',
  // The filter by contacts is about who is told, and that by locations about where an item is.
  name: `paperOf${kind}`,
  label,
  find,
  where: (id) => (id ? { holder: { kind, id } } : {}),
}));

/** Filters of the list of items. */
export const itemFilters: readonly Filter<ExpirationItemFilter>[] = [
  {
    type: 'bar',
    name: 'due',
    label: 'items.due',
    where: soonIs,
    choices: () => [
      { value: '', label: t('items.any_date') },
      { value: 'overdue', label: t('items.overdue') },
      ...[7, 30, 60, 90].map((n) => ({ value: String(n), label: t('start.within', { n }) })),
    ],
  },
  {
    type: 'choice',
    name: 'notice',
    label: 'fields.noticeDate',
    where: noticeIs,
    choices: () => [
      { value: '', label: t('items.any_notice') },
      { value: 'past', label: t('items.notice_past') },
      ...[7, 30, 60, 90].map((n) => ({ value: String(n), label: t('start.within', { n }) })),
    ],
  },
  {
    type: 'choice',
    name: 'status',
    label: 'items.status',
    where: statusIs,
    choices: () => [
      { value: '', label: t('fields.isActive') },
      ...statuses.map((value) => ({ value, label: statusText(value) })),
      { value: 'all', label: t('list.with_archived') },
    ],
  },
  ...filtersByRecords<ExpirationItemFilter>('EXPIRATION_ITEM', {
    categoryId: { name: 'type' },
    // Any of an item's contacts, not only the main one.
    contactId: { label: 'items.contact' },
    assignedToId: { name: 'assigned' },
  }),
  {
    type: 'record',
    name: 'location',
    label: 'items.location',
    find: findLocations,
    isMany: true,
    where: (ids) => (ids ? { locationIds: ids.split(',') } : {}),
  },
  {
    type: 'record',
    name: 'tag',
    label: 'items.tag',
    find: findTags,
    isMany: true,
    where: (ids) => (ids ? { tagIds: ids.split(',') } : {}),
  },
  {
    type: 'linked',
    name: 'mail',
    label: 'items.of_mail',
    where: (id) => (id ? { deliveryId: id } : {}),
  },
  {
    type: 'linked',
    name: 'import',
    label: 'imports.of_import',
    where: (id) => (id ? { importId: id } : {}),
  },
  ...holderFilters,
  {
    type: 'date',
    name: 'from',
    label: 'items.from',
    chip: 'items.from_date',
    where: (day) => (day ? { expirationDate: { gte: day } } : {}),
  },
  {
    type: 'date',
    name: 'until',
    label: 'items.until',
    chip: 'items.until_date',
    where: (day) => (day ? { expirationDate: { lt: day } } : {}),
  },
];
