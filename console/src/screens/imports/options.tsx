import { useState } from 'preact/hooks';
import { type Operation, request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { CancelImport, ChangeImport, RunImport } from '../../generated/operations/imports';
import type {
  ImportDateFormat,
  ImportEncoding,
  ImportKind,
  ImportMode,
  ImportPageFragment,
} from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Check, SelectField } from '../../ui/field';
import { Card } from '../../ui/page';
import { FaultNote } from '../../ui/state';
import { columnChoices, columnText } from './kinds';
import { Counts } from './preview';

interface OptionsFormProps {
  readonly shown: ImportPageFragment;
  readonly act: (operation: Operation<unknown, { id: string }>) => Promise<void>;
  readonly reload: () => Promise<void>;
}

const modes = ['CREATE_ONLY', 'UPSERT', 'UPDATE_ONLY'] as const satisfies ImportMode[];
const encodings = ['UTF_8', 'WINDOWS_1252'] as const satisfies ImportEncoding[];
const dateFormats = ['DMY', 'MDY', 'YMD'] as const satisfies ImportDateFormat[];

/** Returns whether dates do not prove their order, and nobody has chosen one. */
const needsFormat = ({ preview, dateFormat }: ImportPageFragment) =>
  dateFormat === null && (preview?.dates ?? []).some(({ asked }) => asked);

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

/** Renders what is imported, and how, until the import runs. */
export function OptionsForm({ shown, act, reload }: OptionsFormProps) {
  const { id, kind, preview } = shown;
  const begun = {
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
  };
  const [options, setOptions] = useState(begun);
  const headers = (preview?.columns ?? []).filter(({ header }) => header.trim() !== '');
  const [chosen, setChosen] = useState(new Map(headers.map(({ header, column }) => [header, column ?? ''])));
  const [fault, setFault] = useState<Fault>();
  const isChanged =
    JSON.stringify(options) !== JSON.stringify(begun) ||
    headers.some(({ header, column }) => (column ?? '') !== chosen.get(header));
  const set = (changes: Partial<typeof options>) => setOptions({ ...options, ...changes });
  function choose(header: string, column: string) {
    // A column comes from one header.
    const others = [...chosen].map(([other, its]): [string, string] => [
      other,
      its === column && column !== '' ? '' : its,
    ]);
    setChosen(new Map([...others, [header, column]]));
  }
  async function change() {
    const isOther = options.sheet !== begun.sheet;
    const mapping = isOther
      ? []
      : headers.map(({ header }) => ({ header, column: chosen.get(header) || null }));
    const input = kind === 'WORKSPACE' ? { quiet: options.quiet } : { ...options, mapping };
    const outcome = await request(ChangeImport, { id, input });
    setFault(outcome.ok ? undefined : outcome.fault);
    await reload();
  }
  const sheets = preview?.sheets ?? [];
  // Other dates of an item may be missing anyway.
  const dated = headers.find(({ column }) => column === 'expiration_date')?.header;
  const undated = preview?.dates.find(({ header }) => header === dated)?.undated ?? 0;
  const importable = preview ? preview.created + preview.updated + preview.unchanged : 0;
  return (
    <>
      {headers.length > 0 && (
        <Card title={t('imports.columns')}>
          <div class="importgrid">
            {headers.map(({ header }) => (
              <SelectField
                key={header}
                label={header}
                value={chosen.get(header) ?? ''}
                onChange={(column) => choose(header, column)}
                choices={columnChoices(kind, header, chosen.get(header) ?? '')}
              />
            ))}
          </div>
        </Card>
      )}
      <Card title={t('imports.options')}>
        <div class="stack">
          {kind !== 'WORKSPACE' && (
            <>
              <div class="importgrid">
                <SelectField
                  label={t('imports.dates')}
                  wrong={
                    needsFormat(shown) && options.dateFormat === null ? t('imports.dates_needed') : undefined
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
                    onChange={(sheet) => set({ sheet, headerLine: null })}
                    choices={sheets.map(({ name }) => ({ value: name, label: name }))}
                  />
                )}
              </div>
              {preview && preview.damaged.length > 0 && (
                <DamagedColumns
                  kind={kind}
                  damaged={preview.damaged}
                  accepted={options.acceptDamage}
                  onChange={(acceptDamage) => set({ acceptDamage })}
                />
              )}
              {(undated > 0 || begun.allowNoDate) && (
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
          {preview && !isChanged && <Counts {...preview} />}
          {fault && <FaultNote fault={fault} />}
          <div class="line">
            {isChanged || shown.state === 'FAILED' ? (
              <Button weight="first" icon="renew" onClick={change}>
                {t('imports.update')}
              </Button>
            ) : (
              importable > 0 && (
                <Button weight="first" icon="upload" onClick={() => act(RunImport)}>
                  {t('imports.run', { n: importable })}
                </Button>
              )
            )}
            {shown.state === 'READY' && (
              <Button onClick={() => act(CancelImport)}>{t('imports.cancel')}</Button>
            )}
          </div>
        </div>
      </Card>
    </>
  );
}
