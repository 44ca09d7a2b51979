import { useEffect, useState } from 'preact/hooks';
import { navigate, place, setSearch } from '../../app/router';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button } from '../../ui/button';
import type { Option } from '../../ui/combobox';
import type { Choice } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Menu, MenuAction } from '../../ui/menu';
import { statusText } from '../../ui/status';
import { dueChoices, type FilterName, setFilters } from './filter';
import { FilterForm, useNames } from './filter-form';
import { ViewsMenu } from './views-menu';

/** Returns the text for how soon an item expires. */
const dueText = (due: string): string =>
  due === 'overdue' ? t('items.overdue') : t('start.within', { n: Number(due) });

function valueText(name: FilterName, value: string, names: ReadonlyMap<string, Option>): string {
  if (name === 'due') return dueText(value);
  if (name === 'status') {
    const words = value
      .split(',')
      .map((word) => (word === 'all' ? t('items.with_archived') : statusText(word as never)));
    return words.join(', ');
  }
  if (name === 'from') return t('items.from_date', { date: formatDay(value) });
  if (name === 'until') return t('items.until_date', { date: formatDay(value) });
  if (value === 'none') return t('items.nobody');
  const named = names.get(value);
  return named ? shownName(named.label) : '…';
}

/** Renders the field that filters the list by a text. The address follows after a moment (debouncing). */
function TermField() {
  const inAddress = place.value.search.get('q') ?? '';
  const [typed, setTyped] = useState(inAddress);
  useEffect(() => setTyped(inAddress), [inAddress]);
  useEffect(() => {
    if (typed.trim() === inAddress) return;
    const timer = setTimeout(() => setSearch({ q: typed.trim() }), 250);
    return () => clearTimeout(timer);
  }, [typed, inAddress]);
  return (
    <label class="termfield">
      <Icon name="search" />
      <input
        type="search"
        class="input"
        aria-label={t('items.find')}
        placeholder={t('items.find')}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </label>
  );
}

/** Renders the search, the filters and the views of the list. */
export function Toolbar({ onSave }: { readonly onSave: () => void }) {
  const { search } = place.value;
  const names = useNames(search);
  const due = search.get('due') ?? '';
  const set = setFilters(search).filter((name) => name !== 'due');
  const dues: Choice<string>[] = [
    { value: '', label: t('items.any_date') },
    ...dueChoices.map((value) => ({ value, label: dueText(value) })),
  ];
  return (
    <div class="stack tight toolbar">
      <div class="line">
        <TermField />
        <select
          class="input duefield"
          aria-label={t('items.due')}
          value={due}
          onChange={({ currentTarget }) => setSearch({ due: currentTarget.value })}
        >
          {dues.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Menu label={t('items.filter')} icon="filter" isForm>
          {() => <FilterForm names={names} />}
        </Menu>
        <ViewsMenu />
        <Menu label={t('common.more')} icon="more" isSquare>
          {(close) => (
            <MenuAction
              icon="download"
              onClick={() => {
                close();
                onSave();
              }}
            >
              {t('common.export_csv')}
            </MenuAction>
          )}
        </Menu>
      </div>
      {set.length > 0 && (
        <div class="line">
          {set.map((name) => {
            const text = valueText(name, search.get(name) ?? '', names);
            return (
              <span key={name} class="tag">
                {text}
                <button
                  type="button"
                  aria-label={t('common.remove', { name: text })}
                  onClick={() => setSearch({ [name]: undefined })}
                >
                  <Icon name="close" />
                </button>
              </span>
            );
          })}
          <Button weight="bare" onClick={() => navigate('/items', { replace: true })}>
            {t('items.clear_filters')}
          </Button>
        </div>
      )}
    </div>
  );
}
