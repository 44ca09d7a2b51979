import { caller } from '../app/session';
import { zoneText } from '../data/options';
import { type Language, languages, t } from '../i18n/i18n';

/** The default document type of an item. */
export const standardType = 'Generic';

type Team = NonNullable<typeof caller.value>['me']['teams'][number];

/** The reminder policy that applies if none is chosen. */
export interface InheritedPolicy {
  readonly name: string;
  readonly timeOfDay: string;
}

/** Returns the native name of a language, by its tag: `Deutsch` for `de-CH`. */
export const languageName = (tag: string): string => languages[tag.slice(0, 2) as Language] ?? tag;

/** Returns the language of mails to people who have chosen none. */
export const languageOtherwise = (): string =>
  t('common.as_organization', { value: languageName(caller.value?.organization.locale ?? 'en') });

/** Returns the default time zone of a new workspace. */
export const zoneOfOrganization = (): string =>
  t('common.as_organization', { value: zoneText(caller.value?.organization.timezone ?? 'UTC') });

const teams = (): readonly Team[] => caller.value?.me.teams ?? [];

/** Finds a workspace of the caller; by default their own. */
export const teamOf = (id: string | undefined): Team | undefined =>
  teams().find((team) => team.id === (id ?? caller.value?.me.team?.id));

/** Returns the time zone of people who have chosen none: that of the workspace. */
export function zoneOtherwise(teamIds = teams().map(({ id }) => id)): string {
  const zones = new Set(teamIds.map((id) => teamOf(id)?.timezone));
  const [zone] = zones;
  return zone && zones.size === 1
    ? t('common.as_workspace', { value: zoneText(zone) })
    : t('common.as_its_workspace');
}

/** Returns the reminders of a workspace that has chosen none. */
export function policyOfTeam(id: string | undefined): string {
  const name = teamOf(id)?.reminderPolicy?.name;
  return name ? t('common.as_workspace', { value: name }) : t('common.as_its_workspace');
}
