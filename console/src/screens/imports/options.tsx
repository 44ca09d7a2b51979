import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { CancelImport, ChangeImport, RunImport } from '../../generated/operations/imports';
import type {
  ImportDateFormat,
  ImportEncoding,
  ImportKind,
  ImportMode,
  ImportPageFragment,
} from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { language, t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Check, SelectField } from '../../ui/field';
import { Card } from '../../ui/page';
import { FaultNote } from '../../ui/state';
import { ColumnsCard } from './columns';
import { saveResult } from './files';
import { type Act, columnText } from './kinds';
import { findLayout, isChosen, keepLayout } from './layout';
import { MendCard } from './mend';
import { PeopleCard } from './people';
import { Alongside, Counts, PreviewCard } from './preview';

interface OptionsFormProps {
  readonly shown: ImportPageFragment;
  readonly act: Act;
  readonly reload: () => Promise<void>;
}

const modes = ['CREATE_ONLY', 'UPSERT', 'UPDATE_ONLY'] as const satisfies ImportMode[];
const encodings = ['UTF_8', 'UTF_16', 'WINDOWS_1252'] as const satisfies ImportEncoding[];
const dateFormats = ['DMY', 'MDY', 'YMD'] as const satisfies ImportDateFormat[];

/** Returns whether dates do not prove their order. */
const needsFormat = (preview: ImportPageFragment['preview']) =>
  (preview?.dates ?? []).some(({ asked }) => asked);

interface DamagedColumnsProps {
  readonly kind: ImportKind;
  readonly damaged: NonNullable<ImportPageFragment['preview']>['damaged'];
  readonly accepted: readonly string[];
  readonly onChange: (accepted: string[]) => void;
}

/** Renders the choice of columns whose damaged values are imported all the same. */
function DamagedColumns({ kind, damaged, accepted, onChange }: DamagedColumnsProps) {
  return (
    <>
      <p class="soft small">{t('imports.damaged_hint')}</p>
      {damaged.map(({ column, damage, cells, before, after }) => (
        <Check
          key={`${damage} ${column}`}
          label={`${columnText(kind, column)}: ${before} → ${after} (${t(`imports.${damage}`)}, ${cells}×)`}
          checked={accepted.includes(column)}
          onChange={(isTaken) =>
            onChange([...accepted.filter((other) => other !== column), ...(isTaken ? [column] : [])])
          }
        />
      ))}
    </>
  );
}

/** Explains dates that have several readings, and years of two digits. */
function DatesNote({ dates }: { readonly dates: NonNullable<ImportPageFragment['preview']>['dates'] }) {
  const or = new Intl.ListFormat(language.value, { type: 'disjunction' });
  const notes = dates.flatMap(({ header, asked, example, firstShortYear }) => [
    ...(asked && example
      ? [
          t('imports.dates_example', {
            line: example.row,
            value: example.value,
            dates: or.format(new Set(example.readings.map(({ date }) => formatDay(date, 'long')))),
          }),
        ]
      : []),
    ...(firstShortYear === null
      ? []
      : [
          // Years are no amounts, and have no separator.
          t('imports.dates_short', { header, from: `${firstShortYear}`, to: `${firstShortYear + 99}` }),
        ]),
  ]);
  return (
    <>
      {notes.map((note) => (
        <p key={note} class="soft small">
          {note}
        </p>
      ))}
    </>
  );
}

/** Returns the options of an import as they can be changed. */
const optionsOf = (shown: ImportPageFragment) => ({
  mode: shown.mode,
  encoding: shown.encoding,
  sheet: shown.sheet,
  headerLine: shown.headerLine,
  dateFormat: shown.dateFormat,
  atomic: shown.atomic,
  acceptDamage: shown.acceptDamage,
  allowNoDate: shown.allowNoDate,
  skipRepeats: shown.skipRepeats,
  quiet: shown.quiet,
  mapping: shown.mapping,
  constants: shown.constants,
  people: shown.people,
  makeHolders: shown.makeHolders,
  corrections: shown.corrections,
});

type Options = ReturnType<typeof optionsOf>;

/** Milliseconds without a further change, after which the preview follows. */
const restMs = 400;

/**
 * Sends changes of options as they are made, one after the other. The preview follows them by itself. What another tab
 * has changed meanwhile is not overwritten.
 */
