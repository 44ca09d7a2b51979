import type { World } from './world.js';

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const cursors = /"(WyJ[\w-]+)"/g;
const secrets = /"(?:eg[ws]_[\w-]+|[^"]*\/(?:invitations\/|sign-in\/\w+#)[\w-]+)"/g;

/** Returns a text about one world as it is about another, whose records were made in the same order. */
export function translated(text: string, from: World, to: World): string {
  const ids = new Map(from.given.map((id, at) => [id, to.given[at] ?? id]));
  return text.replace(uuids, (id) => ids.get(id) ?? id);
}

/**
 * Returns an answer with ids as numbers in the order in which it has them, as no other world makes the same
 * ids.
 */
export function anonymous(answer: unknown): unknown {
  const met = new Map<string, number>();
  const readable = JSON.stringify(answer)
    .replace(cursors, (_all, cursor: string) => JSON.stringify(Buffer.from(cursor, 'base64url').toString()))
    .replace(secrets, '"secret"')
    .replace(uuids, (id) => {
      const number = met.get(id) ?? met.size;
      met.set(id, number);
      return `id ${number}`;
    });
  return JSON.parse(readable);
}
