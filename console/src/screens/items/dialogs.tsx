import { useState } from 'preact/hooks';
import { findUsers } from '../../data/options';
import type { ExpirationItemRowFragment } from '../../generated/types';
import { addMonths, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Form } from '../../records/form/form';
import type { Option } from '../../ui/combobox';
import { Dialog } from '../../ui/dialog';
import { assignItems, renewItems } from './bulk';

interface DialogProps {
  readonly rows: readonly ExpirationItemRowFragment[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const spans = [6, 12, 24, 36, 60];

/** Renders the form that renews selected items. */
export function RenewDialog({ rows: items, onClose, onDone }: DialogProps) {
  const choices = spans.map((n) => ({ value: String(n), words: t('items.renew_each_by', { n }) }));
  return (
    <Dialog title={t('items.renew_n', { n: items.length })} onClose={onClose}>
      <Form
        fields={[
          {
            type: 'choice',
            name: 'span',
            label: 'items.next_date',
            isNeeded: true,
            choices: [
              ...choices,
              { value: 'own', label: 'items.renew_each_own' },
              { value: 'date', label: 'items.renew_all_to' },
            ],
          },
          {
            type: 'date',
            name: 'expirationDate',
            isShown: ({ span }) => span === 'date',
            control: { required: true },
          },
          { type: 'text', name: 'details', label: 'items.renewal_note' },
        ]}
        initial={{ span: '12', expirationDate: addMonths(today(), 12) }}
        isInDialog
        action={t('items.renew')}
        icon="renew"
        send={async ({ span, expirationDate, details }) => {
          const next = expirationDate
            ? { date: String(expirationDate) }
            : span === 'own'
              ? ({ isOwn: true } as const)
              : { months: Number(span) };
          const fault = await renewItems(items, next, String(details ?? ''));
          return fault ? { ok: false, fault } : { ok: true, data: undefined };
        }}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Renders the form that assigns selected items. */
export function AssignDialog({ rows: items, onClose, onDone }: DialogProps) {
  const [chosen, setChosen] = useState<Option>();
  return (
    <Dialog title={t('items.assign_n', { n: items.length })} onClose={onClose}>
      <Form
        fields={[
          {
            type: 'record',
            name: 'assignedTo',
            empty: 'common.nobody',
            find: findUsers,
            chosen: () => undefined,
          },
        ]}
        onDraft={({ assignedTo }) => setChosen(assignedTo as Option | undefined)}
        isInDialog
        action={t(chosen ? 'items.assign' : 'items.assign_nobody')}
        send={async () => ((await assignItems(items, chosen)) ? { ok: true, data: undefined } : undefined)}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}
