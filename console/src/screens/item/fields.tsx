import { addressOf, itemsAddress } from '../../app/addresses';
import { hasTeams } from '../../app/session';
import type { DataOf } from '../../data/client';
import type { ExpirationItemRecord } from '../../generated/operations/expirationItem';
import type { CategoryFields } from '../../generated/operations/items';
import type { ItemDate, NoticeEnd, NoticeRuleInput, NoticeUnit } from '../../generated/types';
import { today } from '../../i18n/dates';
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
import type { DeclaredField, Draft, EditorProps, FieldSpec } from '../../records/record-type';
import type { Option } from '../../ui/combobox';
import { SelectField, TextField } from '../../ui/field';
import { renewingText } from '../types/auto-renew';

/** An item with everything that its screen shows. */
export type ItemDetail = NonNullable<DataOf<typeof ExpirationItemRecord>['record']>;

/** Properties of a part of the screen that may change the item. */
export interface PartProps {
  readonly item: ItemDetail;
  readonly onChanged: () => Promise<void>;
}

/** Returns the acknowledgement of a current date of an item, if it still applies. */
export function acknowledgementOf(item: ItemDetail, about: ItemDate) {
  const isNotice = about === 'NOTICE';
  const found = isNotice ? item.noticeAcknowledgement : item.acknowledgement;
  if (found?.expirationDate !== (isNotice ? item.noticeDate : item.expirationDate)) return undefined;
  return !found?.snoozeUntil || found.snoozeUntil > today(item.team?.timezone) ? found : undefined;
}

/** A notice period as it is filled in. Without a number, there is none. */
interface NoticeDraft {
  readonly count: string;
  readonly unit: NoticeUnit;
  readonly before: NoticeEnd;
}

const units: readonly NoticeUnit[] = ['DAYS', 'WEEKS', 'MONTHS', 'YEARS'];
const ends: readonly NoticeEnd[] = ['EXPIRATION', 'END_OF_MONTH', 'END_OF_QUARTER', 'END_OF_YEAR'];

/** Fills the form with the notice period of an item. */
const noticeDraft = (rule: ItemDetail['noticeRule'] | undefined): NoticeDraft => ({
  count: rule ? String(rule.count) : '',
  unit: rule?.unit ?? 'MONTHS',
  before: rule?.before ?? 'EXPIRATION',
});

/** Creates the input from the form. */
const inputOfNotice = ({ count, unit, before }: NoticeDraft): NoticeRuleInput | null =>
  count.trim() === '' ? null : { count: Number(count), unit, before };

/** Describes a notice period: `6 weeks before the end of a quarter`. */
export function noticeText(rule: ItemDetail['noticeRule'] | NoticeRuleInput): string {
  if (!rule) return '';
  const span = t(`item.notice_${rule.unit}`, { n: rule.count });
  return t(`item.notice_${rule.before ?? 'EXPIRATION'}`, { value: span });
}

/** Renders the fields of the rule that computes the last day to give notice. */
function NoticeEditor({ label, value, violations, onChange }: EditorProps) {
  const draft = value as NoticeDraft;
  const set = (part: Partial<NoticeDraft>) => onChange({ ...draft, ...part });
  return (
    <fieldset class="wide stack tight ownfields">
      <legend class="label">{label}</legend>
      <div class="form">
        <TextField
          label={t('item.notice_count')}
          hint={t('item.notice_hint')}
          wrong={violations?.get('noticeRule.count') ?? violations?.get('noticeRule')}
          control={{ type: 'number', min: 1, inputMode: 'numeric' }}
          value={draft.count}
          onInput={(count) => set({ count })}
        />
        <SelectField
          label={t('types.auto_renew_unit')}
          value={draft.unit}
          onChange={(unit) => set({ unit })}
          choices={units.map((unit) => ({
            value: unit,
            label: t(unit === 'WEEKS' ? 'item.unit_WEEKS' : `types.unit_${unit}`),
          }))}
        />
        <SelectField
          label={t('item.notice_before')}
          value={draft.before}
          onChange={(before) => set({ before })}
          choices={ends.map((before) => ({ value: before, label: t(`item.end_${before}`) }))}
        />
      </div>
    </fieldset>
  );
}

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
