import { type Caller, caller, refreshCaller } from '../../app/session';
import { request } from '../../data/client';
import { findZones, zoneOption } from '../../data/zones';
import { UpdateOrganization } from '../../generated/operations/settings';
import { languages, t } from '../../i18n/i18n';
import { DigestCard } from '../../records/digests';
import { Form } from '../../records/form/form';
import type { FieldSpec } from '../../records/record-type';
import { tell } from '../../ui/toast';
import { findLanguages, languageOption } from './profile';

const fields: readonly FieldSpec<Caller['organization']>[] = [
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
          fields={fields}
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
