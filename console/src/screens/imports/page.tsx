import { useEffect, useRef } from 'preact/hooks';
import { may } from '../../app/session';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import { CancelImport, ImportRecord } from '../../generated/operations/imports';
import type { ImportPageFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button, LinkButton } from '../../ui/button';
import { Card, PageHead } from '../../ui/page';
import { Bones, FaultNote } from '../../ui/state';
import { Badge } from '../../ui/status';
import { tellFault } from '../../ui/toast';
import { saveResult } from './files';
import { type Act, importKinds, isWorking } from './kinds';
import { OptionsForm } from './options';
import { Counts, PreviewCard } from './preview';
import { UndoButton, UndoOutcome } from './undo';

/** Milliseconds between two looks at an import that is under way. */
const lookMs = 600;

interface PartProps {
  readonly shown: ImportPageFragment;
  readonly act: Act;
}

/** Renders how far an import has come. */
function Progress({ shown, act }: PartProps) {
  const { state, doneCount, rowCount } = shown;
  const isReading = state === 'READING' || state === 'UNDOING';
  return (
    <Card title={t(`imports.${state}`)}>
      <div class="stack">
        <progress
          class="importbar"
          aria-label={t(`imports.${state}`)}
          {...(isReading ? {} : { max: Math.max(rowCount, 1), value: doneCount })}
        />
        {!isReading && <p role="status">{t('common.of_total', { shown: doneCount, total: rowCount })}</p>}
        {state !== 'UNDOING' && (
          <div class="line">
            <Button onClick={() => act(CancelImport)}>{t('imports.cancel')}</Button>
            {!isReading && <span class="soft small">{t('imports.kept')}</span>}
          </div>
        )}
      </div>
    </Card>
  );
}

/** Returns the address of the records that an import has written. Those of a whole workspace are of all kinds. */
function recordsOf({ id, kind }: ImportPageFragment): string {
  const { folder, isRetired } = importKinds[kind];
  if (kind === 'WORKSPACE') return folder;
  // What is out of use is among them.
  const all = kind === 'ITEMS' ? '&status=all' : isRetired ? '&all=1' : '';
  return `${folder}?import=${id}${all}`;
}

/** Renders what an import did. */
function Outcome({ shown, reload }: Pick<PartProps, 'shown'> & { readonly reload: () => Promise<void> }) {
  const { id, kind, state, error, fileName, doneCount } = shown;
  return (
    <Card title={t(`imports.${state}`)}>
      <div class="stack">
        {error && <p role="alert">{error}</p>}
        <UndoOutcome kind={kind} undo={shown.undo} />
        {state !== 'UNDONE' && (state === 'DONE' || doneCount > 0) && (
          <Counts
            created={shown.createdCount}
            updated={shown.updatedCount}
            unchanged={shown.unchangedCount}
            failed={shown.failedCount}
          />
        )}
        <div class="line">
          {doneCount > 0 && (
            <Button icon="download" onClick={() => saveResult(id, fileName)}>
              {t('imports.result')}
            </Button>
          )}
          {state !== 'UNDONE' && <UndoButton shown={shown} reload={reload} />}
          {doneCount > 0 && state !== 'UNDONE' && (
            <LinkButton href={recordsOf(shown)}>{t('imports.see')}</LinkButton>
          )}
          <LinkButton href={`/imports?kind=${kind.toLowerCase()}`}>{t('imports.another')}</LinkButton>
        </div>
      </div>
    </Card>
  );
}

/** Renders an import from its preview to its result. Its address leads back to it at any time. */
export function ImportPage({ id }: { readonly id: string }) {
  const { data, fault, reload } = useQuery(ImportRecord, { id });
  const shown = data?.import;
  // A preview that follows a change takes the place of the one before it.
  const wasOpen = useRef(false);
  // The next look is planned when an answer, or a fault, is there.
  useEffect(() => {
    if (!shown || !isWorking(shown.state)) return;
    const timer = setTimeout(() => void reload(), lookMs);
    return () => clearTimeout(timer);
  }, [data, fault]);
  const act: Act = async (operation, ifVersion) => {
    const outcome = await request(operation, ifVersion === undefined ? { id } : { id, ifVersion });
    if (!outcome.ok) tellFault(outcome.fault);
    await reload();
  };
  const head = (
    <PageHead
      title={shown?.fileName ?? t('imports.title')}
      above={{ href: '/imports', label: t('imports.title') }}
      beside={shown && <Badge>{t(importKinds[shown.kind].label)}</Badge>}
    />
  );
  if (!shown) {
    return (
      <>
        {head}
        {fault ? <FaultNote fault={fault} onRetry={reload} /> : <Bones rows={6} />}
      </>
    );
  }
  const { state, preview, rowCount } = shown;
  const isFollowing = state === 'READING' && wasOpen.current;
  const isOpen = state === 'READY' || (state === 'FAILED' && rowCount === 0) || isFollowing;
  wasOpen.current = isOpen;
  return (
    <>
      {head}
      <div class="stack">
        {fault && <FaultNote fault={fault} onRetry={reload} />}
        {isWorking(state) && !(isFollowing && may('WRITE')) && <Progress shown={shown} act={act} />}
        {!isWorking(state) && state !== 'READY' && <Outcome shown={shown} reload={reload} />}
        {isOpen && may('WRITE') && <OptionsForm key={id} shown={shown} act={act} reload={reload} />}
        {state === 'READY' && preview && !may('WRITE') && <PreviewCard kind={shown.kind} preview={preview} />}
      </div>
    </>
  );
}
