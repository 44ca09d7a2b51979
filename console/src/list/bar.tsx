import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { navigate, place, setSearch } from '../app/router';
import { optionsByIds } from '../data/options';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Button } from '../ui/button';
import { Combobox, type Option } from '../ui/combobox';
import { Check, SelectField, TextField } from '../ui/field';
import { Icon } from '../ui/icon';
import { Menu, MenuAction } from '../ui/menu';
import type { Filter } from './declare';
import { ViewsMenu } from './views-menu';

/** Looks up the records whose ids are in the address. */
export function useNames<Condition>(
  filters: readonly Filter<Condition>[],
  search: URLSearchParams,
): ReadonlyMap<string, Option> {
  const ids = filters
    .filter(({ type }) => type === 'record')
    .flatMap(({ name }) => search.get(name)?.split(',') ?? [])
    .filter((id) => id.length === 36);
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

type RecordFilter<Condition> = Extract<Filter<Condition>, { readonly type: 'record' }>;

/** Lists what stands for no record and for the person who looks. */
const wordsOf = <Condition,>({ none, me }: RecordFilter<Condition>): readonly Option[] => [
  ...(me ? [{ id: 'me', label: t(me) }] : []),
  ...(none ? [{ id: 'none', label: t(none) }] : []),
];

/** Returns the option of a value: a record, nobody, or the person who looks. */
const optionOf = <Condition,>(
  filter: RecordFilter<Condition>,
  value: string,
  names: ReadonlyMap<string, Option>,
): Option => wordsOf(filter).find(({ id }) => id === value) ?? names.get(value) ?? { id: value, label: '…' };

interface FieldProps<Condition> {
  readonly filter: Filter<Condition>;
  readonly names: ReadonlyMap<string, Option>;
}

function FilterField<Condition>({ filter, names }: FieldProps<Condition>) {
  const { name, label } = filter;
  const value = place.value.search.get(name) ?? '';
  const set = (next: string | undefined) => setSearch({ [name]: next });
  if (filter.type === 'choice') {
    return <SelectField label={t(label)} value={value} onChange={set} choices={filter.choices()} />;
  }
  if (filter.type === 'date') {
    return <TextField label={t(label)} value={value} onInput={set} control={{ type: 'date' }} />;
  }
  if (filter.type === 'text') {
    return <TextField label={t(label)} hint={t(filter.hint)} value={value} onInput={set} />;
  }
  if (filter.type !== 'record' || filter.isShown?.() === false) return null;
  const values = value ? value.split(',') : [];
  const words = wordsOf(filter);
  const find: typeof filter.find = async (term, signal) => {
    const wanted = term.trim().toLocaleLowerCase();
    const fitting = words.filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
    return [...fitting, ...(await filter.find(term, signal))];
  };
  return (
    <Combobox
      label={t(label)}
      empty={t('common.any')}
      find={find}
      isMany={filter.isMany === true}
      chosen={values.map((one) => optionOf(filter, one, names))}
      onChange={(options) => set(options.map(({ id }) => id).join())}
    />
  );
}

interface FormProps<Condition> {
  readonly filters: readonly Filter<Condition>[];
  readonly names: ReadonlyMap<string, Option>;
}

/** Renders the filters of a list's menu. Dates are side by side. */
export function FilterForm<Condition>({ filters, names }: FormProps<Condition>) {
  const fields = (isDate: boolean) =>
    filters
      .filter(({ type }) => (type === 'date') === isDate)
      .map((filter) => <FilterField key={filter.name} filter={filter} names={names} />);
  return (
    <div class="stack filterform">
      {fields(false)}
      <div class="form">{fields(true)}</div>
    </div>
  );
}

/** Renders the field that filters a list by a text. The address follows after a moment (debouncing). */
function SearchField() {
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
        aria-label={t('list.find')}
        placeholder={t('list.find')}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </label>
  );
}

