import type { DataOf } from '../data/operation';
import type { Search } from '../generated/operations/app';
import type { RecordKind } from '../generated/types';
import { hasText, type Key, t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import type { IconName } from '../ui/icon';
import { addressOf, hasScreen, recordKinds } from './addresses';
import { screens } from './screens';
import { hasTeams, may } from './session';

/** A search result, and the address that it leads to. */
export interface Hit {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  /** The kind of record and where it belongs, which distinguishes records of the same name. */
  readonly where: string;
  /** The matching text, if it is not the name. */
  readonly snippet?: string | undefined;
  readonly date?: string | null;
  readonly timeZone?: string | undefined;
  readonly href: string;
}

type Result = DataOf<typeof Search>['search']['nodes'][number];
type Found = NonNullable<Result['record']>;

/** Icons of records that have no screen. */
const icons: Readonly<Partial<Record<RecordKind, IconName>>> = {
  ATTACHMENT: 'file',
  CONTACT_TYPE: 'people',
  NOTE: 'edit',
  TAG: 'star',
  TEAM: 'home',
  WATCH: 'bell',
};

/** Returns the name of a record, whichever field has it. */
function nameOf(record: object): string {
  const named = Object.entries(record).find(([field, value]) => /Name$/.test(field) && value);
  return typeof named?.[1] === 'string' ? named[1] : '';
}

/** Finds the address that shows a record. Notes and files are shown with their owners. */
function hrefOf({ kind, record }: Result): string | undefined {
  if (record?.__typename === 'Note') {
    const [first] = record.relations;
    return first && addressOf(first.kind, first.entityId);
  }
  if (record?.__typename === 'Attachment') return addressOf('EXPIRATION_ITEM', record.entityId);
  return record ? addressOf(kind, record.id) : undefined;
}

/** Lists what a record belongs to, or what distinguishes it from others, the nearest first. */
function belongingsOf(record: Found): readonly (string | null | undefined)[] {
  switch (record.__typename) {
    case 'ExpirationItem':
      return [record.category?.name];
    case 'Vehicle':
      return [record.licensePlate];
    case 'Contact':
      return [record.email];
    case 'Company':
      return [record.city];
    case 'Location':
      return [record.parentLocation?.name];
    case 'Attachment':
      return [record.expirationItem?.name];
    case 'Note':
      return [record.relations.flatMap(({ record: about }) => (about && nameOf(about)) || []).join(', ')];
    default:
      return [];
  }
}

/** Returns the workspace that a record belongs to. */
function teamOf(record: Found) {
  if (record.__typename === 'Attachment') return record.expirationItem?.team;
  return 'team' in record ? record.team : undefined;
}

/** Creates the search result of a record; none if no screen shows it. */
export function hitOf(result: Result): Hit[] {
  const { record, kind, field, snippet } = result;
  const href = hrefOf(result);
  if (!record || !href) return [];
  const label = shownName(nameOf(record), snippet);
  const team = teamOf(record);
  const word = `kinds.${kind}`;
  const kindName = hasText(word) && t(word);
  return [
    {
      key: kind + record.id,
      icon: hasScreen(kind) ? recordKinds[kind].icon : (icons[kind] ?? 'items'),
      label,
      where: joinNames(kindName, ...belongingsOf(record), hasTeams() && team?.name),
      snippet: field === 'name' || snippet === label ? undefined : snippet,
      date: record.__typename === 'ExpirationItem' ? record.expirationDate : null,
      timeZone: team?.timezone,
      href,
    },
  ];
}

/** Lists the screens whose name contains the text. */
export function screenHits(term: string): Hit[] {
  return screens.flatMap(({ path, navigation, permission }) => {
    if (!navigation || (permission && !may(permission))) return [];
    const label = t(navigation.label as Key);
    const isIt = label.toLocaleLowerCase().includes(term.toLocaleLowerCase());
    return isIt ? [{ key: path, icon: navigation.icon, label, where: t('kinds.SCREEN'), href: path }] : [];
  });
}
