import { recordKinds } from '../../app/addresses';
import type { Operation } from '../../data/client';
import { imports, resources } from '../../generated/resources';
import type { ImportKind, ImportState } from '../../generated/types';
import { type Key, t } from '../../i18n/i18n';
import { labelOf } from '../../records/labels';
import { reasonOf } from './reasons';

/** A kind of records that files have, with its list. */
interface ImportedKind {
  readonly folder: string;
  readonly label: Key;
  /** True if its records can be out of use. */
  readonly isRetired?: boolean;
}

const ofKinds = Object.entries(imports).map(([kind, { of }]): [string, ImportedKind] => {
  const { folder } = recordKinds[of];
  const isRetired = 'retired' in resources[of];
  return [kind, { folder, label: `${folder.slice(1)}.title` as Key, isRetired }];
});

/** Kinds of records that files have, with their lists. A workspace has records of all kinds. */
export const importKinds = {
  ...Object.fromEntries(ofKinds),
  WORKSPACE: { folder: '/items', label: 'imports.workspace' },
} as Readonly<Record<ImportKind, ImportedKind>>;

/** Runs a mutation of an import, and reads it again. */
export type Act = (
  operation: Operation<unknown, { id: string; ifVersion?: string | null | undefined }>,
  ifVersion?: string,
) => Promise<void>;

/** Returns the text for a column. Columns without one are shown by their names. */
export function columnText(kind: ImportKind, column: string): string {
  const label = kind === 'WORKSPACE' ? undefined : labelOf(imports[kind].of, column);
  return label ?? column.replace(/^custom:/, '');
}

/** The columns of a workspace, which is no single file. */
const noColumns = { columns: [], hasCustomFields: false };

/** Lists the columns to choose from for a header. `chosen` is always among them. */
export function columnChoices(kind: ImportKind, header: string, chosen: string) {
  const custom = chosen.startsWith('custom:') ? chosen : `custom:${header.trim()}`;
  const { columns, hasCustomFields } = kind === 'WORKSPACE' ? noColumns : imports[kind];
  const known = columns.map((value) => ({ value, label: columnText(kind, value) }));
  const isOther = chosen !== '' && chosen !== custom && !known.some(({ value }) => value === chosen);
  return [
    { value: '', label: t('imports.leave_out') },
    ...known,
    ...(isOther ? [{ value: chosen, label: chosen }] : []),
    ...(hasCustomFields ? [{ value: custom, label: t('imports.custom') }] : []),
  ];
}

/** Says in the person's language what is wrong with a cell. */
export function reasonText(message: string): string {
  const reason = reasonOf(message);
  return reason ? t(`importReasons.${reason.name}`, { one: reason.one, two: reason.two }) : message;
}

/** Returns whether a worker has an import in hand. */
export const isWorking = (state: ImportState): boolean =>
  state === 'READING' || state === 'RUNNING' || state === 'UNDOING';
