import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { notFound } from '../domain/errors.js';
import { noticeRuleRule } from '../domain/notice.js';
import { check, isUuid, rules } from '../domain/rules.js';
import { load } from '../records/loaders.js';
import { checkAbsence, checkVersion } from '../records/locks.js';
import { changeRecord } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './item-rows.js';

/** Rules of a notice period. */
export const noticePeriodRules = z.object({
  noticeDate: rules.date,
  rule: noticeRuleRule,
});

type Input = z.input<typeof noticePeriodRules>;

/** Tells whether an item has a notice period. A rule waits for an expiration date. */
const hasNotice = ({ noticeDate, noticeRule }: Item) => noticeDate !== null || noticeRule !== null;

/** Finds an item with a notice period. It is null if there is none, or the item is out of sight. */
export async function findNoticePeriod(session: Session, id: string): Promise<Item | null> {
  const item = isUuid(id) ? await load(session, 'expirationItem', id.toLowerCase()) : null;
  return item && hasNotice(item) ? item : null;
}

/**
 * Gives an item a notice period in place of an earlier one. Without a day and a rule, it has none then. Version
 * conditions apply to the existing one, whose version is the item's.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST naming the invalid member
 */
export async function setNoticePeriod(session: Session, id: string, input: Input): Promise<Item> {
  const { noticeDate, rule } = check(noticePeriodRules, input);
  const change = (current: Item) => {
    if (hasNotice(current)) checkVersion(session, current);
    else checkAbsence(session, current.id);
    // The rule computes the day, whatever was sent.
    const values = { noticeRule: rule, noticeDate: rule ? current.noticeDate : noticeDate };
    return { ...writableValues(expirationItems, current), ...values };
  };
  return (await changeRecord(session, expirationItems, id, change, { unconditional: true })).row;
}

/**
 * Removes the notice period of an item.
 * @returns the item as it was
 * @throws GatewayError NOT_FOUND, also if there is none; PRECONDITION_FAILED
 */
export async function deleteNoticePeriod(session: Session, id: string): Promise<Item> {
  let before: Item | undefined;
  const change = (current: Item) => {
    if (!hasNotice(current)) throw notFound('notice period', current.id);
    before = current;
    const none = { noticeDate: null, noticeRule: null };
    return { ...writableValues(expirationItems, current), ...none };
  };
  const { row } = await changeRecord(session, expirationItems, id, change);
  return before ?? row;
}
