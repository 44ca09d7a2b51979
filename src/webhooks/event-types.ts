import { type EventName, entityKinds, eventTypes } from '../domain/events.js';
import type { EntityKind } from '../domain/models.js';
import { snakeCase } from '../domain/text/names.js';

/** Events that happen to records of every kind, by the last part of their types. */
const common = ['created', 'updated', 'deleted', 'archived', 'restored'] as const satisfies EventName[];

/** Types of messages about events that only some records have. */
const particular: Partial<Record<EventName, string>> = {
  renewed: 'expiration_item.renewed',
  'auto renewed': 'expiration_item.auto_renewed',
  acknowledged: 'expiration_item.acknowledged',
  'became due': 'expiration_item.became_due',
  expired: 'expiration_item.expired',
  'reminder sent': 'reminder.sent',
  'reminder failed': 'reminder.failed',
  'scan received': 'upload.received',
  'scan filed': 'upload.filed',
  'scan failed': 'upload.failed',
  'webhook disabled': 'webhook_endpoint.disabled',
  imported: 'import.done',
};

/** Type of the message that tests an endpoint. Every endpoint can get it. */
export const testType = 'webhook.test';

/** All types of messages that endpoints can ask for. */
export const webhookTypes: readonly string[] = [
  ...[...entityKinds.values()].flatMap((kind) => common.map((verb) => `${snakeCase(kind)}.${verb}`)),
  ...Object.values(particular),
];

/** Kinds of the records that messages of particular types are about. */
const particularKinds: Readonly<Record<string, EntityKind>> = {
  expiration_item: 'expirationItem',
  reminder: 'expirationItem',
  upload: 'uploadNotification',
};

/** Returns the kind of the records that messages of a type are about. Some are about none. */
export function kindOfType(type: string): EntityKind | undefined {
  const [first = ''] = type.split('.');
  return particularKinds[first] ?? [...entityKinds.values()].find((kind) => snakeCase(kind) === first);
}

const names = new Map<number, EventName>(
  Object.entries(eventTypes).map(([name, id]) => [id, name as EventName]),
);

/**
 * Returns the type of the message about an event.
 * @param kind of the first record that the event is about
 * @returns undefined for events that no endpoint hears of, such as those about tokens
 */
export function webhookTypeOf(typeId: number, kind: EntityKind | undefined): string | undefined {
  const name = names.get(typeId);
  if (name === undefined) return undefined;
  const own = particular[name];
  if (own !== undefined || kind === undefined) return own;
  return (common as readonly EventName[]).includes(name) ? `${snakeCase(kind)}.${name}` : undefined;
}

/** Returns whether a pattern (`*`, `vehicle.*` or a whole type) includes a type. */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

/** Checks a pattern. It must include at least one type. */
export const isTypePattern = (pattern: string): boolean =>
  webhookTypes.some((type) => matchesType(pattern, type));
