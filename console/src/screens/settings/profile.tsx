import { type Caller, caller, refreshCaller } from '../../app/session';
import { request } from '../../data/client';
import { findTeams, findZones, zoneOption } from '../../data/options';
import { UpdateMe, UpdateOrganization } from '../../generated/operations/settings';
import { languages, t } from '../../i18n/i18n';
import { languageOtherwise, zoneOtherwise } from '../../records/defaults';
import { DigestCard } from '../../records/digests';
import { Form } from '../../records/form/form';
import type { FieldSpec } from '../../records/record-type';
import { tell } from '../../ui/toast';

const languageOptions = Object.entries(languages).map(([id, label]) => ({ id, label }));

/** Finds languages by their native names. */
const findLanguages = (term: string) =>
  Promise.resolve(languageOptions.filter(({ label }) => label.toLowerCase().includes(term.toLowerCase())));

/** Creates the option of a language tag. */
const languageOption = (tag: string | null) =>
  tag ? (languageOptions.find(({ id }) => id === tag.slice(0, 2)) ?? { id: tag, label: tag }) : undefined;

const ownFields: readonly FieldSpec<Caller['me']>[] = [
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
          fields={ownFields}
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

const organizationFields: readonly FieldSpec<Caller['organization']>[] = [
  { type: 'text', name: 'name', label: 'fields.name', control: { autoComplete: 'organization' } },
  {
    type: 'record',
    name: 'locale',
    label: 'settings.mail_language',
    isReminding: true,
    hint: 'settings.organization_language_hint',
    otherwise: () => t('common.if_empty', { value: languages.en }),
    find: findLanguages,
    chosen: ({ locale }) => languageOption(locale),
  },
  {
    type: 'record',
    name: 'timezone',
    label: 'fields.timezone',
    hint: 'settings.organization_timezone_hint',
    otherwise: () => t('common.if_empty', { value: 'UTC' }),
    find: findZones,
    chosen: ({ timezone }) => zoneOption(timezone),
  },
];

/** Renders the organization's own values. */
export function OrganizationPart() {
  const organization = caller.value?.organization;
  if (!organization) return null;
  return (
    <div class="stack narrow">
      <div class="card">
        <Form
          key={JSON.stringify(organization)}
          fields={organizationFields}
          row={organization}
          action={t('common.save')}
          send={(input) => request(UpdateOrganization, input)}
          onDone={async () => {
            await refreshCaller();
            tell(t('common.saved'));
          }}
        />
      </div>
      {(['organization', 'users', 'contacts'] as const).map((id) => (
        <DigestCard key={id} id={id} title={`digests.of_${id}`} />
      ))}
    </div>
  );
}