function useOptions(shown: ImportPageFragment, reload: () => Promise<void>) {
  const { id, kind, state } = shown;
  const [options, setOptions] = useState(() => optionsOf(shown));
  const begun = useRef(options);
  const [fault, setFault] = useState<Fault>();
  const text = JSON.stringify(options);
  const [sent, setSent] = useState(text);
  const [isSending, setSending] = useState(false);
  /** The version of the options that were sent or received last. */
  const version = useRef(shown.version);
  /** Versions of this tab. An answer that is older than its last change may have one. */
  const own = useRef(new Set([shown.version]));
  const isReading = state === 'READING';
  const isNews = fault?.kind === 'changed' || !own.current.has(shown.version);
  const isOther = shown.version !== version.current && isNews && !isSending;
  function know(next: string) {
    version.current = next;
    own.current.add(next);
  }
  function take() {
    const theirs = optionsOf(shown);
    know(shown.version);
    setOptions(theirs);
    setSent(JSON.stringify(theirs));
    setFault(undefined);
  }
  /** Sends what was chosen here in place of what another tab has sent. */
  function keep() {
    know(shown.version);
    setSent('');
    setFault(undefined);
  }
  // Who has changed nothing sees what another tab has changed.
  useEffect(() => {
    if (isOther && text === sent && !fault) take();
  }, [shown.version, text, sent, isSending]);
  useEffect(() => {
    if (text === sent || isSending || isReading || isOther) return;
    const timer = setTimeout(async () => {
      setSent(text);
      setSending(true);
      // A value that is not typed yet is none.
      const constants = options.constants.filter(({ value }) => value?.trim());
      const input = kind === 'WORKSPACE' ? { quiet: options.quiet } : { ...options, constants };
      const outcome = await request(ChangeImport, { id, input, ifVersion: version.current });
      if (outcome.ok && outcome.data.import) know(outcome.data.import.version);
      setFault(outcome.ok ? undefined : outcome.fault);
      await reload();
      setSending(false);
    }, restMs);
    return () => clearTimeout(timer);
  }, [text, sent, isSending, isReading, isOther]);
  return {
    ...{ options, fault, take, keep },
    /** True if another tab has changed the options since this one. */
    isOther: isOther && (fault !== undefined || text !== sent),
    version: version.current,
    /** True as long as the preview is that of other options. */
    isStale: text !== sent || isSending || isReading || isOther || fault !== undefined,
    set: (changes: Partial<Options>) => setOptions((now) => ({ ...now, ...changes })),
    /** Sets what nobody has changed yet. */
    begin: (changes: Partial<Options>) =>
      setOptions((now) => (now === begun.current ? { ...now, ...changes } : now)),
  };
}

/**
 * Takes the choices for the last file with these headers, or the guesses. The order of dates that was chosen then is taken
 * only where this file proves none.
 */
function useFirstChoice(
  shown: ImportPageFragment,
  { options, isStale, begin, set }: ReturnType<typeof useOptions>,
) {
  const [layout, setLayout] = useState<Awaited<ReturnType<typeof findLayout>>>();
  const { kind, preview } = shown;
  const isFirst = useRef(!isChosen(shown));
  useEffect(() => {
    if (!isFirst.current || !preview || kind === 'WORKSPACE') return;
    isFirst.current = false;
    void findLayout(
      kind,
      preview.columns.map(({ header }) => header),
    ).then((found) => {
      if (found) {
        const { dateFormat: _order, ...others } = found;
        setLayout(found);
        return begin(others);
      }
      const mapping = preview.columns.flatMap(({ header, column, guess }) =>
        guess && !column ? [{ header, column: guess }] : [],
      );
      if (mapping.length > 0) begin({ mapping });
    });
  }, [preview]);
  const { dateFormat = null } = layout ?? {};
  const isRefuted = (preview?.dates ?? []).some(({ format }) => format !== null && format !== dateFormat);
  const order = isRefuted ? null : dateFormat;
  const isOpen = useRef(true);
  useEffect(() => {
    // Which columns have dates is known once the others are chosen.
    if (!layout || !preview || isStale || !isOpen.current) return;
    isOpen.current = false;
    if (order && options.dateFormat === null && needsFormat(preview)) set({ dateFormat: order });
  }, [layout, preview, isStale]);
  return { isRemembered: layout !== undefined, order };
}

