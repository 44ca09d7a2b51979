import type { ImportKind, ImportPageFragment } from '../../generated/operations';
import { t } from '../../i18n/i18n';
import { type Column, RecordTable } from '../../records/table';
import { Card } from '../../ui/page';
import { Badge } from '../../ui/status';
import { columnText } from './kinds';

type Preview = NonNullable<ImportPageFragment['preview']>;

const actions = ['created', 'updated', 'unchanged', 'failed'] as const;

/** Renders how many records are, or would be, added, changed, unchanged or refused. */
export function Counts(counts: Readonly<Record<(typeof actions)[number], number>>) {
  return (
    <p class="line" role="status">
      {actions.map((action) => (
        <Badge key={action} {...(action === 'failed' && counts.failed > 0 && { urgency: 'near' as const })}>
          {t(`imports.${action}`, { n: counts[action] })}
        </Badge>
      ))}
    </p>
  );
}

interface ErrorRow {
  readonly id: string;
  readonly row: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly message: string;
}

const errorColumns: readonly Column<ErrorRow>[] = [
  { label: 'imports.line', text: ({ row }) => row },
  { label: 'imports.column', text: ({ column }) => column },
  { label: 'records.field_value', text: ({ value }) => value },
  { label: 'imports.reason', text: ({ message }) => message, class: 'below' },
];

/** A row of the file, as the gateway shows it. */
interface FirstRow {
  readonly row: number;
  readonly action: string;
  readonly values: Readonly<Record<string, string>>;
}

const isAction = (action: string): action is (typeof actions)[number] =>
  (actions as readonly string[]).includes(action);

const rowColumns = (kind: ImportKind): readonly Column<FirstRow & { readonly id: string }>[] => [
  { label: 'imports.line', text: ({ row }) => row },
  {
    label: 'imports.state',
    // Its number is left out.
    text: ({ action }) => (isAction(action) ? t(`imports.${action}`, { n: 1 }).replace(/^\S+ /, '') : action),
  },
  {
    label: 'imports.preview',
    text: ({ values }) =>
      Object.entries(values)
        .filter(([, value]) => value !== '')
        .map(([column, value]) => `${columnText(kind, column)}: ${value}`)
        .join(' · '),
    class: 'below',
  },
];

/** Renders the errors and the first rows of a preview. */
export function PreviewCard({ kind, preview }: { readonly kind: ImportKind; readonly preview: Preview }) {
  const rows = (preview.rows as readonly FirstRow[]).map((row) => ({ ...row, id: String(row.row) }));
  const errors = preview.errors.map((error, at) => ({ ...error, id: String(at) }));
  return (
    <>
      {errors.length > 0 && (
        <Card title={t('imports.errors')}>
          <div class="stack">
            <p class="soft small">{t('imports.errors_hint')}</p>
            <RecordTable title={t('imports.errors')} rows={errors} columns={errorColumns} />
          </div>
        </Card>
      )}
      {rows.length > 0 && (
        <Card title={t('imports.rows')}>
          <RecordTable title={t('imports.rows')} rows={rows} columns={rowColumns(kind)} />
        </Card>
      )}
    </>
  );
}
