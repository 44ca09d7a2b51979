import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { notFound } from '../domain/errors.js';
import { maxRenewals } from '../domain/reminders/renewal.js';
import { check, isUuid, rules } from '../domain/rules.js';
import { load } from '../records/loaders.js';
import { checkAbsence, checkVersion } from '../records/locks.js';
import { changeRecord } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './item-rows.js';

/** Rules of the end of renewals. */
export const repetitionRules = z.object({
  renewUntil: rules.date,
  renewalsLeft: rules.between(0, maxRenewals),
});

type Input = z.input<typeof repetitionRules>;

/** Tells whether the renewals of an item have an end. */
const hasEnd = ({ renewUntil, renewalsLeft }: Item) => renewUntil !== null || renewalsLeft !== null;

/** Finds an item whose renewals have an end. It is null if there is none, or the item is out of sight. */
export async function findRepetition(session: Session, id: string): Promise<Item | null> {
  const item = isUuid(id) ? await load(session, 'expirationItem', id.toLowerCase()) : null;
  return item && hasEnd(item) ? item : null;
}

/**
 * Sets when the renewals of an item end, in place of an earlier end. Version conditions apply to the existing one, whose
 * version is the item's.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST naming the invalid member
 */
export async function setRepetition(session: Session, id: string, input: Input): Promise<Item> {
  const end = check(repetitionRules, input);
  const change = (current: Item) => {
    if (hasEnd(current)) checkVersion(session, current);
    else checkAbsence(session, current.id);
    return { ...writableValues(expirationItems, current), ...end };
  };
  return (await changeRecord(session, expirationItems, id, change, { unconditional: true })).row;
}

/**
 * Removes the end of the renewals of an item.
 * @returns the item as it was
 * @throws GatewayError NOT_FOUND, also if there is none; PRECONDITION_FAILED
 */
export async function deleteRepetition(session: Session, id: string): Promise<Item> {
  let before: Item | undefined;
  const change = (current: Item) => {
    if (!hasEnd(current)) throw notFound('end of renewals', current.id);
    before = current;
    return { ...writableValues(expirationItems, current), renewUntil: null, renewalsLeft: null };
  };
  const { row } = await changeRecord(session, expirationItems, id, change);
  return before ?? row;
}
