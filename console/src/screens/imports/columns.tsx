import { useState } from 'preact/hooks';
import { caller } from '../../app/session';
import type { ImportKind, ImportPageFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button, IconButton } from '../../ui/button';
import { SelectField, TextField } from '../../ui/field';
import { Card } from '../../ui/page';
import { columnChoices, columnText } from './kinds';

type Preview = NonNullable<ImportPageFragment['preview']>;
type Mapping = ImportPageFragment['mapping'];
type Constants = ImportPageFragment['constants'];

/** The choices for the columns of a file. */
export interface Chosen {
  readonly mapping: Mapping;
  readonly constants: Constants;
}

/** Returns the columns of a header. Without a choice, it is the one that the gateway recognized. */
function columnsOf({ header, column }: Preview['columns'][number], mapping: Mapping): string[] {
  const own = mapping.filter((one) => one.header === header);
  return own.length > 0 ? own.map((one) => one.column ?? '') : [column ?? ''];
}

/** Gives a header its columns. Another header that had one of them loses it. */
function choose(preview: Preview, mapping: Mapping, header: string, columns: readonly string[]): Mapping {
  const taken = new Set(columns.filter((column) => column !== ''));
  return preview.columns.flatMap((one): Mapping => {
    const before = columnsOf(one, mapping);
    if (one.header === header)
      return (columns.length > 0 ? columns : ['']).map((column) => ({ header, column: column || null }));
    const kept = before.filter((column) => !taken.has(column));
    const isTouched = kept.length < before.length || mapping.some((other) => other.header === one.header);
    if (!isTouched) return [];
    return (kept.length > 0 ? kept : ['']).map((column) => ({ header: one.header, column: column || null }));
  });
}

interface ColumnsCardProps extends Chosen {
  readonly kind: ImportKind;
  readonly preview: Preview;
  /** True if what was chosen last time was taken. */
  readonly isRemembered: boolean;
  readonly onChange: (chosen: Partial<Chosen>) => void;
}

/** Renders the columns of a file with their first values, and what all rows lack. */
export function ColumnsCard({ kind, preview, mapping, constants, isRemembered, onChange }: ColumnsCardProps) {
  const [opened, open] = useState<string>();
  const headers = preview.columns.filter(({ header }) => header.trim() !== '');
  const missing = preview.missing.filter(
    (column) => ![...constants, ...mapping].some((one) => one.column === column),
  );
  const words = (column: string) => columnText(kind, column);
  const add = (column: string) => onChange({ constants: [...constants, { column, value: '' }] });
  const set = (column: string, value: string) =>
    onChange({ constants: constants.map((one) => (one.column === column ? { column, value } : one)) });
  const teams = caller.value?.me.teams ?? [];
  const others = columnChoices(kind, '', '').filter(
    ({ value }) => !value.startsWith('custom:') && !constants.some(({ column }) => column === value),
  );
  return (
    <Card title={t('imports.columns')}>
      <div class="stack">
        {isRemembered && <p class="soft small">{t('imports.layout_used')}</p>}
        {missing.length > 0 && (
          <div class="note near" role="status">
            <p>{t('imports.missing', { columns: missing.map(words).join(', ') })}</p>
            <div class="line">
              {missing.map((column) => (
                <Button key={column} onClick={() => add(column)}>
                  {t('imports.constant_for', { column: words(column) })}
                </Button>
              ))}
            </div>
          </div>
        )}
        <div class="importgrid">
          {headers.map((one) => {
            const { header, guess, samples } = one;
            const columns = columnsOf(one, mapping);
            const put = (at: number, column: string) => {
              const others = columns.filter((_, place) => place !== at);
              const all = [...others.slice(0, at), column, ...others.slice(at)];
              const wanted = all.filter((own, place) => own !== '' || place === 0);
              onChange({ mapping: choose(preview, mapping, header, wanted) });
              open(undefined);
            };
            const isGuess = guess !== null && columns.includes(guess);
            return (
              <div key={header} class="importcolumn">
                {columns.map((column, at) => (
                  <SelectField
                    key={at === 0 ? 'first' : column}
                    label={at === 0 ? header : t('imports.also_as', { header })}
                    {...(at === 0 && {
                      hint: `${samples.join(' · ')}${isGuess ? ` (${t('imports.guessed')})` : ''}`,
                    })}
                    value={column}
                    onChange={(chosen) => put(at, chosen)}
                    choices={columnChoices(kind, header, column)}
                  />
                ))}
                {opened === header ? (
                  <SelectField
                    key="also"
                    label={t('imports.also_as', { header })}
                    value=""
                    onChange={(column) => put(columns.length, column)}
                    choices={columnChoices(kind, header, '').filter(({ value }) => !columns.includes(value))}
                  />
                ) : (
                  columns[0] !== '' && (
                    <Button weight="bare" onClick={() => open(header)}>
                      {t('imports.also')}
                    </Button>
                  )
                )}
              </div>
            );
          })}
        </div>
        <h3>{t('imports.constants')}</h3>
        <div class="importgrid">
          {constants.map(({ column, value }) => (
            <div key={column} class="importcolumn">
              {column === 'team_id' && teams.length > 0 ? (
                <SelectField
                  label={words(column)}
                  value={value ?? ''}
                  onChange={(team) => set(column, team)}
                  choices={[
                    { value: '', label: t('imports.please_choose') },
                    ...teams.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                />
              ) : (
                <TextField label={words(column)} value={value ?? ''} onInput={(text) => set(column, text)} />
              )}
              <IconButton
                icon="trash"
                label={t('imports.constant_remove', { column: words(column) })}
                onClick={() => onChange({ constants: constants.filter((one) => one.column !== column) })}
              />
            </div>
          ))}
          <SelectField
            label={t('imports.constant_add')}
            value=""
            onChange={(column) => column !== '' && add(column)}
            choices={[
              { value: '', label: t('imports.please_choose') },
              ...others.filter(({ value }) => value !== ''),
            ]}
          />
        </div>
      </div>
    </Card>
  );
}
