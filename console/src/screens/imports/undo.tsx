import { useState } from 'preact/hooks';
import { recordKinds } from '../../app/addresses';
import { may } from '../../app/session';
import { request } from '../../data/client';
import { UndoImport } from '../../generated/operations/imports';
import type { ImportPageFragment } from '../../generated/types';
import { formatMoment } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Table } from '../../list/table';
import { Button } from '../../ui/button';
import { RemovalDialog } from '../../ui/dialog';
import { Badge } from '../../ui/status';
import { importKinds } from './kinds';

interface UndoProps {
  readonly shown: ImportPageFragment;
  readonly reload: () => Promise<void>;
}

/** Renders the button that takes an import back, as long as that is possible. */
export function UndoButton({ shown, reload }: UndoProps) {
  const { id, undoUntil, doneCount } = shown;
  const [isAsking, ask] = useState(false);
  if (!may('WRITE') || !undoUntil || doneCount === 0 || new Date(undoUntil) <= new Date()) return null;
  return (
    <>
      <Button icon="back" onClick={() => ask(true)}>
        {t('imports.undo')}
      </Button>
      {isAsking && (
        <RemovalDialog
          title={t('imports.undo')}
          text={t('imports.undo_text', { until: formatMoment(undoUntil) })}
          action={t('imports.undo')}
          gone={t('imports.UNDOING')}
          send={() => request(UndoImport, { id })}
          onDone={() => {
            ask(false);
            void reload();
          }}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}

/** Renders what became of the records of an import that was taken back. */
export function UndoOutcome({ kind, undo }: Pick<ImportPageFragment, 'kind' | 'undo'>) {
  if (!undo) return null;
  return (
    <>
      <p class="line" role="status">
        <Badge>{t('imports.undo_deleted', { n: undo.deleted })}</Badge>
        <Badge>{t('imports.undo_restored', { n: undo.restored })}</Badge>
        {undo.gone > 0 && <Badge>{t('imports.undo_gone', { n: undo.gone })}</Badge>}
        {undo.kept > 0 && <Badge urgency="near">{t('imports.undo_kept', { n: undo.kept })}</Badge>}
      </p>
      {undo.records.length > 0 && (
        <Table
          title={t('imports.undo_kept', { n: undo.kept })}
          rows={undo.records}
          columns={[
            { label: 'fields.name', text: ({ name }) => name ?? t('common.no_name') },
            { label: 'imports.reason', text: ({ message }) => message, class: 'below' },
          ]}
          hrefOf={({ id, kind: holder }) => {
            const folder = holder ? recordKinds[holder].folder : importKinds[kind].folder;
            return `${folder}/${id}`;
          }}
        />
      )}
    </>
  );
}
