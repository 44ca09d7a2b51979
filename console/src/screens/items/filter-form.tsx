import { useEffect, useState } from 'preact/hooks';
import { place, setSearch } from '../../app/router';
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
import { t } from '../../i18n/i18n';
import { Combobox, type Option } from '../../ui/combobox';
import { type Choice, SelectField, TextField } from '../../ui/field';
import { statusText } from '../../ui/status';

/** Filters by a record, with the way to find one. */
const recordFilters = [
  ['type', 'fields.category', findCategories],
  ['contact', 'items.contact', findContacts],
  ['location', 'items.location', findLocations],
  ['tag', 'items.tag', findTags],
  ['assigned', 'fields.assignedTo', findUsers],
  ['team', 'fields.team', findTeams],
] as const;

/** Looks up the records whose ids are in the address. */
export function useNames(search: URLSearchParams): ReadonlyMap<string, Option> {
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

/** Renders all filters of the list. */
export function FilterForm({ names }: { readonly names: ReadonlyMap<string, Option> }) {
  const { search } = place.value;
  const statuses: Choice<string>[] = [
    { value: '', label: t('fields.isActive') },
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
            empty={id === 'none' ? t('items.nobody') : t('common.any')}
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
