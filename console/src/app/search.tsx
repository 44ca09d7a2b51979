import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type DataOf, request } from '../data/client';
import { Search as SearchOperation } from '../generated/operations/app';
import type { Permission, RecordKind } from '../generated/types';
import { hasText, type Key, t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import { nothingText } from '../i18n/nothing';
import { Icon, type IconName } from '../ui/icon';
import { Countdown } from '../ui/status';
import { addressOf, hasScreen, recordKinds } from './addresses';
import { follow } from './router';
import { screens } from './screens';
import { hasTeams, may } from './session';
import { seenSettings } from './settings';

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
  readonly href: string;
}

type Result = DataOf<typeof SearchOperation>['search']['nodes'][number];
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
      href,
    },
  ];
}

/** Returns whether a name has all words of a text, in any letter case. */
const hasWords = (name: string, text: string) =>
  text
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => name.toLocaleLowerCase().includes(word));

/** Lists the screens and parts of the settings whose names have the words. */
export function screenHits(term: string): Hit[] {
  const hit = (href: string, icon: IconName, key: Key) => {
    const label = t(key);
    return hasWords(label, term) ? [{ key: href, icon, label, where: t('kinds.SCREEN'), href }] : [];
  };
  return [
    ...screens.flatMap(({ path, navigation, permission }) =>
      !navigation || (permission && !may(permission))
        ? []
        : hit(path, navigation.icon, navigation.label as Key),
    ),
    // The first is what the screen of the settings shows.
    ...(term === '' ? [] : seenSettings().flatMap(({ href, title }) => hit(href, 'settings', title))),
  ].filter((one, place, all) => all.findIndex(({ href }) => href === one.href) === place);
}

interface Action {
  readonly icon: IconName;
  readonly label: Key;
  readonly href: string;
  readonly permission: Permission;
}

/** Actions that people begin anywhere. */
const actions: readonly Action[] = [
  ...Object.values(recordKinds).flatMap(({ folder }): Action[] => {
    const label = `${folder.slice(1)}.add`;
    return hasText(label) ? [{ icon: 'plus', label, href: `${folder}/new`, permission: 'WRITE' }] : [];
  }),
  { icon: 'renew', label: 'items.renew', href: '/items?due=60', permission: 'WRITE' },
  { icon: 'upload', label: 'imports.import', href: '/imports', permission: 'WRITE' },
  { icon: 'people', label: 'settings.invite', href: '/settings/people?new=1', permission: 'ADMINISTER' },
];

/** Lists the actions whose names have the words. */
const actionHits = (term: string): Hit[] =>
  actions.flatMap(({ icon, label: name, href, permission }) => {
    const label = t(name);
    if (!may(permission) || !hasWords(label, term)) return [];
    return [{ key: `do${href}`, icon, label, where: t('kinds.ACTION'), href }];
  });

/** Divides what is typed into an action on items and the item: `renew insurance`. */
function readTerm(typed: string): { readonly term: string; readonly isRenewal: boolean } {
  const term = typed.trim();
  const verb = `${t('items.renew')} `;
  const isRenewal = may('WRITE') && term.toLocaleLowerCase().startsWith(verb.toLocaleLowerCase());
  return { term: isRenewal ? term.slice(verb.length).trim() : term, isRenewal };
}

/** Creates the search result that opens the renewal of an item. */
const renewalHit = (hit: Hit): Hit => ({
  ...hit,
  icon: 'renew',
  label: `${t('items.renew')}: ${hit.label}`,
  href: `${hit.href}?renew=1`,
});

/** Counts the letters and digits of a text. The gateway searches for three and more. */
const countTelling = (term: string) => term.match(/[\p{L}\p{Nd}]/gu)?.length ?? 0;

/** Searches records while somebody types, once the text is long enough. */
function useHits(typed: string): readonly Hit[] | undefined {
  const [hits, setHits] = useState<readonly Hit[]>();
  const { term, isRenewal } = readTerm(typed);
  const isLong = countTelling(term) >= 3;
  useEffect(() => {
    if (!isLong) return setHits(undefined);
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await request(SearchOperation, { term }, abort.signal);
      if (abort.signal.aborted) return;
      const nodes = outcome.ok ? outcome.data.search.nodes : [];
      const items = nodes.filter(({ kind }) => kind === 'EXPIRATION_ITEM');
      setHits(isRenewal ? items.flatMap(hitOf).map(renewalHit) : nodes.flatMap(hitOf));
    }, 150);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [term, isLong, isRenewal]);
  return isLong ? hits : [];
}

/** Says what to do when a search finds nothing, or cannot find anything yet. */
function hintOf(typed: string, found: readonly Hit[] | undefined, count: number): string | undefined {
  const { term } = readTerm(typed);
  const letters = countTelling(term);
  if (found === undefined) return t('common.loading');
  if (letters < 3) return t('common.search_hint');
  if (count > 0) return undefined;
  return nothingText(term);
}

/** Renders the search over all records. Typing searches, arrows select, Enter opens. */
export function Search({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const term = typed.trim();
  const found = useHits(term);
  const hits = [...screenHits(term), ...actionHits(term), ...(found ?? [])];
  // Before the next key press, so that everything typed after opening the search goes into it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, list]);

  function open(hit: Hit | undefined) {
    if (!hit) return;
    onClose();
    follow(hit.href);
  }
  function press(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      event.preventDefault();
      setAt((at + step + hits.length) % Math.max(1, hits.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(hits[at]);
    }
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={dialog}
      class="dialog finder"
      aria-label={t('common.search')}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div class="finderhead">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={hits[at] ? `${list}-${at}` : undefined}
          aria-label={t('common.search')}
          placeholder={t('common.search')}
          autoComplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div class="options" id={list} role="listbox" aria-label={t('common.search')} tabIndex={-1}>
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's, which keeps the focus.
          <div
            key={hit.key}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => open(hit)}
          >
            <Icon name={hit.icon} />
            <span class="hit">
              <span class="clip">{hit.label}</span>
              <span class="soft small clip">{hit.where}</span>
              {hit.snippet && <span class="soft small clip">{hit.snippet}</span>}
            </span>
            {hit.date && (
              <span class="small push">
                <Countdown date={hit.date} />
              </span>
            )}
          </div>
        ))}
      </div>
      <p class="finderhint soft small" role="status">
        {hintOf(typed, found, hits.length)}
      </p>
    </dialog>
  );
}
