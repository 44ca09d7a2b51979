import type { ImportKind, ImportPageFragment } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { type Key, t } from '../../i18n/i18n';
import type { Column } from '../../list/declare';
import { Table } from '../../list/table';
import { Card } from '../../ui/page';
import { Badge } from '../../ui/status';
import { columnText, reasonText } from './kinds';
import { otherErrors } from './mend';

type Preview = NonNullable<ImportPageFragment['preview']>;

const actions = ['created', 'updated', 'unchanged', 'failed'] as const;

const isWritten = (action: (typeof actions)[number]): action is 'created' | 'updated' =>
  action === 'created' || action === 'updated';

/** Says what would become of some rows. */
const aheadText = (action: (typeof actions)[number], n: number) =>
  t(isWritten(action) ? `imports.would_${action}` : `imports.${action}`, { n });

/** Renders how many records are, or would be, added, changed, unchanged or refused. */
export function Counts({
  isAhead = false,
  ...counts
}: Readonly<Record<(typeof actions)[number], number>> & { readonly isAhead?: boolean }) {
  return (
    <p class="line" role="status">
      {actions.map((action) => (
        <Badge key={action} {...(action === 'failed' && counts.failed > 0 && { urgency: 'near' as const })}>
          {isAhead ? aheadText(action, counts[action]) : t(`imports.${action}`, { n: counts[action] })}
        </Badge>
      ))}
    </p>
  );
}

/** Renders the records that would be made because rows name them. */
export function Alongside({ alongside }: Pick<Preview, 'alongside'>) {
  if (alongside.length === 0) return null;
  return (
    <p class="line">
      <span class="soft small">{t('imports.alongside')}</span>
      {alongside.map(({ kind, count }) => (
        <Badge key={kind}>{t(`imports.count_${kind}`, { n: count })}</Badge>
      ))}
    </p>
  );
}

interface ErrorRow {
  readonly id: string;
  readonly list: string | null;
  readonly row: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly message: string;
}

const errorColumns: readonly Column<ErrorRow>[] = [
  { label: 'imports.line', text: ({ list, row }) => (list ? `${list} ${row}` : row) },
  { label: 'imports.column', text: ({ column }) => column },
  { label: 'records.field_value', text: ({ value }) => value },
  { label: 'imports.reason', text: ({ message }) => reasonText(message), class: 'below' },
];

type FirstRow = Preview['firstRows'][number];
type RowChange = FirstRow['changes'][number];

/** Returns a value as people read it. A day has the name of its month, so that its order is plain. */
const shownValue = (value: string | null) =>
  value === null ? '–' : /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDay(value, 'long') : value;

/** Describes a change: the value before, and the one that will be stored. */
function changeText({ before, after, leftOut }: RowChange): string {
  if (leftOut) return t('imports.stays', { before: before ?? '', after: after ?? '' });
  return before === null ? shownValue(after) : `${shownValue(before)} → ${shownValue(after)}`;
}

const rowColumns = (kind: ImportKind): readonly Column<FirstRow & { readonly id: string }>[] => [
  { label: 'imports.line', text: ({ row }) => row },
  {
    label: 'imports.state',
    // Its number is left out.
    text: ({ action }) => aheadText(action.toLowerCase() as Lowercase<typeof action>, 1).replace(/^\S+ /, ''),
  },
  {
    label: 'imports.preview',
    text: ({ cells, changes }) =>
      // A row with errors changes nothing, so it is shown as the file has it.
      (changes.length > 0
        ? changes.map((change): [string, string] => [change.column, changeText(change)])
        : cells.filter(({ text }) => text !== '').map(({ column, text }): [string, string] => [column, text])
      )
        .map(([column, value]) => `${columnText(kind, column)}: ${value}`)
        .join(' · '),
    class: 'below',
  },
];

/** Titles of the lists of a whole workspace. */
const listLabels = {
  items: 'items.title',
  contacts: 'contacts.title',
  vehicles: 'vehicles.title',
  locations: 'locations.title',
  companies: 'companies.title',
  types: 'types.title',
  events: 'item.history',
  files: 'item.files',
  renewals: 'imports.renewals',
  requirements: 'requirements.title',
} as const satisfies Readonly<Record<string, Key>>;

/** A list of a whole workspace, with its numbers. */
type ListRow = NonNullable<Preview['workspace']>['lists'][number] & { readonly id: string };

const listColumns: readonly Column<ListRow>[] = [
  { label: 'imports.list', text: ({ list }) => (isList(list) ? t(listLabels[list]) : list) },
  { label: 'imports.all_rows', text: ({ rows }) => rows },
  {
    label: 'imports.preview',
    text: (list) =>
      list.imported
        ? actions
            .filter((action) => list[action] > 0)
            .map((action) => t(`imports.${action}`, { n: list[action] }))
            .join(' · ')
        : t('imports.not_imported'),
  },
];

const isList = (list: string): list is keyof typeof listLabels => list in listLabels;

/** Renders what would become of the lists of a whole workspace. */
function WorkspaceCard({ name, lists, leftOut }: NonNullable<Preview['workspace']>) {
  return (
    <Card title={name}>
      <div class="stack">
        <Table title={name} rows={lists.map((list) => ({ ...list, id: list.list }))} columns={listColumns} />
        {leftOut.map(({ list, column, cells }) => (
          <p key={`${list} ${column}`} class="soft small">
            {t('imports.left_out', { cells, column, list })}
          </p>
        ))}
      </div>
    </Card>
  );
}

/** Renders the errors and the first rows of a preview. */
export function PreviewCard({ kind, preview }: { readonly kind: ImportKind; readonly preview: Preview }) {
  // What is asked about needs no warning.
  const warnings = preview.warnings.filter(
    ({ column, value }) =>
      !preview.people.some((one) => one.header === column && (value ?? '').includes(one.value)),
  );
  const told = { errors: otherErrors(preview), warnings };
  const rows = preview.firstRows.map((row) => ({ ...row, id: String(row.row) }));
  return (
    <>
      {preview.workspace && <WorkspaceCard {...preview.workspace} />}
      {(['errors', 'warnings'] as const).map(
        (what) =>
          told[what].length > 0 && (
            <Card key={what} title={t(`imports.${what}`)}>
              <div class="stack">
                <p class="soft small">{t(`imports.${what}_hint`)}</p>
                <Table
                  title={t(`imports.${what}`)}
                  rows={told[what].map((error, at) => ({ ...error, id: String(at) }))}
                  columns={errorColumns}
                />
              </div>
            </Card>
          ),
      )}
      {rows.length > 0 && (
        <Card title={t('imports.rows')}>
          <Table title={t('imports.rows')} rows={rows} columns={rowColumns(kind)} />
        </Card>
      )}
    </>
  );
}
