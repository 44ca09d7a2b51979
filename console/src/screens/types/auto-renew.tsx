import type { AutoRenewInput, RenewalBase, RenewalUnit, RenewingFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { EditorProps } from '../../records/record-type';
import { SelectField, TextField } from '../../ui/field';

/** Ways to renew: automatically, the same after an acknowledgement, or only by people. */
type Renewer = 'auto' | 'acknowledged' | 'people';

/** A document type's renewal as it is filled in. Without a number, nothing is renewed automatically. */
export interface RenewingDraft {
  readonly every: string;
  readonly unit: RenewalUnit;
  readonly by: Renewer;
  readonly from: RenewalBase;
}

const renewers: readonly Renewer[] = ['auto', 'acknowledged', 'people'];
const bases: readonly RenewalBase[] = ['OLD_DATE', 'TODAY'];
const units: readonly RenewalUnit[] = ['DAYS', 'MONTHS', 'YEARS'];

/** Returns who renews. */
const renewerOf = ({ byPeople, requireAcknowledgement }: AutoRenewInput): Renewer =>
  byPeople ? 'people' : requireAcknowledgement ? 'acknowledged' : 'auto';

/** Fills the form with the automatic renewal. */
export const renewingDraft = (renewing: RenewingFragment | null | undefined): RenewingDraft => ({
  every: renewing ? String(renewing.every) : '',
  unit: renewing?.unit ?? 'YEARS',
  by: renewing ? renewerOf(renewing) : 'auto',
  from: renewing?.from ?? 'OLD_DATE',
});

/** Creates the input from the form. */
export const inputOfRenewing = ({ every, unit, by, from }: RenewingDraft): AutoRenewInput | null =>
  every.trim() === ''
    ? null
    : {
        ...{ every: Number(every), unit, from },
        ...{ byPeople: by === 'people', requireAcknowledgement: by === 'acknowledged' },
      };

/** Describes the automatic renewal: `every 2 years`. */
export function renewingText(renewing: AutoRenewInput | null): string {
  if (!renewing) return '';
  const by = renewerOf(renewing);
  const text = t(`types.every_${renewing.unit}`, { n: renewing.every });
  return by === 'auto' ? text : `${text} (${t(`types.renewed_${by}`)})`;
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
        <div class="form">
          <SelectField
            label={t('types.renewed')}
            value={draft.by}
            onChange={(by) => set({ by })}
            choices={renewers.map((by) => ({ value: by, label: t(`types.renewed_${by}`) }))}
          />
          <SelectField
            label={t('types.renewed_from')}
            hint={t('types.renewed_from_hint')}
            value={draft.from}
            onChange={(from) => set({ from })}
            choices={bases.map((from) => ({ value: from, label: t(`types.from_${from}`) }))}
          />
        </div>
      )}
    </fieldset>
  );
}
