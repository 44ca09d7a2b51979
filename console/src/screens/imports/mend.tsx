import { useRef, useState } from 'preact/hooks';
import type { ImportPageFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Grid } from '../../ui/grid/grid';
import { Card } from '../../ui/page';
import { reasonText } from './kinds';

type Preview = NonNullable<ImportPageFragment['preview']>;
type RowErrors = Preview['errors'];
type Correction = ImportPageFragment['corrections'][number];

/** The most characters of a value that errors repeat whole. */
const wholeValue = 79;

/** Lists the errors of cells that can be mended. Names of people are asked about elsewhere. */
const wrongCells = ({ errors, columns, people, missing }: Preview): RowErrors =>
  errors.filter(
    ({ column, value }) =>
      columns.some(({ header }) => header === column) &&
      !missing.includes(column ?? '') &&
      !people.some((one) => one.header === column && (value ?? '').includes(one.value)),
  );

/** Lists the errors that nothing else on the screen shows. */
export const otherErrors = (preview: Preview): RowErrors => {
  const cells = wrongCells(preview);
  return preview.errors.filter(
    (error) =>
      !cells.includes(error) &&
      !preview.missing.includes(error.column ?? '') &&
      !preview.people.some(({ header }) => header === error.column),
  );
};

/** Adds a correction, in the place of an earlier one of the same cells. */
const withCorrection = (all: readonly Correction[], one: Correction): Correction[] => [
  ...all.filter(
    (other) =>
      other.header !== one.header || other.row !== one.row || (one.row === null && other.from !== one.from),
  ),
  one,
];

interface MendCardProps {
  readonly preview: Preview;
  readonly corrections: readonly Correction[];
  readonly onChange: (corrections: Correction[]) => void;
}

/** Renders the cells with errors, where they can be mended. */
export function MendCard({ preview, corrections, onChange }: MendCardProps) {
  const [last, setLast] = useState<{ readonly header: string; readonly from: string; readonly to: string }>();
  // The texts of the file, by line and header. What was mended stays, and can be changed again.
  const seen = useRef(new Map<number, Map<string, string>>());
  const wrong = wrongCells(preview);
  for (const { row, column, value } of wrong) {
    const cells = seen.current.get(row) ?? new Map<string, string>();
    if (!cells.has(column ?? '')) cells.set(column ?? '', value ?? '');
    seen.current.set(row, cells);
  }
  if (seen.current.size === 0) return null;
  const lines = [...seen.current.keys()].sort((one, other) => one - other);
  const inCells = new Set([...seen.current.values()].flatMap((cells) => [...cells.keys()]));
  const headers = preview.columns.map(({ header }) => header).filter((header) => inCells.has(header));
  const mended = (header: string, row: number, from: string) =>
    corrections.find((one) => one.header === header && one.row === row) ??
    corrections.find((one) => one.header === header && one.row === null && one.from === from);
  const alike = last
    ? wrong.filter(
        ({ row, column, value }) =>
          column === last.header && value === last.from && !mended(last.header, row, last.from),
      ).length
    : 0;
  return (
    <Card title={t('imports.mend')}>
      <div class="stack">
        <p class="soft small">{t('imports.mend_hint')}</p>
        <Grid
          title={t('imports.mend')}
          rows={lines.length}
          columns={[
            { name: 'line', label: t('imports.line'), width: 80 },
            ...headers.map((header) => ({ name: header, label: header, width: 240 })),
          ]}
          rowHeight={56}
          cellAt={(at, column) => {
            const row = lines[at] ?? 0;
            if (column === 0) return { text: String(row) };
            const header = headers[column - 1] ?? '';
            const text = seen.current.get(row)?.get(header);
            if (text === undefined) return { text: '', isFixed: true };
            const message = wrong.find((one) => one.row === row && one.column === header)?.message;
            const error = message && reasonText(message);
            const correction = mended(header, row, text);
            return { text: correction ? (correction.to ?? '') : text, error };
          }}
          onChange={(changes) => {
            let all: Correction[] = [...corrections];
            for (const { row: at, column, text: to } of changes) {
              const [row, header] = [lines[at], headers[column - 1]];
              const from = row && header !== undefined ? seen.current.get(row)?.get(header) : undefined;
              if (row === undefined || header === undefined || from === undefined) continue;
              all = withCorrection(all, { header, row, from: null, to });
              setLast(from.length <= wholeValue ? { header, from, to } : undefined);
            }
            onChange(all);
          }}
        />
        {last && alike > 0 && (
          <div class="line">
            <Button
              onClick={() => {
                onChange(withCorrection(corrections, { ...last, row: null }));
                setLast(undefined);
              }}
            >
              {t('imports.mend_alike', { n: alike, value: last.from })}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
