import type { ComponentChildren } from 'preact';
import { navigate, place } from '../app/router';
import { may } from '../app/session';
import { faultOf } from '../data/fault';
import type { Operation } from '../data/operation';
import { useQuery } from '../data/query';
import { t } from '../i18n/i18n';
import { Button, LinkButton } from '../ui/button';
import { Card, PageHead } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import { Facts } from './facts';
import { RecordForm } from './form/record-form';
import { type RecordType, recordAddress, type Stored } from './record-type';
import { removeRecord } from './remove';
import './records.css';

interface RecordPageProps<Row> {
  readonly type: RecordType<Row>;
  readonly id: string;
  readonly operation: Operation<{ readonly record: Row | null }, { id: string }>;
  /** A status beside the name. */
  readonly beside?: (row: Row) => ComponentChildren;
  /** Content below the fields. */
  readonly below?: (row: Row) => ComponentChildren;
  /** Cards beside the fields: items that expire, history. */
  readonly aside?: (row: Row) => ComponentChildren;
}

/** Renders the form for a new record. */
function NewRecord<Row extends Stored>({ type }: { readonly type: RecordType<Row> }) {
  return (
    <>
      <PageHead title={t(type.add)} above={{ href: type.folder, label: t(type.title) }} />
      <div class="card narrow">
        <RecordForm
          type={type}
          onDone={(id) => navigate(recordAddress(type, id), { replace: true })}
          onCancel={() => navigate(type.folder)}
        />
      </div>
    </>
  );
}

function StoredRecord<Row extends Stored>(props: RecordPageProps<Row>) {
  const { type, id, operation, beside, below, aside } = props;
  const { data, fault, isLoading, reload } = useQuery(operation, { id });
  const row = data?.record ?? undefined;
  const address = recordAddress(type, id);
  const canWrite = may('WRITE') && row !== undefined && (type.canChange?.(row) ?? true);
  const canDelete = row !== undefined && (type.canDelete?.(row) ?? true);
  const isEdited = canWrite && place.value.search.has('edit');
  const above = { href: type.folder, label: t(type.title) };
  if (!row) {
    const gone = !isLoading && !fault ? faultOf('gone') : fault;
    return (
      <>
        <PageHead title={gone ? t('common.no_screen') : '…'} above={above} />
        {gone ? <FaultNote fault={gone} onRetry={reload} /> : <Bones rows={6} />}
      </>
    );
  }
  return (
    <>
      <PageHead title={type.nameOf(row)} above={above} beside={beside?.(row)}>
        {canWrite && !isEdited && (
          <>
            {canDelete && (
              <Button icon="trash" weight="bad" onClick={() => removeRecord(type, row)}>
                {t('common.delete')}
              </Button>
            )}
            <LinkButton icon="edit" weight="first" href={`${address}?edit=1`}>
              {t('common.edit')}
            </LinkButton>
          </>
        )}
      </PageHead>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      <div class="columns recordcolumns">
        <div class="stack">
          <Card title={t('records.facts')}>
            {isEdited ? (
              <RecordForm
                type={type}
                row={row}
                onDone={() => {
                  navigate(address, { replace: true });
                  reload();
                }}
                onCancel={() => navigate(address, { replace: true })}
                onOutdated={reload}
              />
            ) : (
              <Facts kind={type.kind} fields={type.fields} row={row} />
            )}
          </Card>
          {below?.(row)}
        </div>
        {aside && <div class="stack">{aside(row)}</div>}
      </div>
    </>
  );
}

/** Renders a record with what belongs to it. Its fields are edited in place. */
export function RecordPage<Row extends Stored>(props: RecordPageProps<Row>) {
  if (props.id !== 'new') return <StoredRecord {...props} />;
  if (may('WRITE')) return <NewRecord type={props.type} />;
  return (
    <>
      <PageHead title={t(props.type.title)} />
      <FaultNote fault={faultOf('forbidden')} />
    </>
  );
}
