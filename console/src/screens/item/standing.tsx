import { useState } from 'preact/hooks';
import { may } from '../../app/session';
import { Unsent } from '../../app/unsent';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { unsentReason } from '../../data/reminding';
import { AcknowledgeItem, ChangeItem, RenewItem } from '../../generated/operations/items';
import { addDays, daysBetween, formatDay, formatDistance, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Check, TextField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { FaultNote } from '../../ui/state';
import { tell, tellFault } from '../../ui/toast';
import { type ItemDetail, isAcknowledged, type PartProps, proposedDate } from './item';

/** Undoes a renewal: the item gets its earlier date. The history keeps both. */
async function undoRenewal(
  { id, expirationDate }: ItemDetail,
  onChanged: () => Promise<void>,
): Promise<void> {
  const outcome = await request(ChangeItem, { id, input: { expirationDate } });
  if (!outcome.ok) return tellFault(outcome.fault);
  tell(t('common.undone'));
  await onChanged();
}

function RenewDialog({ item, onChanged, onClose }: PartProps & { readonly onClose: () => void }) {
  const [date, setDate] = useState(() => proposedDate(item));
  const [details, setDetails] = useState('');
  const [fault, setFault] = useState<Fault>();
  const [busy, setBusy] = useState(false);
  const { id, version, expirationDate, renewals } = item;
  const [last] = renewals.nodes;
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    const variables = { id, ifVersion: version, expirationDate: date, details: details || null };
    const outcome = await request(RenewItem, variables);
    setBusy(false);
    if (!outcome.ok) {
      setFault(outcome.fault);
      if (outcome.fault.kind === 'changed') await onChanged();
      return;
    }
    onClose();
    const undo = expirationDate === null ? undefined : () => undoRenewal(item, onChanged);
    tell(t('item.renewed_until', { date: formatDay(date) }), undo);
    await onChanged();
  }
  const wrong = fault?.violations.get('expirationDate');
  return (
    <Dialog title={t('item.renew')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {fault && !wrong && <FaultNote fault={fault} />}
        <TextField
          label={t('item.next_date')}
          hint={last?.previousDate ? t('item.same_interval') : t('item.a_year')}
          wrong={wrong}
          value={date}
          onInput={setDate}
          control={{ type: 'date', required: true }}
        />
        <TextField
          label={t('items.renewal_note')}
          value={details}
          onInput={setDetails}
          wrong={fault?.violations.get('details')}
        />
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

function AcknowledgeDialog({ item, onChanged, onClose }: PartProps & { readonly onClose: () => void }) {
  const [note, setNote] = useState('');
  const [until, setUntil] = useState('');
  const [silence, setSilence] = useState(false);
  const [fault, setFault] = useState<Fault>();
  async function submit(event: Event) {
    event.preventDefault();
    const outcome = await request(AcknowledgeItem, {
      id: item.id,
      ifVersion: item.version,
      note: note || null,
      silence,
      snoozeUntil: until || null,
    });
    if (!outcome.ok) return setFault(outcome.fault);
    onClose();
    tell(t('item.acknowledged'));
    await onChanged();
  }
  return (
    <Dialog title={t('item.acknowledge')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="soft">{t('item.acknowledge_text')}</p>
        {fault && <FaultNote fault={fault} />}
        <TextField label={t('item.acknowledge_note')} value={note} onInput={setNote} />
        <TextField
          label={t('item.snooze_until')}
          value={until}
          onInput={setUntil}
          wrong={fault?.violations.get('snoozeUntil')}
          control={{ type: 'date', min: addDays(today(item.team?.timezone), 1) }}
        />
        {until && <Unsent teamId={item.team?.id} isSmall />}
        <Check label={t('item.silence')} checked={silence} onChange={setSilence} />
        <div class="end line">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" weight="first" icon="check">
            {t('item.acknowledge')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Acknowledged({ item }: { readonly item: ItemDetail }) {
  const { acknowledgement } = item;
  if (!acknowledgement || !isAcknowledged(item)) return null;
  const { user, note, snoozeUntil, silence } = acknowledgement;
  return (
    <div class="note">
      <Icon name="check" />
      <p>
        {t('item.acknowledged_by', { name: user?.name ?? '' })}
        {note && `: ${note}`}
        {snoozeUntil && <span class="soft"> · {t('item.snoozed', { date: formatDay(snoozeUntil) })}</span>}
        {silence && <span class="soft"> · {t('item.silenced')}</span>}
      </p>
    </div>
  );
}

/** Renders the item's date, how far away it is, and the actions on it. */
export function Standing({ item, onChanged }: PartProps) {
  const [open, setOpen] = useState<'renew' | 'acknowledge'>();
  const { expirationDate, team, status, nextReminder, isMissing, reminderMode } = item;
  const days = expirationDate ? daysBetween(today(team?.timezone), expirationDate) : 0;
  const urgency = status === 'EXPIRED' || isMissing ? 'late' : status === 'NOTIFYING' ? 'near' : 'plain';
  const close = () => setOpen(undefined);
  const isTold = status === 'EXPIRED' || status === 'NOTIFYING';
  return (
    <section class={`card standing ${urgency}`}>
      <div class="grow">
        <p class="soft small strong">{t(days < 0 ? 'item.expired_on' : 'item.expires_on')}</p>
        <p class="bigdate">{expirationDate ? formatDay(expirationDate, 'long') : t('status.no_date')}</p>
        {expirationDate && <p class="far">{formatDistance(days)}</p>}
        {isMissing && <p class="late-text strong">{t('status.missing')}</p>}
        {reminderMode === 'OFF' && <p class="soft small">{t('item.reminders_off')}</p>}
        {nextReminder && <Unsent teamId={team?.id} isSmall />}
        {nextReminder && (
          <p class="soft small">
            {t(unsentReason(team?.id) ? 'item.planned_reminder' : 'item.next_reminder', {
              date: formatDay(nextReminder.on),
              people: nextReminder.recipients.map(({ address }) => address).join(', ') || t('item.nobody'),
            })}
          </p>
        )}
      </div>
      {may('WRITE') && item.isActive && (
        <div class="line">
          {isTold && !isAcknowledged(item) && (
            <Button icon="check" onClick={() => setOpen('acknowledge')}>
              {t('item.acknowledge')}
            </Button>
          )}
          <Button weight="first" icon="renew" onClick={() => setOpen('renew')}>
            {t('items.renew')}
          </Button>
        </div>
      )}
      <Acknowledged item={item} />
      {open === 'renew' && <RenewDialog item={item} onChanged={onChanged} onClose={close} />}
      {open === 'acknowledge' && <AcknowledgeDialog item={item} onChanged={onChanged} onClose={close} />}
    </section>
  );
}
