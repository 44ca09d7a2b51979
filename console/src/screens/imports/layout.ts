import { request } from '../../data/client';
import { CreateSavedView, SavedViews, UpdateSavedView } from '../../generated/operations/list';
import type { ImportKind, ImportPageFragment } from '../../generated/types';

/** The choices that are remembered for a file. */
type Layout = Pick<
  ImportPageFragment,
  'mapping' | 'constants' | 'people' | 'dateFormat' | 'allowNoDate' | 'mode'
>;

/** Returns whether somebody has chosen how a file is read, or a layout was taken. */
export const isChosen = ({ mapping, constants, people, dateFormat, allowNoDate, mode }: Layout): boolean =>
  mapping.length + constants.length + people.length > 0 ||
  dateFormat !== null ||
  allowNoDate ||
  mode !== 'CREATE_ONLY';

/** Views have texts by names. The first letter of a name says what it is, and a dash stands for nothing. */
const marks = { mapping: 'h', constants: 'c', people: 'p', option: 'o' } as const;
const none = '-';
const most = { entries: 50, text: 255 } as const;

const listOf = (kind: ImportKind) => `import-${kind.toLowerCase()}`;

/** Returns the views in which the person's layouts are kept. */
async function readLayouts(kind: ImportKind) {
  const outcome = await request(SavedViews, { list: listOf(kind) });
  return outcome.ok ? outcome.data.me.savedViews.filter(({ isOwn }) => isOwn) : [];
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());

/** Returns how a file with some headers was read last. Undefined if there was none. */
export async function findLayout(
  kind: ImportKind,
  headers: readonly string[],
): Promise<Partial<Layout> | undefined> {
  const found = (await readLayouts(kind)).find(({ columns }) => isSame(columns, [...new Set(headers)]));
  if (!found) return undefined;
  const of = (mark: string) =>
    found.filters
      .filter(({ name }) => name.startsWith(mark))
      .map(({ name, value }): [string, string | null] => [name.slice(1), value === none ? null : value]);
  const options = Object.fromEntries(of(marks.option));
  return {
    // A header that is there twice was given two columns.
    mapping: of(marks.mapping).flatMap(([header, value]) =>
      (value?.split(' + ') ?? [null]).map((column) => ({ header, column })),
    ),
    constants: of(marks.constants).map(([column, value]) => ({ column, value })),
    people: of(marks.people).map(([value, email]) => ({ value, email, make: null, skipRows: false })),
    ...(options.dateFormat && { dateFormat: options.dateFormat as Layout['dateFormat'] }),
    ...(options.mode && { mode: options.mode as Layout['mode'] }),
    ...(options.allowNoDate && { allowNoDate: true }),
  };
}

/** Remembers how a file is read, for the next one with its headers. What is too much is left out. */
export async function keepLayout(
  kind: ImportKind,
  headers: readonly string[],
  { mapping, constants, people, dateFormat, allowNoDate, mode }: Layout,
): Promise<void> {
  const chosen = new Map<string, string[]>();
  for (const { header, column } of mapping)
    chosen.set(header, [...(chosen.get(header) ?? []), ...(column ? [column] : [])]);
  const filters = [
    ...[...chosen].map(([header, columns]) => [marks.mapping + header, columns.join(' + ')]),
    ...constants.map(({ column, value }) => [marks.constants + column, value]),
    ...(dateFormat ? [[`${marks.option}dateFormat`, dateFormat]] : []),
    ...(allowNoDate ? [[`${marks.option}allowNoDate`, 'true']] : []),
    ...(mode === 'CREATE_ONLY' ? [] : [[`${marks.option}mode`, mode]]),
    // What is made once is there for the next file, and each file has its own rows to leave out.
    ...people.flatMap(({ value, email, make, skipRows }) =>
      email === null && (make || skipRows) ? [] : [[marks.people + value, email]],
    ),
  ]
    .map(([name, value]) => ({ name: name ?? '', value: value?.trim() || none }))
    .filter(({ name, value }) => name.length <= most.text && value.length <= most.text)
    .slice(0, most.entries);
  const columns = [...new Set(headers)];
  const before = await readLayouts(kind);
  const name = columns.join(' · ').slice(0, most.text).trim();
  const same = before.find((view) => isSame(view.columns, columns) || view.name === name);
  if (same) await request(UpdateSavedView, { id: same.id, input: { columns, filters } });
  else if (filters.length > 0)
    await request(CreateSavedView, { input: { list: listOf(kind), name, columns, filters } });
}
