import { addressOf } from '../app/addresses';
import type { EventLineFragment, RecordKind } from '../generated/types';
import { formatDay } from '../i18n/dates';
import { hasText, type Key, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Ago } from '../ui/status';
import { labelOf } from './labels';

interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Formats a value for people. Ids and lists, which mean nothing to them, are undefined. */
function readable(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return t('history.empty');
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || uuid.test(value)) return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDay(value);
  return value.length > 80 ? `“${value.slice(0, 80)}…”` : `“${value}”`;
}

function changeText(kind: RecordKind, field: string, { before, after }: Change): string | undefined {
  const name = labelOf(kind, field);
  if (!name) return undefined;
  const [from, to] = [readable(before), readable(after)];
  const isTold = from !== undefined && to !== undefined;
  return isTold
    ? t('history.change', { field: name, before: from, after: to })
    : t('history.was_changed', { field: name });
}

/** Events whose changes are listed. The initial values of a record are not changes. */
const changing: ReadonlySet<string> = new Set(['UPDATED', 'RENEWED', 'AUTO_RENEWED']);

/** Reads the changed fields of an event. */
function readChanges({ details }: EventLineFragment): Readonly<Record<string, Change>> {
  try {
    return details ? JSON.parse(details) : {};
  } catch {
    return {};
  }
}

/** Describes the changes of an event. The initial values of a record are not changes. */
function changesOf(event: EventLineFragment): string[] {
  const kind = event.relatedEntities[0]?.kind;
  if (!kind || !changing.has(event.type)) return [];
  return Object.entries(readChanges(event)).flatMap(
    ([field, change]) => changeText(kind as RecordKind, field, change) ?? [],
  );
}

/** Says the state that a record's compliance has since an event. Empty for other events. */
function stateOf(event: EventLineFragment): string {
  if (event.type !== 'COMPLIANCE_CHANGED') return '';
  const key = `compliance.state_${String(readChanges(event).state?.after).toUpperCase()}`;
  return hasText(key) ? t(key as Key) : '';
}

/** Finds the record that an event is about, by its current or former name. */
function subjectOf({ relatedEntities, description }: EventLineFragment) {
  const [first] = relatedEntities;
  const named = Object.entries(first?.record ?? {}).find(([field]) => /Name$/.test(field));
  const then = /^[^"]*"(.*?)" (?:<|was|is|with|could|has)/.exec(description)?.[1];
  const name = typeof named?.[1] === 'string' ? named[1] : then;
  return { name, href: first?.record && addressOf(first.kind as RecordKind, first.id) };
}

/** Renders an event as a sentence: who did what, and what changed. */
export function EventLine({
  event,
  isOwn = false,
}: {
  readonly event: EventLineFragment;
  readonly isOwn?: boolean;
}) {
  const key = `history.${event.type}`;
  const { name, href } = subjectOf(event);
  const who = event.user?.name ?? '';
  // An event without a sentence of its own is described in the gateway's words.
  const isKnown = hasText(key) && (isOwn || name !== undefined);
  const [before = '', after] = isKnown
    ? t(key as Key, { who, state: stateOf(event) }).split('{subject}')
    : [event.description];
  const subject = isOwn ? (
    t('history.this')
  ) : href ? (
    <a href={href}>{shownName(name)}</a>
  ) : (
    <span class="strong">{shownName(name)}</span>
  );
  return (
    <li class="event">
      <p>
        {before}
        {after !== undefined && subject}
        {after}
        {' · '}
        <span class="soft small">
          <Ago moment={event.created} />
        </span>
      </p>
      {changesOf(event).map((line) => (
        <p class="soft small" key={line}>
          {line}
        </p>
      ))}
    </li>
  );
}
