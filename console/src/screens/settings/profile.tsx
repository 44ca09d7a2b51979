import { type Caller, caller, refreshCaller } from '../../app/session';
import { request } from '../../data/client';
import { findTeams } from '../../data/options';
import { findZones, zoneOption } from '../../data/zones';
import { UpdateMe } from '../../generated/operations/settings';
import { languages, t } from '../../i18n/i18n';
import { languageOtherwise, zoneOtherwise } from '../../records/defaults';
import { DigestCard } from '../../records/digests';
import { Form } from '../../records/form/form';
import type { FieldSpec } from '../../records/record-type';
import { tell } from '../../ui/toast';

const languageOptions = Object.entries(languages).map(([id, label]) => ({ id, label }));

/** Finds languages by their native names. */
export const findLanguages = (term: string) =>
  Promise.resolve(languageOptions.filter(({ label }) => label.toLowerCase().includes(term.toLowerCase())));

/** Creates the option of a language tag. */
export const languageOption = (tag: string | null) =>
  tag ? (languageOptions.find(({ id }) => id === tag.slice(0, 2)) ?? { id: tag, label: tag }) : undefined;

const fields: readonly FieldSpec<Caller['me']>[] = [
  { type: 'text', name: 'name', label: 'fields.name', control: { autoComplete: 'name' } },
  {
    type: 'record',
    name: 'language',
    label: 'settings.mail_language',
    isReminding: true,
    otherwise: languageOtherwise,
    find: findLanguages,
    chosen: ({ language }) => languageOption(language),
  },
  {
    type: 'record',
    name: 'timezone',
    label: 'fields.timezone',
    hint: 'settings.timezone_hint',
    otherwise: () => zoneOtherwise(),
    find: findZones,
    chosen: ({ timezone }) => (timezone ? zoneOption(timezone) : undefined),
  },
  {
    type: 'record',
    name: 'teamId',
    label: 'settings.default_team',
    find: findTeams,
    chosen: ({ team }) => (team ? { id: team.id, label: team.name } : undefined),
  },
];

/** Renders what people can change about themselves. */
export function ProfilePart() {
  const me = caller.value?.me;
  if (!me) return null;
  return (
    <div class="stack narrow">
      <div class="card">
        <Form
          key={JSON.stringify(me)}
          fields={fields}
          row={me}
          action={t('common.save')}
          send={(input) => request(UpdateMe, input)}
          onDone={async () => {
            await refreshCaller();
            tell(t('common.saved'));
          }}
        />
      </div>
      <DigestCard id="me" />
    </div>
  );
}