/** Renders what is imported, and how, until the import runs. */
export function OptionsForm({ shown, act, reload }: OptionsFormProps) {
  const { id, kind } = shown;
  const changing = useOptions(shown, reload);
  const { options, fault, isStale, isOther, take, keep, version, set } = changing;
  const { isRemembered, order } = useFirstChoice(shown, changing);
  // The last preview stays in view while the next one is made.
  const last = useRef(shown.preview);
  if (shown.preview) last.current = shown.preview;
  const preview = last.current;
  const sheets = preview?.sheets ?? [];
  // Other dates of an item may be missing anyway.
  const dated = preview?.columns.find(({ column }) => column === 'expiration_date')?.header;
  const lacksDate = preview?.missing.includes('expiration_date') ?? false;
  const undated = lacksDate
    ? shown.rowCount
    : (preview?.dates.find(({ header }) => header === dated)?.undated ?? 0);
  const importable = preview ? preview.created + preview.updated + preview.unchanged : 0;
  async function run() {
    if (preview && kind !== 'WORKSPACE')
      void keepLayout(
        kind,
        preview.columns.map(({ header }) => header),
        { ...options, dateFormat: options.dateFormat ?? order },
      );
    // What is run is what this preview shows.
    await act(RunImport, version);
  }
  return (
    <>
      {preview && preview.columns.length > 0 && (
        <ColumnsCard
          {...{ kind, preview, isRemembered }}
          mapping={options.mapping}
          constants={options.constants}
          onChange={set}
        />
      )}
      {preview && (
        <PeopleCard
          preview={preview}
          answers={options.people}
          makeHolders={options.makeHolders}
          onChange={set}
        />
      )}
      {preview && kind !== 'WORKSPACE' && (
        <MendCard
          preview={preview}
          corrections={options.corrections}
          onChange={(corrections) => set({ corrections })}
        />
      )}
      <Card title={t('imports.options')}>
        <div class="stack">
          {kind !== 'WORKSPACE' && (
            <>
              <div class="importgrid">
                <SelectField
                  label={t('imports.dates')}
                  wrong={
                    needsFormat(preview) && options.dateFormat === null
                      ? t('imports.dates_needed')
                      : undefined
                  }
                  value={options.dateFormat ?? ''}
                  onChange={(format) => set({ dateFormat: format || null })}
                  choices={[
                    { value: '' as const, label: t('imports.usual_dates') },
                    ...dateFormats.map((value) => ({ value, label: t(`imports.${value}`) })),
                  ]}
                />
                <SelectField
                  label={t('imports.mode')}
                  value={options.mode}
                  onChange={(mode) => set({ mode })}
                  choices={modes.map((value) => ({ value, label: t(`imports.${value}`) }))}
                />
                {sheets.length === 0 ? (
                  <SelectField
                    label={t('imports.encoding')}
                    value={options.encoding}
                    onChange={(encoding) => set({ encoding })}
                    choices={encodings.map((value) => ({ value, label: t(`imports.${value}`) }))}
                  />
                ) : (
                  <SelectField
                    label={t('imports.sheet')}
                    value={options.sheet ?? sheets.find(({ chosen }) => chosen)?.name ?? ''}
                    // The columns of another sheet are others.
                    onChange={(sheet) => set({ sheet, headerLine: null, mapping: [], corrections: [] })}
                    choices={sheets.map(({ name }) => ({ value: name, label: name }))}
                  />
                )}
              </div>
              {preview && <DatesNote dates={preview.dates} />}
              {preview && preview.damaged.length > 0 && (
                <DamagedColumns
                  kind={kind}
                  damaged={preview.damaged}
                  accepted={options.acceptDamage}
                  onChange={(acceptDamage) => set({ acceptDamage })}
                />
              )}
              {(undated > 0 || options.allowNoDate) && (
                <Check
                  label={t('imports.allow_no_date', { n: undated })}
                  checked={options.allowNoDate}
                  onChange={(allowNoDate) => set({ allowNoDate })}
                />
              )}
              {kind === 'ITEMS' && options.mode === 'CREATE_ONLY' && (
                <Check
                  label={t('imports.skip_repeats')}
                  checked={options.skipRepeats}
                  onChange={(skipRepeats) => set({ skipRepeats })}
                />
              )}
              <Check
                label={t('imports.atomic')}
                checked={options.atomic}
                onChange={(atomic) => set({ atomic })}
              />
            </>
          )}
          {(kind === 'ITEMS' || kind === 'WORKSPACE') && (
            <Check label={t('imports.quiet')} checked={options.quiet} onChange={(quiet) => set({ quiet })} />
          )}
          {preview && !isStale && <Counts {...preview} isAhead />}
          {preview && !isStale && <Alongside alongside={preview.alongside} />}
          {isOther ? (
            <div class="note near" role="alert">
              <p>{t('imports.other_tab')}</p>
              <div class="line">
                <Button onClick={take}>{t('imports.other_take')}</Button>
                <Button onClick={keep}>{t('imports.other_keep')}</Button>
              </div>
            </div>
          ) : fault ? (
            <FaultNote fault={fault} />
          ) : (
            isStale && <p role="status">{t('imports.following')}</p>
          )}
          <div class="line">
            {importable > 0 && shown.state !== 'FAILED' && (
              <Button weight="first" icon="upload" disabled={isStale} onClick={run}>
                {t('imports.run', { n: importable })}
              </Button>
            )}
            {options.corrections.length > 0 && !isStale && (
              <Button icon="download" onClick={() => saveResult(id, shown.fileName)}>
                {t('imports.mended')}
              </Button>
            )}
            {shown.state !== 'FAILED' && (
              <Button onClick={() => act(CancelImport)}>{t('imports.cancel')}</Button>
            )}
          </div>
        </div>
      </Card>
      {preview && (
        <div class={isStale ? 'stack stalepreview' : 'stack'} aria-busy={isStale}>
          {isStale && <p class="soft small">{t('imports.outdated')}</p>}
          <PreviewCard kind={kind} preview={preview} />
        </div>
      )}
    </>
  );
}
