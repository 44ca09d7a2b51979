import { signal } from '@preact/signals';
import { eraseKept } from '../../../public/session.js';
import type { FoundDraft, KeptAnswer, KeptDraft } from './kept';

/** The user and the organization for whom this browser keeps what they read and type. Nobody, if undefined. */
let owner: string | undefined;

/** True while somebody who is signed in is shown without the gateway having said so. */
export const isUnconfirmed = signal(false);

/** Returns whether this browser still keeps something for a user. It ends while something is written. */
const isOwner = (one: string): boolean => owner === one;

/** Returns whether something is kept at all. */
export const isKeeping = (): boolean => owner !== undefined;

/** Loads what the first view does without. Nothing is kept if that fails. */
const load = () =>
  import('./kept').then(
    (kept) => {
      kept.limitTo(isOwner);
      return kept;
    },
    () => undefined,
  );

/**
 * Begins to keep what somebody reads and types, and erases what belongs to anybody else.
 * @param one the user and the organization
 * @param person what is known of them, to be shown without a connection; undefined keeps nothing
 */
export async function beginKeeping(one: string, person: unknown): Promise<void> {
  owner = person === undefined ? undefined : one;
  await (await load())?.claim(one, person);
}

/** Ends it, and erases what was kept. */
export function endKeeping(): void {
  owner = undefined;
  isUnconfirmed.value = false;
  eraseKept();
}

/** Finds the person for whom this browser keeps something. @param ownerOf returns the user and the organization */
export async function findPerson<Person>(ownerOf: (person: Person) => string): Promise<Person | undefined> {
  const found = (await (await load())?.findPerson()) as Person | undefined;
  if (found === undefined) return undefined;
  owner = ownerOf(found);
  return found;
}

/** Keeps an answer of the gateway. @param key what it was asked with */
export async function keepAnswer(key: string, data: unknown): Promise<void> {
  const one = owner;
  if (one !== undefined) await (await load())?.keepAnswer(one, key, data);
}

/** Finds an answer that was kept. */
export async function findAnswer(key: string): Promise<KeptAnswer | undefined> {
  const one = owner;
  return one === undefined ? undefined : (await load())?.findAnswer(one, key);
}

/** Keeps a draft in place of an earlier one. Without a draft it is removed. @param key begins with that of its form */
export async function keepDraft(key: string, draft: KeptDraft | undefined): Promise<void> {
  const one = owner;
  if (one !== undefined) await (await load())?.keepDraft(one, key, draft);
}

/** Finds the drafts of a form that no open page holds, the newest first. */
export async function findDrafts(form: string): Promise<readonly FoundDraft[]> {
  const one = owner;
  return (one !== undefined && (await (await load())?.findDrafts(one, form))) || [];
}