/** Renders a filter that is always in view: tabs, a field, or a tick. */
function BarFilter<Condition>({ filter }: { readonly filter: Filter<Condition> }) {
  const { name, label } = filter;
  const value = place.value.search.get(name) ?? '';
  const set = (next: string) => setSearch({ [name]: next });
  switch (filter.type) {
    case 'tabs':
      return (
        <div class="tabs">
          {filter.choices().map((choice) => (
            <button
              key={choice.value}
              type="button"
              aria-pressed={choice.value === value}
              onClick={() => set(choice.value)}
            >
              {choice.label}
            </button>
          ))}
        </div>
      );
    case 'bar':
      return (
        <select
          class="input barfield"
          aria-label={t(label)}
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {filter.choices().map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      );
    case 'check':
      return <Check label={t(label)} checked={value !== ''} onChange={(all) => set(all ? '1' : '')} />;
    default:
      return null;
  }
}

/** Returns the words for a filter's value. */
function valueText<Condition>(filter: Filter<Condition>, value: string, names: ReadonlyMap<string, Option>) {
  if (filter.type === 'date') return t(filter.chip, { date: formatDay(value) });
  if (filter.type === 'check' || filter.type === 'linked') return t(filter.label);
  if (filter.type === 'text') return value;
  if (filter.type !== 'record') {
    const choices = filter.choices();
    const textOf = (word: string) => choices.find((choice) => choice.value === word)?.label ?? word;
    return value.split(',').map(textOf).join(', ');
  }
  return value
    .split(',')
    .map((one) => shownName(optionOf(filter, one, names).label))
    .join(', ');
}

interface ChipsProps<Condition> {
  readonly filters: readonly Filter<Condition>[];
  readonly names: ReadonlyMap<string, Option>;
}

/** Renders the filters that are set, each with a button that removes it. */
function Chips<Condition>({ filters, names }: ChipsProps<Condition>) {
  const { path, search } = place.value;
  if (filters.length === 0) return null;
  return (
    <div class="line">
      {filters.map((filter) => {
        const text = valueText(filter, search.get(filter.name) ?? '', names);
        return (
          <span key={filter.name} class="tag">
            {text}
            <button
              type="button"
              aria-label={t('common.remove', { name: text })}
              onClick={() => setSearch({ [filter.name]: undefined })}
            >
              <Icon name="close" />
            </button>
          </span>
        );
      })}
      <Button weight="bare" onClick={() => navigate(path, { replace: true })}>
        {t('list.clear_filters')}
      </Button>
    </div>
  );
}

interface BarProps<Condition> {
  /** The list's name, which its views have. */
  readonly name: string;
  readonly filters: readonly Filter<Condition>[];
  /** Filters that have a value. */
  readonly set: readonly Filter<Condition>[];
  /** The menu of columns. */
  readonly columns: ComponentChildren;
  /** The names of the columns, if somebody has chosen them. */
  readonly chosen: readonly string[] | undefined;
  readonly onExport: () => void;
  /** Buttons at the end. */
  readonly children?: ComponentChildren;
}

/** Renders the search, the filters, the columns, the views and the export of a list. */
export function ListBar<Condition>(props: BarProps<Condition>) {
  const { name, filters, set, columns, chosen, onExport, children } = props;
  const names = useNames(filters, place.value.search);
  const inView = (filter: Filter<Condition>) => ['tabs', 'bar', 'check'].includes(filter.type);
  const inMenu = filters.filter((filter) => !inView(filter));
  return (
    <div class="stack tight toolbar">
      <div class="line">
        {filters.map((filter) => filter.type === 'tabs' && <BarFilter key={filter.name} filter={filter} />)}
        <SearchField />
        {filters.map(
          (filter) =>
            filter.type !== 'tabs' && inView(filter) && <BarFilter key={filter.name} filter={filter} />,
        )}
        {inMenu.length > 0 && (
          <Menu label={t('list.filter')} icon="filter" isForm>
            {() => <FilterForm filters={inMenu} names={names} />}
          </Menu>
        )}
        {columns}
        <ViewsMenu list={name} columns={chosen} />
        <Menu label={t('common.more')} icon="more" isSquare>
          {(close) => (
            <MenuAction
              icon="download"
              onClick={() => {
                close();
                onExport();
              }}
            >
              {t('common.export_csv')}
            </MenuAction>
          )}
        </Menu>
        {children}
      </div>
      <Chips filters={set.filter((filter) => !inView(filter))} names={names} />
    </div>
  );
}

interface UnknownProps {
  readonly unknown: readonly { readonly name: string; readonly label: string }[];
  /** Names of unknown columns. */
  readonly columns?: readonly string[];
  readonly onForget?: () => unknown;
}

/** Says which parts of the address nobody knows, and offers to go on without them. */
export function UnknownNote({ unknown, columns = [], onForget }: UnknownProps) {
  const strange = [...unknown.map(({ label }) => label), ...columns];
  if (strange.length === 0) return null;
  return (
    <div class="note" role="status">
      <p>{t('list.unknown_filter', { name: strange.join(', ') })}</p>
      <Button
        onClick={() => {
          setSearch(Object.fromEntries(unknown.map(({ name }) => [name, undefined])));
          onForget?.();
        }}
      >
        {t('list.forget_unknown')}
      </Button>
    </div>
  );
}
