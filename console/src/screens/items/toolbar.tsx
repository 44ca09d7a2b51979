import { useEffect, useState } from 'preact/hooks';
import { navigate, place, setSearch } from '../../app/router';
import { hasTeams } from '../../app/session';
import {
  findCategories,
  findContacts,
  findLocations,
  findTags,
  findTeams,
  findUsers,
  optionsByIds,
} from '../../data/options';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Combobox, type Option } from '../../ui/combobox';
import { type Choice, SelectField, TextField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Menu, MenuAction } from '../../ui/menu';
import { statusText } from '../../ui/status';
import { tell } from '../../ui/toast';
import { dueChoices, type FilterName, setFilters } from './filter';
import { dropView, saveView, views } from './views';

/** Filters by a record, with the way to find one. */
const recordFilters = [
  ['type', 'items.type', findCategories],
  ['contact', 'items.contact', findContacts],
  ['location', 'items.location', findLocations],
  ['tag', 'items.tag', findTags],
  ['assigned', 'items.assigned', findUsers],
  ['team', 'items.team', findTeams],
] as const;

/** Looks up the records that the address names by their ids. */
function useNames(search: URLSearchParams): ReadonlyMap<string, Option> {
  const ids = recordFilters.map(([name]) => search.get(name) ?? '').filter((id) => id.length === 36);
  const [found, setFound] = useState<ReadonlyMap<string, Option>>(new Map());
  const key = ids.join();
  useEffect(() => {
    let isOver = false;
    const wanted = key ? key.split(',') : [];
    optionsByIds(wanted).then((options) => {
      if (!isOver) setFound(new Map(options.map((option) => [option.id, option])));
    });
    return () => {
      isOver = true;
    };
  }, [key]);
  return found;
}

/** Says a choice of how soon an item expires. */
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
  return names.get(value)?.label ?? '…';
}

function FilterForm({ names }: { readonly names: ReadonlyMap<string, Option> }) {
  const { search } = place.value;
  const statuses: Choice<string>[] = [
    { value: '', label: t('items.in_use') },
    ...(['EXPIRED', 'NOTIFYING', 'CURRENT', 'MISSING', 'NO_DATE', 'ARCHIVED'] as const).map((value) => ({
      value,
      label: statusText(value),
    })),
    { value: 'all', label: t('items.with_archived') },
  ];
  return (
    <div class="stack filterform">
      <SelectField
        label={t('items.status')}
        value={search.get('status') ?? ''}
        onChange={(status) => setSearch({ status })}
        choices={statuses}
      />
      {recordFilters.map(([name, label, find]) => {
        const id = search.get(name);
        const chosen = id && id !== 'none' ? [names.get(id) ?? { id, label: '…' }] : [];
        if (name === 'team' && !hasTeams()) return null;
        return (
          <Combobox
            key={name}
            label={t(label)}
            find={find}
            chosen={chosen}
            onChange={([option]) => setSearch({ [name]: option?.id })}
          />
        );
      })}
      <div class="form">
        {(['from', 'until'] as const).map((name) => (
          <TextField
            key={name}
            label={t(`items.${name}`)}
            value={search.get(name) ?? ''}
            onInput={(value) => setSearch({ [name]: value })}
            control={{ type: 'date' }}
          />
        ))}
      </div>
    </div>
  );
}

/** Draws the views that are kept, and what keeps the one that is shown. */
function ViewsMenu() {
  const [name, setName] = useState('');
  const current = place.value.search.toString();
  return (
    <Menu label={t('items.views')} icon="star" isForm>
      {(close) => (
        <div class="stack">
          {views.value.length === 0 && <p class="soft small">{t('items.views_none')}</p>}
          {views.value.length > 0 && (
            <ul class="nav">
              {views.value.map((view) => (
                <li key={view.name} class="line">
                  <a class="grow" href={`/items?${view.search}`} onClick={close}>
                    {view.name}
                  </a>
                  <Button
                    weight="bare"
                    icon="close"
                    aria-label={t('common.remove', { name: view.name })}
                    onClick={() => {
                      dropView(view.name);
                      tell(t('common.deleted', { name: view.name }), () => saveView(view));
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          <form
            class="stack tight"
            onSubmit={(event) => {
              event.preventDefault();
              if (!name.trim()) return;
              saveView({ name: name.trim(), search: current });
              tell(t('items.view_saved', { name: name.trim() }));
              setName('');
              close();
            }}
          >
            <TextField
              label={t('items.view_name')}
              value={name}
              onInput={setName}
              control={{ maxLength: 60 }}
            />
            <Button type="submit">{t('items.view_save')}</Button>
          </form>
        </div>
      )}
    </Menu>
  );
}

/** Draws the field that narrows the list by a text. The address follows after a moment. */
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

/** Draws the search, the filters and the views of the list. */
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
