import { signal } from '@preact/signals';
import { place, setSearch } from '../app/router';
import { keep, readKept } from '../data/browser';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Check } from '../ui/field';
import { Menu } from '../ui/menu';
import { type Column, nameOf } from './declare';

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
  const known = new Map(onScreen.map((column) => [nameOf(column), column]));
  const forget = () => choose(list, names?.filter((name) => known.has(name)).join());
  if (!names)
    return { columns: onScreen.filter(({ isOptional }) => !isOptional), names, unknown: [], forget };
  const first = onScreen.slice(0, 1);
  const others = names.flatMap((name) => known.get(name) ?? []).filter((column) => column !== first[0]);
  // The window's width hides columns that nobody has asked for.
  const wanted = others.map((column) => ({ ...column, class: classOf(column) }));
  const unknown = names.filter((name) => !known.has(name));
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
  const toggle = (name: string, isShown: boolean) => {
    const wanted = others.map(nameOf).filter((one) => (one === name ? isShown : names.includes(one)));
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
              label={t(column.label)}
              checked={names.includes(nameOf(column))}
              onChange={(isShown) => toggle(nameOf(column), isShown)}
            />
          ))}
          <Button weight="bare" onClick={() => choose(list, undefined)}>
            {t('list.columns_own')}
          </Button>
        </div>
      )}
    </Menu>
  );
}
