import { useState } from 'preact/hooks';
import type { Fault } from '../../data/fault';
import { findUsers } from '../../data/options';
import type { ItemRowFragment } from '../../generated/types';
import { addMonths, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Combobox, type Option } from '../../ui/combobox';
import { Dialog } from '../../ui/dialog';
import { type Choice, SelectField, TextField } from '../../ui/field';
import { FaultNote } from '../../ui/state';
import { archiveItems, assignItems, renewItems } from './bulk';

interface DialogProps {
  readonly items: readonly ItemRowFragment[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const spans = ['6', '12', '24', '36', '60', 'date'] as const;
type Span = (typeof spans)[number];

function RenewDialog({ items, onClose, onDone }: DialogProps) {
  const [span, setSpan] = useState<Span>('12');
  const [date, setDate] = useState(addMonths(today(), 12));
  const [details, setDetails] = useState('');
  const [fault, setFault] = useState<Fault>();
  const [busy, setBusy] = useState(false);
  const choices: Choice<Span>[] = spans.map((value) => ({
    value,
    label: value === 'date' ? t('items.renew_all_to') : t('items.renew_each_by', { n: Number(value) }),
  }));
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    const next = span === 'date' ? { date } : { months: Number(span) };
    const failed = await renewItems(items, next, details, today());
    setBusy(false);
    setFault(failed);
    if (!failed) onDone();
  }
  return (
    <Dialog title={t('items.renew_n', { n: items.length })} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {fault && <FaultNote fault={fault} />}
        <SelectField label={t('items.next_date')} value={span} onChange={setSpan} choices={choices} />
        {span === 'date' && (
          <TextField
            label={t('fields.expirationDate')}
            value={date}
            onInput={setDate}
            control={{ type: 'date', required: true }}
          />
        )}
        <TextField label={t('items.renewal_note')} value={details} onInput={setDetails} />
        <div class="end line">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" weight="first" icon="renew" isBusy={busy}>
            {t('items.renew')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function AssignDialog({ items, onClose, onDone }: DialogProps) {
  const [chosen, setChosen] = useState<readonly Option[]>([]);
  async function assign() {
    if (await assignItems(items, chosen[0])) onDone();
  }
  return (
    <Dialog title={t('items.assign_n', { n: items.length })} onClose={onClose}>
      <Combobox
        label={t('fields.assignedTo')}
        empty={t('common.nobody')}
        find={findUsers}
        chosen={chosen}
        onChange={setChosen}
      />
      <div class="end line">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button weight="first" onClick={assign}>
          {chosen.length > 0 ? t('items.assign') : t('items.assign_nobody')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Renders the actions on the selected items. */
export function BulkBar({
  items,
  onClear,
}: {
  readonly items: readonly ItemRowFragment[];
  readonly onClear: () => void;
}) {
  const [open, setOpen] = useState<'renew' | 'assign'>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onClear();
  };
  if (items.length === 0) return null;
  const areArchived = items.every(({ isActive }) => !isActive);
  return (
    <section class="bulkbar" aria-label={t('items.chosen', { n: items.length })}>
      <span class="strong">{t('items.chosen', { n: items.length })}</span>
      <Button icon="renew" onClick={() => setOpen('renew')}>
        {t('items.renew')}
      </Button>
      <Button icon="user" onClick={() => setOpen('assign')}>
        {t('items.assign')}
      </Button>
      <Button
        icon="archive"
        onClick={async () => {
          if (await archiveItems(items, areArchived)) onClear();
        }}
      >
        {t(areArchived ? 'items.unarchive' : 'items.archive')}
      </Button>
      <Button weight="bare" icon="close" onClick={onClear}>
        {t('items.clear_choice')}
      </Button>
      {open === 'renew' && <RenewDialog items={items} onClose={close} onDone={done} />}
      {open === 'assign' && <AssignDialog items={items} onClose={close} onDone={done} />}
    </section>
  );
}
