import { useRef, useState } from 'preact/hooks';
import { navigate, place, setSearch } from '../../app/router';
import { caller, may } from '../../app/session';
import { useQuery } from '../../data/answers';
import type { DataOf } from '../../data/client';
import type { Fault } from '../../data/fault';
import { Imports } from '../../generated/operations/imports';
import type { ImportKind } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { Column } from '../../list/declare';
import { Table } from '../../list/table';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/field';
import { Card, PageHead } from '../../ui/page';
import { FaultNote } from '../../ui/state';
import { Ago } from '../../ui/status';
import { ExportCard } from './export-card';
import { saveTemplate, upload, uploadWorkspace } from './files';
import { importKinds } from './kinds';

type Row = DataOf<typeof Imports>['imports'][number];

/** Lists what the person may import. Whole workspaces are for administrators. */
const kindsOf = () =>
  (Object.keys(importKinds) as ImportKind[]).filter((kind) => kind !== 'WORKSPACE' || may('ADMINISTER'));

const columns: readonly Column<Row>[] = [
  { label: 'fields.name', text: ({ fileName }) => fileName ?? t('common.no_name') },
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
function FilePlace({ kind, teamId }: { readonly kind: ImportKind; readonly teamId: string }) {
  const [fault, setFault] = useState<Fault>();
  const [isOver, setOver] = useState(false);
  const [sending, setSending] = useState<AbortController>();
  const [sentBytes, setSent] = useState({ done: 0, all: 0 });
  const isWhole = kind === 'WORKSPACE';
  const input = useRef<HTMLInputElement>(null);
  async function send(file: File | undefined) {
    if (!file || sending) return;
    const stopping = new AbortController();
    setSending(stopping);
    setFault(undefined);
    const onSent = (done: number) => setSent({ done, all: file.size });
    const sent = isWhole
      ? await uploadWorkspace(file, teamId, onSent, stopping.signal)
      : await upload(kind, file);
    setSending(undefined);
    if (sent && 'id' in sent) navigate(`/imports/${sent.id}`);
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
      <p>{t(isWhole ? 'imports.drop_zip' : 'imports.drop')}</p>
      <input
        ref={input}
        type="file"
        accept={isWhole ? '.zip,application/zip' : '.csv,.tsv,.txt,.xlsx,.xlsm,.ods,text/csv'}
        hidden
        onChange={({ currentTarget }) => {
          void send(currentTarget.files?.[0]).then(() => {
            currentTarget.value = '';
          });
        }}
      />
      <div class="line">
        <Button
          icon="upload"
          weight="first"
          isBusy={sending !== undefined}
          onClick={() => input.current?.click()}
        >
          {t('imports.choose')}
        </Button>
        {!isWhole && (
          <Button icon="download" onClick={() => saveTemplate(kind)}>
            {t('imports.template')}
          </Button>
        )}
      </div>
      {!isWhole && (
        <textarea
          class="input importpaste"
          aria-label={t('imports.paste')}
          placeholder={t('imports.paste')}
          rows={2}
          // Cells are sent at once, and may be too many to be shown.
          value=""
          onPaste={(event) => {
            event.preventDefault();
            const [pasted] = event.clipboardData?.files ?? [];
            const cells = event.clipboardData?.getData('text/plain') ?? '';
            if (cells.trim() !== '')
              void send(new File([cells], `${t('imports.pasted')}.tsv`, { type: 'text/csv' }));
            else void send(pasted);
          }}
          onInput={({ currentTarget }) => {
            currentTarget.value = '';
          }}
        />
      )}
      {sending && isWhole && (
        <>
          <progress
            class="importbar"
            aria-label={t('imports.choose')}
            max={sentBytes.all || 1}
            value={sentBytes.done}
          />
          <Button onClick={() => sending.abort()}>{t('common.cancel')}</Button>
        </>
      )}
      <p class="soft small">{t(isWhole ? 'imports.hint_zip' : 'imports.hint')}</p>
      {fault && <FaultNote fault={fault} />}
    </div>
  );
}

/** Renders the start of an import: the kind, the file, and what was imported before. */
export function NewImport() {
  const wanted = place.value.search.get('kind')?.toUpperCase();
  const kinds = kindsOf();
  const kind = kinds.find((known) => known === wanted) ?? 'ITEMS';
  const teams = caller.value?.me.teams ?? [];
  const [team, setTeam] = useState(caller.value?.me.team?.id ?? teams[0]?.id ?? '');
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
            {kind === 'WORKSPACE' && teams.length > 1 && (
              <SelectField
                label={t('fields.team')}
                value={team}
                onChange={setTeam}
                choices={teams.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
            <FilePlace kind={kind} teamId={team} />
          </div>
        </Card>
        {may('ADMINISTER') && <ExportCard teams={teams} own={team} />}
        {latest.fault && <FaultNote fault={latest.fault} onRetry={latest.reload} />}
        {rows.length > 0 && (
          <>
            <h2>{t('imports.latest')}</h2>
            <Table
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
