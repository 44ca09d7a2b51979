import { languages, t } from '../../i18n/i18n';
import { Check, type Choice, SelectField, TextField } from '../../ui/field';
import { FirstWayFields } from './first-way';
import type { StepProps } from './setup-draft';

/** Renders the questions about the first person and their organization. */
export function PersonStep({ draft, change, fault, isTried, ways }: StepProps) {
  return (
    <>
      <TextField
        label={t('door.organization')}
        wrong={fault?.violations.get('organization')}
        value={draft.organization}
        onInput={(organization) => change({ organization })}
        control={{ required: true, autoComplete: 'organization' }}
      />
      <TextField
        label={t('door.your_name')}
        wrong={fault?.violations.get('name')}
        value={draft.name}
        onInput={(name) => change({ name })}
        control={{ required: true, autoComplete: 'name' }}
      />
      <TextField
        label={t('door.email')}
        hint={t('door.email_hint')}
        wrong={fault?.violations.get('email')}
        value={draft.email}
        onInput={(email) => change({ email })}
        control={{
          type: 'email',
          required: true,
          autoComplete: 'username',
          autoCapitalize: 'none',
          spellcheck: false,
        }}
      />
      <FirstWayFields
        way={draft.way}
        ways={ways}
        change={(changes) => change({ way: { ...draft.way, ...changes } })}
        fault={fault}
        isTried={isTried}
      />
    </>
  );
}

const choicesOf = (names: readonly string[]): Choice<string>[] =>
  names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }));

/** Lists all time zones, with the one that the browser has. */
const zones = (own: string) =>
  choicesOf([...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort());

/** Renders the questions about time zone, language and the demo. */
export function PlaceStep({ draft, change }: StepProps) {
  return (
    <>
      <SelectField
        label={t('fields.timezone')}
        hint={t('door.timezone_hint')}
        value={draft.timezone}
        onChange={(timezone) => change({ timezone })}
        choices={zones(draft.timezone)}
      />
      <SelectField
        label={t('session.language')}
        hint={t('door.language_hint')}
        value={draft.language}
        onChange={(language) => change({ language })}
        choices={Object.entries(languages).map(([value, label]) => ({
          value: value as keyof typeof languages,
          label,
        }))}
      />
      <div>
        <Check label={t('door.demo')} checked={draft.demo} onChange={(demo) => change({ demo })} />
        <p class="soft small">{t('door.demo_hint')}</p>
      </div>
    </>
  );
}
