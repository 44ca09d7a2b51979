import type { NoticeEnd, NoticeRuleInput, NoticeUnit } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { EditorProps } from '../../records/record-type';
import { SelectField, TextField } from '../../ui/field';
import type { ItemDetail } from './item';

/** A notice period as it is filled in. Without a number, there is none. */
export interface NoticeDraft {
  readonly count: string;
  readonly unit: NoticeUnit;
  readonly before: NoticeEnd;
}

const units: readonly NoticeUnit[] = ['DAYS', 'WEEKS', 'MONTHS', 'YEARS'];
const ends: readonly NoticeEnd[] = ['EXPIRATION', 'END_OF_MONTH', 'END_OF_QUARTER', 'END_OF_YEAR'];

/** Fills the form with the notice period of an item. */
export const noticeDraft = (rule: ItemDetail['noticeRule'] | undefined): NoticeDraft => ({
  count: rule ? String(rule.count) : '',
  unit: rule?.unit ?? 'MONTHS',
  before: rule?.before ?? 'EXPIRATION',
});

/** Creates the input from the form. */
export const inputOfNotice = ({ count, unit, before }: NoticeDraft): NoticeRuleInput | null =>
  count.trim() === '' ? null : { count: Number(count), unit, before };

/** Describes a notice period: `6 weeks before the end of a quarter`. */
export function noticeText(rule: ItemDetail['noticeRule'] | NoticeRuleInput): string {
  if (!rule) return '';
  const span = t(`item.notice_${rule.unit}`, { n: rule.count });
  return t(`item.notice_${rule.before ?? 'EXPIRATION'}`, { value: span });
}

/** Renders the fields of the rule that computes the last day to give notice. */
export function NoticeEditor({ label, value, violations, onChange }: EditorProps) {
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
