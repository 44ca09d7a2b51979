import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useUnkept } from '../../app/leaving';
import { caller, hasTeams } from '../../app/session';
import { type Outcome, request } from '../../data/client';
import { type Fault, faultOf } from '../../data/fault';
import type { KeptDraft } from '../../data/kept';
import type { RecordKind } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { focusFirst } from '../../ui/field';
import type { IconName } from '../../ui/icon';
import { FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { labelOfField } from '../labels';
import type { Draft, FieldSpec, Input, Stored, WritingDocuments } from '../record-type';
import { changesOf, draftOf, mergedDraft, wordsOf, wrongIn } from './draft';
import { Fields } from './fields';
import { Offer, useKeptDraft } from './kept';
import '../records.css';

interface ConflictProps<Row> {
  readonly kind: RecordKind | undefined;
  /** The fields that somebody else has changed. */
  readonly fields: readonly FieldSpec<Row>[];
  readonly theirs: Draft;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Renders what somebody else has entered meanwhile, beside the form's values. */
function Conflict<Row>({ kind, fields, theirs, onTakeTheirs, onKeepMine }: ConflictProps<Row>) {
  return (
    <div class="note near" role="alert">
      <div class="stack tight grow">
        <p>{t('fault.changed')}</p>
        <dl class="facts">
          {fields.map((field) => (
            <div class="fact" key={field.name}>
              <dt>{labelOfField(kind, field)}</dt>
              <dd>
                {t('records.is_now', { value: wordsOf(field, theirs[field.name]) || t('history.empty') })}
              </dd>
            </div>
          ))}
        </dl>
        <div class="line">
          <Button onClick={onTakeTheirs}>{t('records.take_theirs')}</Button>
          <Button onClick={onKeepMine}>{t('records.keep_mine')}</Button>
        </div>
      </div>
    </div>
  );
}

/** A form: its fields, and what becomes of their values. */
interface FormProps<Row, Data> {
  /** The kind of the record, which gives its fields their labels and rules. */
  readonly kind?: RecordKind;
  readonly fields: readonly FieldSpec<Row>[];
  /** The record as it is now. If somebody else changes it, the form shows what differs. Undefined for a new one. */
  readonly row?: Row;
  /** Initial values of a new record. */
  readonly initial?: Draft;
  /** Adds what follows from the values, such as the fields of a document type. */
  readonly complete?: (draft: Draft) => Draft;
  /** Is told what is filled in. */
  readonly onDraft?: (draft: Draft) => void;
  /** The text of its button; to save by default. */
  readonly action?: string;
  readonly icon?: IconName;
  /** True in a dialog, whose buttons are at its end. */
  readonly isInDialog?: boolean;
  /**
   * Sends a new record, or the changes of the row that the form started from. Returns undefined if the person took that
   * back.
   */
  readonly send: (input: Input, base: Row | undefined, draft: Draft) => Promise<Outcome<Data> | undefined>;
  readonly onDone?: (data: Data) => unknown;
  readonly onCancel?: () => void;
  /** Reads the record again, after the gateway has refused an outdated one. */
  readonly onOutdated?: () => unknown;
  /** The text of the button beside it; to cancel by default. */
  readonly otherAction?: string;
  /** Rendered above its fields. */
  readonly children?: ComponentChildren;
  /** Other buttons, beside its own. */
  readonly beside?: ComponentChildren;
  /** Errors that something else has found in the values, by field. */
  readonly found?: ReadonlyMap<string, string> | undefined;
  /** Values that are chosen beside the form. */
  readonly given?: Draft;
  /** Stands for the form on this device, which keeps what is typed. Nothing is kept without it. */
  readonly keptAs?: string;
  /** The version of what the form is about, if that is not its row. */
  readonly version?: string;
  /** True to focus the first field at once, or which element. */
  readonly isFocused?: boolean | string;
}

/** Renders a form. What somebody else changes meanwhile is shown, and nothing is overwritten. */
export function Form<Row, Data>(props: FormProps<Row, Data>) {
  const {
    kind,
    fields: declared,
    row,
    initial,
    action,
    send,
    onDone,
    onCancel,
    onOutdated,
    isFocused,
  } = props;
  const { icon, isInDialog = false, given, otherAction, children, beside, found } = props;
  const { complete = (draft: Draft) => draft, onDraft, keptAs, version } = props;
  const [base, setBase] = useState(row);
  const before = useMemo(() => ({ ...draftOf(declared, base), ...(!base && initial) }), [base]);
  const [typed, setTyped] = useState(before);
  const draft = complete(typed);
  const fields = declared.filter(({ isShown }) => isShown?.(draft) ?? true);
  useEffect(() => onDraft?.(typed), [typed]);
  useEffect(() => setTyped((old) => ({ ...old, ...given })), [JSON.stringify(given)]);
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const [sent, setSent] = useState<Draft>();
  const isKept = [before, sent].some((kept) => JSON.stringify(kept) === JSON.stringify(typed));
  useUnkept(!isBusy && !isKept);
  const about = base ?? { version };
  const { offer, settle } = useKeptDraft({
    keptAs,
    fields: declared,
    before,
    typed,
    row: about,
    isChanged: !isKept,
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (typeof isFocused === 'string') form.current?.querySelector<HTMLElement>(isFocused)?.focus();
    else if (isFocused) focusFirst(form.current);
  }, []);
  // Focus the first invalid field.
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid], [role="alert"] button')?.focus();
  }, [fault]);

  const theirs = useMemo(() => (row && draftOf(declared, row)) ?? before, [row, before]);
  const isDifferent = (one: Draft) => (field: FieldSpec<Row>) =>
    wordsOf(field, theirs[field.name]) !== wordsOf(field, one[field.name]);
  // A row that is made anew is no change.
  const isSame = row === base || JSON.stringify(row) === JSON.stringify(base);
  const different = isSame ? [] : fields.filter(isDifferent(before)).filter(isDifferent(draft));
  /** Continues from the current record. */
  function startFrom(values: Draft) {
    setBase(row);
    setTyped(values);
    setFault(undefined);
  }
  /** Takes up what was typed before. If the record has changed since, that is shown as if the form had been open. */
  function restore({ values, row: then }: KeptDraft) {
    settle(false);
    if (base) setBase(then as Row);
    setTyped((old) => ({ ...old, ...values }));
    if (!base && version !== (then as { version?: string }).version) setFault(faultOf('changed'));
  }
  // What has changed elsewhere, or to what the form says as well, needs no question.
  const isPassed = base !== undefined && row !== undefined && !isSame && different.length === 0;
  const isSentAgain = useRef(false);
  useEffect(() => {
    if (!isPassed || isBusy) return;
    isSentAgain.current = fault?.kind === 'changed';
    startFrom(mergedDraft(before, typed, theirs));
  }, [isPassed, isBusy, row]);
  useEffect(() => {
    if (isSentAgain.current) submit();
    isSentAgain.current = false;
  }, [base]);

  const isSectioned = fields.some(({ section }) => section);
  const wrong = fault && fault.violations.size > 0 ? fault.violations : undefined;
  const isPlaced =
    wrong &&
    [...wrong.keys()].every((path) =>
      fields.some(({ name }) => path === name || path.startsWith(`${name}.`)),
    );
  async function submit() {
    if (isBusy) return;
    const violations = wrongIn(kind, fields, base && before, draft);
    if (violations.size > 0) return setFault({ ...faultOf('invalid'), violations });
    setBusy(true);
    const outcome = await send(changesOf(fields, base && before, draft), base, draft);
    setBusy(false);
    setFault(outcome && !outcome.ok ? outcome.fault : undefined);
    if (!outcome) return;
    if (outcome.ok) {
      setSent(typed);
      onDone?.(outcome.data);
    } else if (outcome.fault.kind === 'changed') onOutdated?.();
  }
  const cancel = onCancel && <Button onClick={onCancel}>{otherAction ?? t('common.cancel')}</Button>;
  return (
    <form
      ref={form}
      class={isSectioned ? 'stack sections' : 'stack'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {offer && (
        <Offer
          kind={kind}
          fields={fields}
          before={before}
          offer={offer}
          onRestore={() => restore(offer)}
          onDiscard={() => settle(true)}
        />
      )}
      {different.length > 0 && (
        <Conflict
          kind={kind}
          fields={different}
          theirs={theirs}
          onTakeTheirs={() => startFrom(theirs)}
          onKeepMine={() => startFrom(mergedDraft(before, typed, theirs))}
        />
      )}
      {fault && !isPlaced && !(different.length > 0 && fault.kind === 'changed') && (
        <FaultNote fault={fault} />
      )}
      {children}
      <Fields
        kind={kind}
        fields={fields}
        row={base}
        draft={draft}
        violations={found ? new Map([...found, ...(wrong ?? [])]) : wrong}
        onChange={(changes) => setTyped((old) => ({ ...old, ...changes }))}
      />
      <div class={isSectioned ? 'line formend' : isInDialog ? 'end line' : 'line'}>
        {isInDialog && cancel}
        <Button weight="first" type="submit" isBusy={isBusy} {...(icon && { icon })}>
          {action ?? t('common.save')}
        </Button>
        {!isInDialog && cancel}
        {beside}
      </div>
    </form>
  );
}

