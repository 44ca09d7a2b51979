import type { ComponentChildren } from 'preact';
import { addressOf, type KindWithScreen, recordKinds } from '../app/addresses';
import { navigate } from '../app/router';
import { useQuery } from '../data/answers';
import { type Operation, request } from '../data/client';
import { faultOf } from '../data/fault';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { PageHead } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import { tell, tellFault } from '../ui/toast';
import { HistoryCard } from './aside';
import type { Stored, WritingDocuments } from './record-type';
import './records.css';

/** Renders a part of a record's page. The part may change the record, and then reads it again. */
type Part<Row> = (row: Row, reload: () => Promise<void>) => ComponentChildren;

/** The parts of a record's page. */
export interface RecordParts<Row> {
  /** Further names of a record without a name. */
  readonly names?: (row: Row) => readonly (string | null | undefined)[];
  /** Rendered beside the name. */
  readonly beside?: (row: Row) => ComponentChildren;
  /** Buttons of the head. */
  readonly actions: Part<Row>;
  /** Rendered below the head. */
  readonly lead?: Part<Row>;
  /** Cards of the wide column, and of the one beside it. */
  readonly main: Part<Row>;
  readonly aside?: Part<Row>;
}

interface RecordPageProps<Row> extends RecordParts<Row> {
  readonly kind: KindWithScreen;
  readonly id: string;
  /** The title of the kind's list. */
  readonly list: string;
  readonly document: Operation<{ readonly record: Row | null }, { id: string }>;
  /** The column that has the history. */
  readonly history: 'main' | 'aside';
  /** Rendered instead of the page, if it returns something: a form. */
  readonly instead?: Part<Row>;
}

/** Renders the page of a record: its head, its cards and its history. */
export function RecordPage<Row extends Stored>(props: RecordPageProps<Row>) {
  const { kind, id, list, document, names, beside, actions, lead, main, aside, instead } = props;
  const { data, fault, isLoading, reload } = useQuery(document, { id });
  const row = data?.record ?? undefined;
  const above = { href: recordKinds[kind].folder, label: list };
  if (!row) {
    const gone = !isLoading && !fault ? faultOf('gone') : fault;
    return (
      <>
        <PageHead title={gone ? t('common.no_screen') : '…'} above={above} />
        {gone ? <FaultNote fault={gone} onRetry={reload} /> : <Bones rows={8} />}
      </>
    );
  }
  const other = instead?.(row, reload);
  if (other) return other;
  const history = <HistoryCard kind={kind} id={id} />;
  return (
    <>
      <PageHead title={shownName(row.name, ...(names?.(row) ?? []))} above={above} beside={beside?.(row)}>
        {actions(row, reload)}
      </PageHead>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {lead?.(row, reload)}
      <div class="recordcolumns">
        <div class="stack">
          {main(row, reload)}
          {props.history === 'main' && history}
        </div>
        <div class="stack">
          {aside?.(row, reload)}
          {props.history === 'aside' && history}
        </div>
      </div>
    </>
  );
}

/**
 * Deletes a record, shows its list, and offers to undo.
 * @returns whether it was deleted
 */
export async function removeRecord(
  kind: KindWithScreen,
  documents: Pick<WritingDocuments, 'remove' | 'restore'>,
  { id, version }: Stored,
  name: string,
): Promise<boolean> {
  const outcome = await request(documents.remove, { id, ifVersion: version });
  if (!outcome.ok) {
    tellFault(outcome.fault);
    return false;
  }
  navigate(recordKinds[kind].folder);
  tell(t('common.deleted', { name }), async () => {
    const restored = await request(documents.restore, { id });
    if (!restored.ok) return tellFault(restored.fault);
    navigate(addressOf(kind, id));
    tell(t('common.undone'));
  });
  return true;
}
