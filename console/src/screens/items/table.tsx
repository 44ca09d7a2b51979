import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { place } from '../../app/router';
import { hasTeams } from '../../app/session';
import type { ItemRowFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { joinNames, shownName } from '../../i18n/names';
import { Icon } from '../../ui/icon';
import { Bone } from '../../ui/state';
import { Countdown, DateText, Status } from '../../ui/status';
import { type OrderName, readOrder, toggleOrder } from './filter';
import type { Selection } from './selection';

/** Returns the address of an item's screen. */
export const itemAddress = (id: string): string => addressOf('EXPIRATION_ITEM', id);

interface RowProps {
  readonly item: ItemRowFragment;
  readonly at: number;
  readonly selection: Selection;
  readonly onToggle: (at: number, isRange: boolean) => void;
  readonly canChoose: boolean;
}

/** Lists the names of an item's contacts, the main one first. */
export function peopleOf({ contact, contacts }: Pick<ItemRowFragment, 'contact' | 'contacts'>): string[] {
  const all = contact ? [contact, ...contacts.filter(({ id }) => id !== contact.id)] : contacts;
  return all.map(({ name, email }) => shownName(name, email));
}

/** Formats the first of some names, and the number of the others. */
function firstOf([first, ...others]: string[]): string {
  return others.length > 0 ? `${first} +${others.length}` : (first ?? '');
}

function Row({ item, at, selection, onToggle, canChoose }: RowProps) {
  const isChosen = useComputed(() => selection.ids.value.has(item.id)).value;
  const isAt = useComputed(() => selection.at.value === at).value;
  const { id, name, category, team, expirationDate, status, assignedTo, locations, tags } = item;
  return (
    <tr data-row={at} aria-selected={isChosen} class={isAt ? 'at' : undefined}>
      {canChoose && (
        <td class="tickcell">
          <label class="tick">
            <input
              type="checkbox"
              checked={isChosen}
              aria-label={t('items.choose', { name: shownName(name) })}
              onClick={(event) => onToggle(at, event.shiftKey)}
            />
          </label>
        </td>
      )}
      <th scope="row">
        <a href={itemAddress(id)}>{shownName(name)}</a>
        <span class="soft small rowline">
          <span>{joinNames(category?.name, hasTeams() && team?.name)}</span>
          {tags.map((tag) => (
            <span key={tag.id} class="tag roomy">
              {shownName(tag.name)}
            </span>
          ))}
        </span>
      </th>
      <td class="statuscell">
        <Status status={status} />
      </td>
      <td class="datecell">
        {expirationDate && (
          <>
            <DateText date={expirationDate} />
            <span class="small rowline">
              <Countdown date={expirationDate} timeZone={team?.timezone} />
            </span>
          </>
        )}
      </td>
      <td class="roomy wide">{firstOf(peopleOf(item))}</td>
      <td class="roomy wider">{locations.map((location) => shownName(location.name)).join(', ')}</td>
      <td class="roomy">{assignedTo?.name}</td>
    </tr>
  );
}

interface ColumnProps {
  readonly name: OrderName;
  readonly label: string;
  readonly class?: string;
}

function Column({ name, label, class: classes }: ColumnProps) {
  const { search } = place.value;
  const order = readOrder(search);
  const isOrder = order.name === name;
  return (
    <th
      scope="col"
      class={classes}
      aria-sort={isOrder ? (order.isTurned ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" onClick={() => toggleOrder(search, name)}>
        {label}
        {isOrder && <Icon name={order.isTurned ? 'down' : 'up'} />}
      </button>
    </th>
  );
}

function BoneRow({ width, canChoose }: { readonly width: string; readonly canChoose: boolean }) {
  return (
    <tr>
      {canChoose && <td class="tickcell" />}
      <th scope="row">
        <Bone width={width} />
      </th>
      <td class="statuscell">
        <Bone width="5rem" />
      </td>
      <td class="datecell">
        <Bone width="6rem" />
      </td>
      <td class="roomy wide" />
      <td class="roomy wider" />
      <td class="roomy" />
    </tr>
  );
}

interface TableProps {
  readonly items: readonly ItemRowFragment[];
  readonly isFirst: boolean;
  readonly isStale: boolean;
  readonly selection: Selection;
  readonly canChoose: boolean;
}

/** Renders the list of items as a table, which a narrow window shows as cards. */
export function ItemTable({ items, isFirst, isStale, selection, canChoose }: TableProps) {
  const ids = items.map(({ id }) => id);
  const latest = useRef(ids);
  latest.current = ids;
  const toggle = useRef((at: number, isRange: boolean) =>
    selection.toggle(latest.current, at, isRange),
  ).current;
  const isAll = useComputed(
    () => selection.ids.value.size > 0 && latest.current.every((id) => selection.ids.value.has(id)),
  );
  return (
    <div class="tablebox">
      <table
        class={isStale && !isFirst ? 'table itemtable stale' : 'table itemtable'}
        aria-busy={isFirst || isStale}
      >
        <caption class="unseen">{t('items.title')}</caption>
        <thead>
          <tr>
            {canChoose && (
              <td class="tickcell">
                <label class="tick">
                  <input
                    type="checkbox"
                    checked={isAll.value}
                    aria-label={t('items.choose_all')}
                    onClick={() => selection.toggleAll(latest.current)}
                  />
                </label>
              </td>
            )}
            <Column name="name" label={t('items.name')} />
            <Column name="status" label={t('items.status')} class="statuscell" />
            <Column name="date" label={t('fields.expirationDate')} class="datecell" />
            <Column name="contact" label={t('items.contact')} class="wide person" />
            <th scope="col" class="wider person">
              {t('items.location')}
            </th>
            <Column name="assigned" label={t('fields.assignedTo')} class="person" />
          </tr>
        </thead>
        <tbody>
          {isFirst
            ? ['62%', '48%', '70%', '55%', '40%', '66%', '52%', '60%'].map((width) => (
                <BoneRow key={width} width={width} canChoose={canChoose} />
              ))
            : items.map((item, at) => (
                <Row
                  key={item.id}
                  item={item}
                  at={at}
                  selection={selection}
                  onToggle={toggle}
                  canChoose={canChoose}
                />
              ))}
        </tbody>
      </table>
    </div>
  );
}
