import type { ListParameter, ListRoute } from '../../domain/doors/route.js';
import { eventTypes, parseEventType } from '../../domain/events.js';
import { furthestDays, type Status, statusIds } from '../../domain/status.js';
import { addedParameters } from '../route.js';
import { badParameter, readId, readInteger, readParameter, readSince } from './parameters.js';

/** Reads the event type `type`: its number or name. */
function typeIn(text: string): readonly number[] {
  const type = parseEventType(text);
  if (type === undefined) {
    const known = Object.keys(eventTypes).join(', ');
    throw badParameter('type', `must be the number of an event type, or one of ${known}`);
  }
  return [type];
}

/** Reads the status: one of the six words, in the gateway's spelling. */
function statusIn(text: string): readonly string[] {
  const word = text.toLowerCase();
  if (!Object.hasOwn(statusIds, word)) {
    const known = Object.keys(statusIds).join(', ');
    throw badParameter('status', `must be one of ${known}, not ${JSON.stringify(text.slice(0, 32))}`);
  }
  return [(word as Status).toUpperCase()];
}

/** Reads the window of days. As in the original, 0 and below do not filter. */
function daysIn(query: URLSearchParams): number | undefined {
  const days = readInteger(query, 'expiresWithinDays') ?? -1;
  if (days > furthestDays)
    throw badParameter('expiresWithinDays', `must be at most ${furthestDays}, not ${days}`);
  return days > 0 ? days : undefined;
}

/** Reads the state: one of the list's values, in the gateway's spelling. */
function stateIn(text: string, { states = [] }: ListRoute): string {
  const word = text.toUpperCase();
  if (!states.includes(word)) {
    const known = states.map((state) => state.toLowerCase()).join(', ');
    throw badParameter('state', `must be one of ${known}, not ${JSON.stringify(text.slice(0, 32))}`);
  }
  return word;
}

/** Reads the parameters that filter a list, as the gateway's filter. */
export function readFilter(query: URLSearchParams, route: ListRoute): Record<string, unknown> {
  const text = <Value>(name: ListParameter, read: (text: string) => Value) => {
    const value = readParameter(query, name);
    return value === undefined ? undefined : read(value);
  };
  const read: Partial<Record<ListParameter, () => readonly [field: string, value: unknown]>> = {
    term: () => ['term', text('term', String)],
    email: () => ['email', text('email', String)],
    type: () => ['typeIds', text('type', typeIn)],
    status: () => ['status', text('status', statusIn)],
    state: () => ['state', text('state', (word) => stateIn(word, route))],
    expiresWithinDays: () => ['expiresWithinDays', daysIn(query)],
    contact_id: () => ['contactId', readId(query, 'contact_id')],
    category_id: () => ['categoryId', readId(query, 'category_id')],
    team_id: () => ['teamId', readId(query, 'team_id')],
    modifiedSince: () => ['modifiedSince', readSince(query, 'modifiedSince')],
  };
  const members = [...route.parameters, ...addedParameters(route)].flatMap((name) => {
    const member = read[name]?.();
    return member ? [member] : [];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
