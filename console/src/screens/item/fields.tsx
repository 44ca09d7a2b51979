import { addressOf, itemsAddress } from '../../app/addresses';
import { hasTeams } from '../../app/session';
import type { DataOf } from '../../data/operation';
import type { CategoryFields } from '../../generated/operations/items';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { type FieldName, fieldsOf } from '../../records/declared';
import { policyOfTeam, standardType, teamOf } from '../../records/defaults';
import {
  findHolders,
  holderOption,
  holderReference,
  kindOfHolder,
  nameOfHolder,
} from '../../records/holders';
import type { DeclaredField, Draft, FieldSpec } from '../../records/record-type';
import type { Option } from '../../ui/combobox';
import { renewingText } from '../types/auto-renew';
import type { ItemDetail } from './item';
import { inputOfNotice, type NoticeDraft, NoticeEditor, noticeDraft, noticeText } from './notice';

/** A document type with what it gives its items. */
export type TypeDetail = NonNullable<DataOf<typeof CategoryFields>['category']>;

type Name = FieldName<'EXPIRATION_ITEM'>;

/** A field of an item. */
export type Field = FieldSpec<ItemDetail, Name>;

type Declared = DeclaredField<ItemDetail, Name>;

/** Returns the id of the record that is chosen in a field. */
export const idIn = (draft: Draft | undefined, name: string): string | undefined =>
  (draft?.[name] as Option | undefined)?.id;

/** Says which time of day applies if none is given. */
function timeHint(draft: Draft, type: TypeDetail | undefined): string {
  const inherited = type?.reminderPolicy ?? teamOf(idIn(draft, 'teamId'))?.reminderPolicy;
  const time = !draft.reminderPolicyId && inherited?.timeOfDay.slice(0, 5);
  return time ? t('item.time_hint', { value: time }) : t('item.time_hint_any');
}

const notice: Declared = {
  type: 'own',
  name: 'noticeRule',
  fact: false,
  read: (item) => noticeDraft(item?.noticeRule),
  send: (draft: NoticeDraft) => inputOfNotice(draft),
  words: (draft: NoticeDraft) => noticeText(inputOfNotice(draft)),
  Editor: NoticeEditor,
};

const what: readonly Declared[] = [
  { name: 'name', isWide: true, fact: false },
  {
    type: 'records',
    name: 'holders',
    fact: false,
    find: findHolders,
    chosen: ({ holders }) =>
      holders.nodes.map((holder) => holderOption(kindOfHolder(holder), holder.id, nameOfHolder(holder))),
    sent: holderReference,
  },
  {
    name: 'category',
    otherwise: () => t('common.if_empty', { value: standardType }),
    fact: ({ category }) =>
      category && (
        <>
          <a href={addressOf('CATEGORY', category.id)}>{shownName(category.name)}</a>{' '}
          <span class="soft small">{renewingText(category.autoRenew)}</span>
        </>
      ),
  },
  { name: 'expirationDate', fact: false },
  { name: 'noticeDate', fact: false },
  notice,
  { name: 'customFields', isValuesOnly: true },
];

const whoAndWhere = (): readonly Declared[] => [
  { name: 'contactId', fact: false },
  { name: 'assignedTo', otherwise: () => t('common.nobody') },
  { name: 'contacts', fact: false },
  { name: 'locations', fact: false },
  {
    name: 'tags',
    isOpen: true,
    fact: ({ tags }) =>
      tags.length > 0 && (
        <span class="line">
          {tags.map(({ id, name }) => (
            <a key={id} class="tag" href={itemsAddress({ tag: id })}>
              {shownName(name)}
            </a>
          ))}
        </span>
      ),
  },
  ...(hasTeams() ? [{ name: 'teamId', fact: false } as const] : []),
];

/** Lists the fields that a document type decides about. */
const more = (type: TypeDetail | undefined): readonly Declared[] => [
  { type: 'area', name: 'details' },
  { type: 'time', name: 'timeOfDay', hint: (draft) => timeHint(draft, type) },
  {
    name: 'reminderPolicyId',
    label: 'item.policy',
    isReminding: ({ reminderMode }) => !reminderMode,
    otherwise: (_item, draft) =>
      type?.reminderPolicy
        ? t('common.as_type', { value: type.reminderPolicy.name })
        : policyOfTeam(idIn(draft, 'teamId')),
    fact: ({ effectivePolicy: effective }) =>
      effective && (
        <>
          <a href={addressOf('REMINDER_POLICY', effective.policy.id)}>{shownName(effective.policy.name)}</a>{' '}
          <span class="soft small">{t(`item.policy_${effective.from}`)}</span>
        </>
      ),
  },
  { name: 'renewUntil', isShown: () => Boolean(type?.autoRenew) },
  { name: 'renewalsLeft', hint: 'item.renewals_left_hint', isShown: () => Boolean(type?.autoRenew) },
  { name: 'isMissing', label: 'item.is_missing', fact: false },
  {
    ...{ type: 'check', name: 'reminderMode', label: 'item.is_silent', values: ['OFF', 'INHERIT'] },
    fact: false,
  },
];

/** Lists the fields of an item, in the cards of its form. */
export function itemFields(type?: TypeDetail): readonly Field[] {
  const cards = [
    ['item.what', what],
    ['item.who_where', whoAndWhere()],
    ['item.more', more(type)],
  ] as const;
  return cards.flatMap(([section, fields]) =>
    fieldsOf('EXPIRATION_ITEM', 'item', fields).map((field) => ({ ...field, section })),
  );
}
