import { caller } from '../app/session';
import { zoneText } from '../data/zones';
import { type Language, languages, t } from '../i18n/i18n';

/** The document type of an item that is given none. */
export const standardType = 'Generic';

type Team = NonNullable<typeof caller.value>['me']['teams'][number];

/** A reminder policy that holds where none is chosen. */
export interface InheritedPolicy {
  readonly name: string;
  readonly timeOfDay: string;
}

/** Returns the name of a language in itself, by its tag: `Deutsch` for `de-CH`. */
export const languageName = (tag: string): string => languages[tag.slice(0, 2) as Language] ?? tag;

/** Says in which language people are written to who have chosen none. */
export const languageOtherwise = (): string =>
  t('common.as_organization', { value: languageName(caller.value?.organization.locale ?? 'en') });

/** Says which time zone a new workspace has if none is chosen. */
export const zoneOfOrganization = (): string =>
  t('common.as_organization', { value: zoneText(caller.value?.organization.timezone ?? 'UTC') });

const teams = (): readonly Team[] => caller.value?.me.teams ?? [];

/** Finds a workspace of the caller, their own one if none is named. */
export const teamOf = (id: string | undefined): Team | undefined =>
  teams().find((team) => team.id === (id ?? caller.value?.me.team?.id));

/** Says which time zone holds for people who have chosen none: that of the workspace. */
export function zoneOtherwise(teamIds = teams().map(({ id }) => id)): string {
  const zones = new Set(teamIds.map((id) => teamOf(id)?.timezone));
  const [zone] = zones;
  return zone && zones.size === 1
    ? t('common.as_workspace', { value: zoneText(zone) })
    : t('common.as_its_workspace');
}

/** Says which reminders hold in a workspace where none are chosen. */
export function policyOfTeam(id: string | undefined): string {
  const name = teamOf(id)?.reminderPolicy?.name;
  return name ? t('common.as_workspace', { value: name }) : t('common.as_its_workspace');
}
