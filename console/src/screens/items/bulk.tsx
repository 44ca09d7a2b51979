import { useState } from 'preact/hooks';
import { type Outcome, request } from '../../data/client';
import { type Fault, faultOf } from '../../data/fault';
import {
  findCategories,
  findContacts,
  findLocations,
  findPolicies,
  findTags,
  findUsers,
} from '../../data/options';
import { RestoreExpirationItem } from '../../generated/operations/expirationItem';
import { ChangeItems, DeleteItems, RenewalDates, RenewItems } from '../../generated/operations/items';
import type { ExpirationItemRowFragment, UpdateExpirationItemInput } from '../../generated/types';
import { addMonths, type Day, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Form } from '../../records/form/form';
import type { Draft } from '../../records/record-type';
import type { Option } from '../../ui/combobox';
import { Dialog } from '../../ui/dialog';
import { tell, tellFault } from '../../ui/toast';

type Rows = readonly ExpirationItemRowFragment[];

/** Items that get the same change. */
type Group<Key> = readonly [key: Key, items: readonly ExpirationItemRowFragment[]];

function groupBy<Key>(
  items: readonly ExpirationItemRowFragment[],
  keyOf: (item: ExpirationItemRowFragment) => Key,
): Group<Key>[] {
  const groups = new Map<Key, ExpirationItemRowFragment[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

/** The most records that the gateway changes at once. */
const mostAtOnce = 500;

function* portions(
  items: readonly ExpirationItemRowFragment[],
): Generator<readonly ExpirationItemRowFragment[]> {
  for (let at = 0; at < items.length; at += mostAtOnce) yield items.slice(at, at + mostAtOnce);
}

/** Versions of items by their ids. */
type Versions = ReadonlyMap<string, string>;

const versionsOf = (items: Rows): Versions => new Map(items.map(({ id, version }) => [id, version]));

/**
 * Changes groups of items, each with its own input.
 * @param versions those that the items must have. Lists need them: they replace what others have added since.
 * @returns the items' new versions, or the first fault
 */
async function changeGroups(
  groups: readonly Group<UpdateExpirationItemInput>[],
  versions?: Versions,
): Promise<Outcome<Versions>> {
  const changed = new Map<string, string>();
  for (const [input, items] of groups) {
    for (const portion of portions(items)) {
      const ids = portion.map(({ id }) => id);
      const ifVersions = versions ? ids.map((id) => versions.get(id) ?? '') : null;
      const outcome = await request(ChangeItems, { ids, ifVersions, input });
      if (!outcome.ok) return outcome;
      for (const { id, version } of outcome.data.updateExpirationItems ?? []) changed.set(id, version);
    }
  }
  return { ok: true, data: changed };
}

/** Changes each item by an input of its own. Items with equal inputs are changed together. */
function changeEach(
  items: Rows,
  inputOf: (item: ExpirationItemRowFragment) => UpdateExpirationItemInput,
  versions?: Versions,
): Promise<Outcome<Versions>> {
  const groups = groupBy(items, (item) => JSON.stringify(inputOf(item)));
  return changeGroups(
    groups.map(([key, same]) => [JSON.parse(key) as UpdateExpirationItemInput, same]),
    versions,
  );
}

/** Undoes a change: each item gets its earlier value. */
async function undo(
  items: Rows,
  before: (item: ExpirationItemRowFragment) => UpdateExpirationItemInput,
  versions?: Versions,
): Promise<void> {
  const outcome = await changeEach(items, before, versions);
  if (!outcome.ok) tellFault(outcome.fault);
  else tell(t('common.undone'));
}

/** Archives items, or restores them; it can be undone. @returns whether it succeeded */
export async function archiveItems(
  items: readonly ExpirationItemRowFragment[],
  isActive = false,
): Promise<boolean> {
  const others = items.filter((item) => item.isActive !== isActive);
  const outcome = await changeGroups([[{ isActive }, others]]);
  if (!outcome.ok) tellFault(outcome.fault);
  else {
    tell(t(isActive ? 'items.unarchived' : 'items.archived', { n: others.length }), () =>
      undo(others, () => ({ isActive: !isActive })),
    );
  }
  return outcome.ok;
}

/** Assigns items to a user, or to nobody; it can be undone. @returns whether it succeeded */
async function assignItems(
  items: readonly ExpirationItemRowFragment[],
  user: { readonly id: string; readonly label: string } | undefined,
): Promise<boolean> {
  const outcome = await changeGroups([[{ assignedTo: { id: user?.id ?? null } }, items]]);
  if (!outcome.ok) tellFault(outcome.fault);
  else {
    const text = user
      ? t('items.assigned_to', { n: items.length, name: user.label })
      : t('items.unassigned', { n: items.length });
    tell(text, () => undo(items, ({ assignedTo }) => ({ assignedTo: { id: assignedTo?.id ?? null } })));
  }
  return outcome.ok;
}

/** The next date: one for all, months after each item's own, or its own interval. */
type NextDate = { readonly date: Day } | { readonly months: number } | { readonly isOwn: true };

/** Asks for the next date of each item, because it depends on earlier renewals. */
async function nextDates(items: Rows, next: NextDate): Promise<Outcome<ReadonlyMap<string, Day | null>>> {
  if ('date' in next) return { ok: true, data: new Map(items.map(({ id }) => [id, next.date])) };
  const dates = new Map<string, Day | null>();
  const asked = 'months' in next ? { months: next.months, isOwn: false } : { isOwn: true };
  for (const portion of portions(items)) {
    const ids = portion.map(({ id }) => id);
    const outcome = await request(RenewalDates, { ids, ...asked });
    if (!outcome.ok) return outcome;
    for (const node of outcome.data.nodes) {
      if (node && 'id' in node) dates.set(node.id, node.own ?? node.by ?? null);
    }
  }
  return { ok: true, data: dates };
}

/** Renews items unless somebody has changed one since it was read. It can be undone. @returns the fault */
async function renewItems(items: Rows, next: NextDate, details: string): Promise<Fault | undefined> {
  const dates = await nextDates(items, next);
  if (!dates.ok) return dates.fault;
  // Somebody else may have deleted one.
  if (items.some(({ id }) => !dates.data.has(id))) return faultOf('gone');
  const last = items.find(({ id }) => dates.data.get(id) === null);
  if (last) return faultOf('invalid', t('items.no_next_date', { name: shownName(last.name) }));
  const done: ExpirationItemRowFragment[] = [];
  for (const [expirationDate, group] of groupBy(items, ({ id }) => dates.data.get(id) ?? '')) {
    for (const portion of portions(group)) {
      const outcome = await request(RenewItems, {
        ids: portion.map(({ id }) => id),
        ifVersions: portion.map(({ version }) => version),
        expirationDate,
        details: details || null,
      });
      if (!outcome.ok) {
        if (done.length > 0) tellRenewed(done);
        return outcome.fault;
      }
      done.push(...portion);
    }
  }
  tellRenewed(done);
  return undefined;
}

function tellRenewed(items: readonly ExpirationItemRowFragment[]): void {
  // An item without an earlier date keeps the new one, because a date cannot be cleared.
  const dated = items.filter(({ expirationDate }) => expirationDate !== null);
  tell(
    t('items.renewed', { n: items.length }),
    dated.length > 0 ? () => undo(dated, ({ expirationDate }) => ({ expirationDate })) : undefined,
  );
}

interface DialogProps {
  readonly rows: readonly ExpirationItemRowFragment[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const spans = [6, 12, 24, 36, 60];

/** Renders the form that renews selected items. */
export function RenewDialog({ rows: items, onClose, onDone }: DialogProps) {
  const choices = spans.map((n) => ({ value: String(n), words: t('items.renew_each_by', { n }) }));
  return (
    <Dialog title={t('items.renew_n', { n: items.length })} onClose={onClose}>
      <Form
        fields={[
          {
            type: 'choice',
            name: 'span',
            label: 'items.next_date',
            isNeeded: true,
            choices: [
              ...choices,
              { value: 'own', label: 'items.renew_each_own' },
              { value: 'date', label: 'items.renew_all_to' },
            ],
          },
          {
            type: 'date',
            name: 'expirationDate',
            isShown: ({ span }) => span === 'date',
            control: { required: true },
          },
          { type: 'text', name: 'details', label: 'items.renewal_note' },
        ]}
        initial={{ span: '12', expirationDate: addMonths(today(), 12) }}
        isInDialog
        action={t('items.renew')}
        icon="renew"
        send={async ({ span, expirationDate, details }) => {
          const next = expirationDate
            ? { date: String(expirationDate) }
            : span === 'own'
              ? ({ isOwn: true } as const)
              : { months: Number(span) };
          const fault = await renewItems(items, next, String(details ?? ''));
          return fault ? { ok: false, fault } : { ok: true, data: undefined };
        }}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Renders the form that assigns selected items. */
export function AssignDialog({ rows: items, onClose, onDone }: DialogProps) {
  const [chosen, setChosen] = useState<Option>();
  return (
    <Dialog title={t('items.assign_n', { n: items.length })} onClose={onClose}>
      <Form
        fields={[
          {
            type: 'record',
            name: 'assignedTo',
            empty: 'common.nobody',
            find: findUsers,
            chosen: () => undefined,
          },
        ]}
        onDraft={({ assignedTo }) => setChosen(assignedTo as Option | undefined)}
        isInDialog
        action={t(chosen ? 'items.assign' : 'items.assign_nobody')}
        send={async () => ((await assignItems(items, chosen)) ? { ok: true, data: undefined } : undefined)}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** A change of one value, and how the value before comes back. */
interface Change {
  readonly input: (item: ExpirationItemRowFragment, chosen: Option | undefined) => UpdateExpirationItemInput;
  /** Returns the earlier value. Rows do not have that of each. */
  readonly before?: (item: ExpirationItemRowFragment) => UpdateExpirationItemInput;
}

/** Adds a record to those that an item has. */
const withOne = (own: readonly { readonly id: string }[], chosen: Option | undefined) => {
  const ids = own.map(({ id }) => id);
  return (chosen && !ids.includes(chosen.id) ? [...ids, chosen.id] : ids).map((id) => ({ id }));
};

/** Changes of many items at once, by what the form calls them. */
const changes: Readonly<Record<string, Change>> = {
  category: {
    input: (item, chosen) => ({ category: { id: chosen?.id ?? item.category?.id ?? null } }),
    before: ({ category }) => ({ category: { id: category?.id ?? null } }),
  },
  tags: {
    input: ({ tags }, chosen) => ({ tags: withOne(tags, chosen) }),
    before: ({ tags }) => ({ tags: withOne(tags, undefined) }),
  },
  locations: {
    input: ({ locations }, chosen) => ({ locations: withOne(locations, chosen) }),
    before: ({ locations }) => ({ locations: withOne(locations, undefined) }),
  },
  contactId: {
    input: (_item, chosen) => ({ contactId: chosen?.id ?? null }),
    before: ({ contact, contacts }) => ({
      contactId: contact?.id ?? null,
      contacts: withOne(contacts, undefined),
    }),
  },
  reminderPolicyId: { input: (_item, chosen) => ({ reminderPolicyId: chosen?.id ?? null }) },
};

/**
 * Changes one value of items, unless somebody has changed one since it was read. It can be undone where rows say what it
 * was. @returns whether it succeeded
 */
async function changeItems(items: Rows, { input, before }: Change, chosen: Option | undefined) {
  const outcome = await changeEach(items, (item) => input(item, chosen), versionsOf(items));
  if (!outcome.ok) tellFault(outcome.fault);
  else tell(t('items.changed_n', { n: items.length }), before && (() => undo(items, before, outcome.data)));
  return outcome.ok;
}

/** Renders the form that changes one value of selected items. */
export function ChangeDialog({ rows: items, onClose, onDone }: DialogProps) {
  const record = { type: 'record', chosen: () => undefined } as const;
  const isOf =
    (name: string) =>
    ({ what }: Draft) =>
      what === name;
  return (
    <Dialog title={t('items.change_n', { n: items.length })} onClose={onClose}>
      <Form
        fields={[
          {
            type: 'choice',
            name: 'what',
            label: 'items.change_what',
            isNeeded: true,
            choices: [
              { value: 'category', label: 'fields.category' },
              { value: 'tags', label: 'items.add_tag' },
              { value: 'locations', label: 'items.add_location' },
              { value: 'contactId', label: 'items.contact' },
              { value: 'reminderPolicyId', label: 'item.policy' },
            ],
          },
          { ...record, name: 'category', find: findCategories, isShown: isOf('category') },
          { ...record, name: 'tags', label: 'items.tag', find: findTags, isShown: isOf('tags') },
          {
            ...record,
            name: 'locations',
            label: 'items.location',
            find: findLocations,
            isShown: isOf('locations'),
          },
          {
            ...record,
            name: 'contactId',
            label: 'items.contact',
            empty: 'common.nobody',
            find: findContacts,
            isShown: isOf('contactId'),
          },
          {
            ...record,
            name: 'reminderPolicyId',
            label: 'item.policy',
            otherwise: () => t('items.policy_of_type'),
            find: findPolicies,
            isShown: isOf('reminderPolicyId'),
          },
        ]}
        initial={{ what: 'category' }}
        isInDialog
        action={t('common.save')}
        send={async (_input, _base, draft) => {
          const what = String(draft.what);
          const change = changes[what];
          const chosen = draft[what] as Option | undefined;
          const isCleared = what === 'contactId' || what === 'reminderPolicyId';
          if (!change || !(chosen || isCleared)) {
            return { ok: false, fault: faultOf('invalid', t('items.change_nothing')) };
          }
          return (await changeItems(items, change, chosen)) ? { ok: true, data: undefined } : undefined;
        }}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Brings deleted items back from the bin, one after the other. */
async function restoreItems(items: Rows): Promise<void> {
  for (const { id } of items) {
    const outcome = await request(RestoreExpirationItem, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
  }
  tell(t('common.undone'));
}

/** Moves items to the bin; it can be undone. @returns whether it succeeded */
export async function deleteItems(items: Rows): Promise<boolean> {
  const gone: ExpirationItemRowFragment[] = [];
  for (const portion of portions(items)) {
    const outcome = await request(DeleteItems, { ids: portion.map(({ id }) => id) });
    if (!outcome.ok) {
      tellFault(outcome.fault);
      break;
    }
    gone.push(...portion);
  }
  if (gone.length > 0) tell(t('items.deleted_n', { n: gone.length }), () => restoreItems(gone));
  return gone.length === items.length;
}
