import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { place, setSearch } from '../app/router';
import { keep, readKept } from '../data/browser';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Check, TextField } from '../ui/field';
import { Menu } from '../ui/menu';
import { type Column, headOf, nameOf } from './declare';

const storage = 'expiration-gateway.columns';

function read(): Readonly<Record<string, string>> {
  try {
    const kept: unknown = JSON.parse(readKept('localStorage', storage) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {};
  } catch {
    return {};
  }
}

/** The columns that somebody has chosen here, by the list's name. */
const chosen = signal(read());

function choose(list: string, names: string | undefined): void {
  // A view has its own columns, and is no choice for the list without one.
  if (place.peek().search.has('view') && names !== undefined) {
    setSearch({ columns: names });
    return;
  }
  const { [list]: _, ...others } = chosen.peek();
  chosen.value = names === undefined ? others : { ...others, [list]: names };
  keep('localStorage', storage, JSON.stringify(chosen.value));
  setSearch({ columns: undefined });
}

/** Returns the names of the chosen columns: of the address, or else those chosen here. */
function namesOf(list: string): readonly string[] | undefined {
  return (place.value.search.get('columns') ?? chosen.value[list])?.split(',');
}

/** Begins the names of columns that show one custom field, in addresses and in files. */
const prefix = 'custom:';

/** Returns the name in addresses of the column of a custom field. Names there are divided by commas. */
const customName = (field: string) => prefix + encodeURIComponent(field);

function fieldOf(name: string): string | undefined {
  try {
    return name.startsWith(prefix) ? decodeURIComponent(name.slice(prefix.length)) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the list's column of all custom fields, if it has any. */
const customsOf = <Row, Field extends string>(all: readonly Column<Row, Field>[]) =>
  all.find(({ fileColumns }) => fileColumns);

/** Returns the column of one custom field, by its name in addresses. */
function customColumn<Row, Field extends string>(
  name: string,
  all: readonly Column<Row, Field>[],
): Column<Row, Field> | undefined {
  const [title, customs] = [fieldOf(name), customsOf(all)];
  if (!title || !customs) return undefined;
  const wanted = (prefix + title).toLocaleLowerCase();
  const text = (row: Row) => {
    const values = Object.entries(customs.fileColumns?.(row) ?? {});
    return String(values.find(([key]) => key.toLocaleLowerCase() === wanted)?.[1] ?? '');
  };
  const { label, include, class: classes } = customs;
  return { label, title, name, text, ...(include && { include }), ...(classes && { class: classes }) };
}

/** The columns of a list that are shown. */
interface ShownColumns<Row, Field extends string> {
  readonly columns: readonly Column<Row, Field>[];
  /** Names that no column has: of another version, or mistyped. */
  readonly unknown: readonly string[];
  /** The names, if somebody has chosen them. */
  readonly names: readonly string[] | undefined;
  /** Goes on without those that are unknown. */
  readonly forget: () => void;
}

/** Returns the columns of the address, those chosen here before, or the list's own. */
export function shownColumns<Row, Field extends string>(
  list: string,
  all: readonly Column<Row, Field>[],
): ShownColumns<Row, Field> {
  const onScreen = all.filter(({ only, isFor }) => only !== 'file' && isFor?.() !== false);
  const names = namesOf(list);
  const own = new Map(onScreen.map((column) => [nameOf(column), column]));
  const columnOf = (name: string) => own.get(name) ?? customColumn(name, all);
  const forget = () => choose(list, names?.filter(columnOf).join());
  if (!names)
    return { columns: onScreen.filter(({ isOptional }) => !isOptional), names, unknown: [], forget };
  const first = onScreen.slice(0, 1);
  const others = names.flatMap((name) => columnOf(name) ?? []).filter((column) => column !== first[0]);
  // The window's width hides columns that nobody has asked for.
  const wanted = others.map((column) => ({ ...column, class: classOf(column) }));
  const unknown = names.filter((name) => !columnOf(name));
  return { columns: [...first, ...wanted], names, unknown, forget };
}

/** Returns the layout of a column that somebody has chosen: no window hides it. */
function classOf({ class: classes = '' }: { readonly class?: string }): string {
  const hiding = /\b(?:wider?|roomy)\b/g;
  return hiding.test(classes) ? `${classes.replace(hiding, '').trim()} picked` : classes;
}

interface ColumnsMenuProps<Row> {
  readonly list: string;
  readonly all: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
}

/** Renders the menu that chooses the columns of a list. */
export function ColumnsMenu<Row>({ list, all, shown }: ColumnsMenuProps<Row>) {
  const names = shown.map(nameOf);
  const [, ...others] = all.filter(({ only, isFor }) => only !== 'file' && isFor?.() !== false);
  const customs = names.filter((name) => fieldOf(name) !== undefined);
  const [typed, type] = useState('');
  const toggle = (name: string, isShown: boolean) => {
    const offered = new Set([...others.map(nameOf), ...customs, ...(isShown ? [name] : [])]);
    const wanted = [...offered].filter((one) => (one === name ? isShown : names.includes(one)));
    // The name is always there, and says that somebody has chosen.
    choose(list, [...names.slice(0, 1), ...wanted].join());
  };
  return (
    <Menu label={t('list.columns')} icon="types" isForm>
      {() => (
        <div class="stack tight">
          {others.map((column) => (
            <Check
              key={nameOf(column)}
              label={headOf(column)}
              checked={names.includes(nameOf(column))}
              onChange={(isShown) => toggle(nameOf(column), isShown)}
            />
          ))}
          {customs.map((name) => (
            <Check
              key={name}
              label={fieldOf(name) ?? ''}
              checked
              onChange={(isShown) => toggle(name, isShown)}
            />
          ))}
          {customsOf(all) && (
            <>
              <TextField
                label={t('list.custom_field')}
                hint={t('list.custom_column_hint')}
                value={typed}
                onInput={type}
              />
              <Button
                icon="plus"
                disabled={typed.trim() === ''}
                onClick={() => {
                  toggle(customName(typed.trim()), true);
                  type('');
                }}
              >
                {t('list.custom_column')}
              </Button>
            </>
          )}
          <Button weight="bare" onClick={() => choose(list, undefined)}>
            {t('list.columns_own')}
          </Button>
        </div>
      )}
    </Menu>
  );
}
