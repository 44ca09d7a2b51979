import { useRef, useState } from 'preact/hooks';
import { navigate, place, setSearch } from '../../app/router';
import type { Fault } from '../../data/fault';
import type { DataOf } from '../../data/operation';
import { useQuery } from '../../data/query';
import { type ImportKind, Imports } from '../../generated/operations';
import { t } from '../../i18n/i18n';
import { type Column, RecordTable } from '../../records/table';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/field';
import { Card, PageHead } from '../../ui/page';
import { FaultNote } from '../../ui/state';
import { Ago } from '../../ui/status';
import { upload } from './files';
import { importKinds } from './kinds';

type Row = DataOf<typeof Imports>['imports'][number];

/** Kinds whose files the form takes. */
const kinds = (Object.keys(importKinds) as ImportKind[]).filter((kind) => kind !== 'WORKSPACE');

const columns: readonly Column<Row>[] = [
  { label: 'common.name', text: ({ fileName }) => fileName ?? t('common.no_name') },
  { label: 'imports.kind', text: ({ kind }) => t(importKinds[kind].label) },
  { label: 'imports.state', text: ({ state }) => t(`imports.${state}`) },
  {
    label: 'inbox.received',
    text: ({ modified }) => modified,
    draw: ({ modified }) => <Ago moment={modified} />,
    class: 'roomy',
  },
];

/** Renders the place for a file, which is sent as soon as it is there. */
function FilePlace({ kind }: { readonly kind: ImportKind }) {
  const [fault, setFault] = useState<Fault>();
  const [isOver, setOver] = useState(false);
  const [isSending, setSending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  async function send(file: File | undefined) {
    if (!file || isSending) return;
    setSending(true);
    setFault(undefined);
    const sent = await upload(kind, file);
    setSending(false);
    if ('id' in sent) navigate(`/imports/${sent.id}`);
    else setFault(sent);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; the button does the same.
    <div
      class={`importfile${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void send(event.dataTransfer?.files[0]);
      }}
    >
      <p>{t('imports.drop')}</p>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        hidden
        onChange={({ currentTarget }) => {
          void send(currentTarget.files?.[0]).then(() => {
            currentTarget.value = '';
          });
        }}
      />
      <Button icon="upload" weight="first" isBusy={isSending} onClick={() => input.current?.click()}>
        {t('imports.choose')}
      </Button>
      <p class="soft small">{t('imports.hint')}</p>
      {fault && <FaultNote fault={fault} />}
    </div>
  );
}

/** Renders the start of an import: the kind, the file, and what was imported before. */
export function NewImport() {
  const wanted = place.value.search.get('kind')?.toUpperCase();
  const kind = kinds.find((known) => known === wanted) ?? 'ITEMS';
  const latest = useQuery(Imports, {});
  const rows = latest.data?.imports ?? [];
  return (
    <>
      <PageHead title={t('imports.title')} />
      <div class="stack">
        <Card title={t('imports.choose')}>
          <div class="stack">
            <SelectField
              label={t('imports.kind')}
              value={kind}
              onChange={(value) => setSearch({ kind: value.toLowerCase() })}
              choices={kinds.map((value) => ({ value, label: t(importKinds[value].label) }))}
            />
            <FilePlace kind={kind} />
          </div>
        </Card>
        {latest.fault && <FaultNote fault={latest.fault} onRetry={latest.reload} />}
        {rows.length > 0 && (
          <>
            <h2>{t('imports.latest')}</h2>
            <RecordTable
              title={t('imports.latest')}
              rows={rows}
              columns={columns}
              hrefOf={({ id }) => `/imports/${id}`}
            />
          </>
        )}
      </div>
    </>
  );
}
