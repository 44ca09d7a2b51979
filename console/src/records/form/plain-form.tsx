import { useMemo, useState } from 'preact/hooks';
import { useUnkept } from '../../app/leaving';
import type { Outcome } from '../../data/client';
import type { Fault } from '../../data/fault';
import { Button } from '../../ui/button';
import { FaultNote } from '../../ui/state';
import type { FieldSpec, Input } from '../record-type';
import { changesOf, draftOf } from './draft';
import { Fields } from './fields';

interface PlainFormProps<Row, Data> {
  readonly fields: readonly FieldSpec<Row>[];
  /** The initial values; empty by default. */
  readonly row?: Row;
  readonly action: string;
  /** Sends the values, or the changes of a row. Returns undefined if the person took that back. */
  readonly send: (input: Input) => Promise<Outcome<Data> | undefined>;
  readonly onDone: (data: Data) => unknown;
}

/** Renders a form whose fields are sent by one operation. */
export function PlainForm<Row, Data>({ fields, row, action, send, onDone }: PlainFormProps<Row, Data>) {
  const before = useMemo(() => draftOf(fields, row), [row]);
  const [draft, setDraft] = useState(before);
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  useUnkept(!isBusy && JSON.stringify(draft) !== JSON.stringify(before));
  const violations = fault && fault.violations.size > 0 ? fault.violations : undefined;
  const isPlaced = violations && fields.some(({ name }) => violations.has(name));
  async function submit() {
    if (isBusy) return;
    setBusy(true);
    const outcome = await send(changesOf(fields, row && before, draft));
    setBusy(false);
    if (!outcome) return;
    setFault(outcome.ok ? undefined : outcome.fault);
    if (outcome.ok) onDone(outcome.data);
  }
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fault && !isPlaced && <FaultNote fault={fault} />}
      <Fields fields={fields} row={row} draft={draft} violations={violations} onChange={setDraft} />
      <div class="line">
        <Button weight="first" type="submit" isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
