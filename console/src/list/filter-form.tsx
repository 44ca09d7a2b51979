import { useEffect, useState } from 'preact/hooks';
import { place, setSearch } from '../app/router';
import { optionsByIds } from '../data/options';
import { t } from '../i18n/i18n';
import { Combobox, type Option } from '../ui/combobox';
import { SelectField, TextField } from '../ui/field';
import type { Filter } from './declare';

/** Looks up the records whose ids are in the address. */
export function useNames<Condition>(
  filters: readonly Filter<Condition>[],
  search: URLSearchParams,
): ReadonlyMap<string, Option> {
  const ids = filters
    .filter(({ type }) => type === 'record')
    .map(({ name }) => search.get(name) ?? '')
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
  if (filter.type !== 'record' || filter.isShown?.() === false) return null;
  const chosen = value && value !== 'none' ? [names.get(value) ?? { id: value, label: '…' }] : [];
  return (
    <Combobox
      label={t(label)}
      empty={value === 'none' && filter.none ? t(filter.none) : t('common.any')}
      find={filter.find}
      chosen={chosen}
      onChange={([option]) => set(option?.id)}
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
