import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useUnkept } from '../../app/leaving';
import { caller, hasTeams } from '../../app/session';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { focusFirst, SelectField } from '../../ui/field';
import { FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import type { FieldSpec, RecordType, Stored } from '../record-type';
import { changesOf, type Draft, draftOf, mergedDraft, wordsOf } from './draft';
import { Fields } from './fields';

interface ConflictProps<Row> {
  readonly fields: readonly FieldSpec<Row>[];
  readonly theirs: Draft;
  readonly mine: Draft;
  /** The initial values of the form. */
  readonly before: Draft;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Renders what somebody else has entered meanwhile, beside the form's values. */
function Conflict<Row>({ fields, theirs, mine, before, onTakeTheirs, onKeepMine }: ConflictProps<Row>) {
  const isDifferent = (one: Draft) => (field: FieldSpec<Row>) =>
    wordsOf(field, theirs[field.name]) !== wordsOf(field, one[field.name]);
  const different = fields.filter(isDifferent(before)).filter(isDifferent(mine));
  return (
    <div class="note near" role="alert">
      <div class="stack tight grow">
        <p>{t('fault.changed')}</p>
        {different.length > 0 && (
          <dl class="facts">
            {different.map((field) => (
              <div class="fact" key={field.name}>
                <dt>{t(field.label)}</dt>
                <dd>
                  {t('records.is_now', {
                    value: wordsOf(field, theirs[field.name]) || t('history.empty'),
                  })}
                </dd>
              </div>
            ))}
          </dl>
        )}
        <div class="line">
          <Button onClick={onTakeTheirs}>{t('records.take_theirs')}</Button>
          <Button onClick={onKeepMine}>{t('records.keep_mine')}</Button>
        </div>
      </div>
    </div>
  );
}

interface RecordFormProps<Row> {
  readonly type: RecordType<Row>;
  /** The current record; undefined for a new one. */
  readonly row?: Row;
  readonly onDone: (id: string) => void;
  readonly onCancel: () => void;
}

/** Renders the form of a record. It sends the changes, with the version that it started from. */
export function RecordForm<Row extends Stored>({ type, row, onDone, onCancel }: RecordFormProps<Row>) {
  const { fields, operations } = type;
  const [base, setBase] = useState(row);
  const before = useMemo(() => draftOf(fields, base), [base]);
  const [draft, setDraft] = useState(before);
  const [team, setTeam] = useState(caller.value?.me.team?.id ?? '');
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  useUnkept(!isBusy && JSON.stringify(draft) !== JSON.stringify(before));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!row) focusFirst(form.current);
  }, []);
  // Focus the first invalid field.
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid], [role="alert"] button')?.focus();
  }, [fault]);
  const isChanged = row !== undefined && base !== undefined && row.version !== base.version;
  const wrong = fault && fault.violations.size > 0 ? fault.violations : undefined;
  const isPlaced =
    wrong && fields.some(({ name }) => [...wrong.keys()].some((path) => path.startsWith(name)));

  async function send() {
    if (isBusy) return;
    setBusy(true);
    const input = changesOf(fields, base && before, draft);
    const outcome = base
      ? await request(operations.update, { id: base.id, ifVersion: base.version, input })
      : await request(operations.create, {
          input: { ...input, ...(!type.isOutsideTeams && team && { teamId: team }) },
        });
    setBusy(false);
    setFault(outcome.ok ? undefined : outcome.fault);
    if (!outcome.ok) return;
    tell(t('common.saved'));
    onDone(outcome.data.record?.id ?? base?.id ?? '');
  }
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isChanged && (
        <Conflict
          fields={fields}
          theirs={draftOf(fields, row)}
          mine={draft}
          before={before}
          onTakeTheirs={() => {
            setBase(row);
            setDraft(draftOf(fields, row));
            setFault(undefined);
          }}
          onKeepMine={() => {
            setBase(row);
            setDraft(mergedDraft(before, draft, draftOf(fields, row)));
            setFault(undefined);
          }}
        />
      )}
      {fault && !isPlaced && !(isChanged && fault.kind === 'changed') && <FaultNote fault={fault} />}
      <Fields fields={fields} row={base} draft={draft} violations={wrong} onChange={setDraft} />
      {!base && hasTeams() && !type.isOutsideTeams && (
        <div class="form">
          <SelectField
            label={t('items.team')}
            value={team}
            onChange={setTeam}
            choices={(caller.value?.me.teams ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      <div class="line">
        <Button weight="first" type="submit" isBusy={isBusy}>
          {t('common.save')}
        </Button>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
