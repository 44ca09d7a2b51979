import type { AutoRenewInput, RenewalUnit, RenewingFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { EditorProps } from '../../records/record-type';
import { Check, SelectField, TextField } from '../../ui/field';

/**
 * A document type's automatic renewal as it is filled in. Without a number, nothing is renewed automatically.
 */
export interface RenewingDraft {
  readonly every: string;
  readonly unit: RenewalUnit;
  readonly requireAcknowledgement: boolean;
}

const units: readonly RenewalUnit[] = ['DAYS', 'MONTHS', 'YEARS'];

/** Fills the form with the automatic renewal. */
export const renewingDraft = (renewing: RenewingFragment | null | undefined): RenewingDraft => ({
  every: renewing ? String(renewing.every) : '',
  unit: renewing?.unit ?? 'YEARS',
  requireAcknowledgement: renewing?.requireAcknowledgement ?? false,
});

/** Creates the input from the form. */
export const inputOfRenewing = ({ every, ...others }: RenewingDraft): AutoRenewInput | null =>
  every.trim() === '' ? null : { every: Number(every), ...others };

/** Describes the automatic renewal: `every 2 years`. */
export function renewingText(renewing: AutoRenewInput | null): string {
  if (!renewing) return '';
  const { every, unit, requireAcknowledgement } = renewing;
  const text = t(`types.every_${unit}`, { n: every });
  return requireAcknowledgement ? `${text} (${t('types.auto_renew_acknowledged')})` : text;
}

/** Renders the fields of the automatic renewal. */
export function AutoRenewEditor({ label, value, violations, onChange }: EditorProps) {
  const draft = value as RenewingDraft;
  const set = (part: Partial<RenewingDraft>) => onChange({ ...draft, ...part });
  return (
    <fieldset class="wide stack tight ownfields">
      <legend class="label">{label}</legend>
      <div class="form">
        <TextField
          label={t('types.auto_renew_every')}
          hint={t('types.auto_renew_hint')}
          wrong={violations?.get('autoRenew.every') ?? violations?.get('autoRenew')}
          control={{ type: 'number', min: 1, inputMode: 'numeric' }}
          value={draft.every}
          onInput={(every) => set({ every })}
        />
        <SelectField
          label={t('types.auto_renew_unit')}
          value={draft.unit}
          onChange={(unit) => set({ unit })}
          choices={units.map((unit) => ({ value: unit, label: t(`types.unit_${unit}`) }))}
        />
      </div>
      {draft.every.trim() !== '' && (
        <Check
          label={t('types.auto_renew_acknowledged')}
          checked={draft.requireAcknowledgement}
          onChange={(requireAcknowledgement) => set({ requireAcknowledgement })}
        />
      )}
    </fieldset>
  );
}