interface RecordFormProps<Row> {
  readonly kind: RecordKind;
  readonly fields: readonly FieldSpec<Row>[];
  readonly documents: Pick<WritingDocuments, 'create' | 'update'>;
  /** True if it belongs to the organization rather than to a workspace. */
  readonly isOutsideTeams?: boolean;
  /** The current record; undefined for a new one. */
  readonly row?: Row;
  readonly onDone: (id: string) => void;
  readonly onCancel: () => void;
  readonly onOutdated?: () => unknown;
}

/** Returns the field with the workspace of a new record. */
function teamField<Row>(): FieldSpec<Row> {
  const teams = caller.value?.me.teams ?? [];
  return {
    type: 'choice',
    name: 'teamId',
    isNeeded: true,
    choices: teams.map(({ id, name }) => ({ value: id, words: name })),
  };
}

/** Renders the form of a record. It sends the changes, with the version that it started from. */
export function RecordForm<Row extends Stored>({ row, ...props }: RecordFormProps<Row>) {
  const { kind, fields, documents, isOutsideTeams = false } = props;
  const { onDone, onCancel, onOutdated } = props;
  const team = caller.value?.me.team?.id ?? '';
  const isTeamAsked = !row && hasTeams() && !isOutsideTeams;
  return (
    <Form
      kind={kind}
      fields={isTeamAsked ? [...fields, teamField<Row>()] : fields}
      {...(row ? { row } : { isFocused: true, initial: { teamId: team } })}
      keptAs={`${kind} ${row?.id ?? 'new'}`}
      send={async (input, base) => {
        const outcome = base
          ? await request(documents.update, { id: base.id, ifVersion: base.version, input })
          : await request(documents.create, {
              input: { ...(!isOutsideTeams && team && { teamId: team }), ...input },
            });
        return outcome.ok ? { ok: true, data: outcome.data.record?.id ?? base?.id ?? '' } : outcome;
      }}
      onDone={(id) => {
        tell(t('common.saved'));
        onDone(id);
      }}
      onCancel={onCancel}
      {...(onOutdated && { onOutdated })}
    />
  );
}
