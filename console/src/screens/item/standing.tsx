import { useEffect, useState } from 'preact/hooks';
import { place, setSearch } from '../../app/router';
import { may } from '../../app/session';
import { Unsent } from '../../app/unsent';
import { request } from '../../data/client';
import { unsentReason } from '../../data/reminding';
import { UpdateExpirationItem } from '../../generated/operations/expirationItem';
import { AcknowledgeItem, RenewItem, WithdrawAcknowledgement } from '../../generated/operations/items';
import type { ItemDate } from '../../generated/types';
import { addDays, daysBetween, formatDay, formatDistance, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Form } from '../../records/form/form';
import type { FieldSpec } from '../../records/record-type';
import { AskDialog } from '../../requests/ask';
import type { Wanted } from '../../requests/people';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Icon } from '../../ui/icon';
import { tell, tellFault } from '../../ui/toast';
import { ReadDateNote, useReadDate } from '../inbox/renewing';
import { acknowledgementOf, type ItemDetail, noticeText, type PartProps } from './fields';

/** Undoes a renewal: the item gets its earlier date. The history keeps both. */
async function undoRenewal(
  { id, expirationDate, renewalsLeft }: ItemDetail,
  onChanged: () => Promise<void>,
): Promise<void> {
  const outcome = await request(UpdateExpirationItem, { id, input: { expirationDate, renewalsLeft } });
  if (!outcome.ok) return tellFault(outcome.fault);
  tell(t('common.undone'));
  await onChanged();
}

const noteField: FieldSpec<ItemDetail> = { type: 'text', name: 'details', label: 'items.renewal_note' };

/** Returns whether a renewal now would be beyond the end of the renewals. */
const isBeyondEnd = ({ proposedRenewalDate, renewUntil, renewalsLeft }: ItemDetail) =>
  renewalsLeft === 0 || (renewUntil !== null && (proposedRenewalDate ?? '') > renewUntil);

/** Returns the text that says where the proposed date comes from. */
function proposalHint({ category, renewals }: ItemDetail) {
  if (category?.autoRenew) return 'item.interval_of_type';
  return renewals.nodes[0]?.previousDate ? 'item.same_interval' : 'item.a_year';
}

interface RenewDialogProps extends PartProps {
  /** The date that was read in a file of the item. */
  readonly readDate: string | undefined;
  readonly onClose: () => void;
}

function RenewDialog({ item, readDate, onChanged, onClose }: RenewDialogProps) {
  const { id, version, expirationDate, proposedRenewalDate, category } = item;
  return (
    <Dialog title={t('item.renew')} onClose={onClose}>
      {category?.autoRenew && isBeyondEnd(item) && <p class="soft">{t('item.beyond_end')}</p>}
      <Form
        fields={[
          {
            type: 'date',
            name: 'expirationDate',
            label: 'item.next_date',
            hint: readDate ? 'item.read_date' : proposalHint(item),
            control: { required: true },
          },
          noteField,
        ]}
        initial={{ expirationDate: readDate ?? proposedRenewalDate }}
        keptAs={`renewal ${id}`}
        version={version}
        isInDialog
        action={t('items.renew')}
        icon="renew"
        send={async (input) => {
          const date = String(input.expirationDate);
          const details = input.details as string | undefined;
          const outcome = await request(RenewItem, { id, ifVersion: version, expirationDate: date, details });
          return outcome.ok ? { ok: true, data: date } : outcome;
        }}
        onDone={async (date) => {
          onClose();
          const undo = expirationDate === null ? undefined : () => undoRenewal(item, onChanged);
          tell(t('item.renewed_until', { date: formatDay(date) }), undo);
          await onChanged();
        }}
        onCancel={onClose}
        onOutdated={onChanged}
      />
    </Dialog>
  );
}

/** Texts of the buttons that acknowledge a date. */
const acknowledgeTexts = { EXPIRATION: 'item.acknowledge', NOTICE: 'item.acknowledge_notice' } as const;

function AcknowledgeDialog({
  item,
  about,
  onChanged,
  onClose,
}: PartProps & { readonly about: ItemDate; readonly onClose: () => void }) {
  const { id, version, team } = item;
  return (
    <Dialog title={t(acknowledgeTexts[about])} onClose={onClose}>
      <p class="soft">{t('item.acknowledge_text')}</p>
      <Form
        fields={[
          { type: 'text', name: 'note', label: 'item.acknowledge_note' },
          {
            type: 'date',
            name: 'snoozeUntil',
            label: 'item.snooze_until',
            isReminding: ({ snoozeUntil }) => Boolean(snoozeUntil),
            control: { min: addDays(today(team?.timezone), 1) },
          },
          { type: 'check', name: 'silence', label: 'item.silence' },
        ]}
        initial={{ teamId: team }}
        isInDialog
        action={t('item.acknowledge')}
        icon="check"
        send={(input) => request(AcknowledgeItem, { id, ifVersion: version, about, ...input })}
        onDone={async () => {
          onClose();
          tell(t('item.acknowledged'));
          await onChanged();
        }}
        onCancel={onClose}
        onOutdated={onChanged}
      />
    </Dialog>
  );
}

/** Renders who takes care of a date, and takes that back. */
function Acknowledged({ item, about, onChanged }: PartProps & { readonly about: ItemDate }) {
  const acknowledgement = acknowledgementOf(item, about);
  if (!acknowledgement) return null;
  const { user, note, snoozeUntil, silence, version } = acknowledgement;
  async function withdraw() {
    const outcome = await request(WithdrawAcknowledgement, { id: item.id, ifVersion: version, about });
    if (outcome.ok) tell(t('item.withdrawn'));
    else tellFault(outcome.fault);
    await onChanged();
  }
  return (
    <div class="note">
      <Icon name="check" />
      <p>
        {about === 'NOTICE' && <span class="soft">{t('fields.noticeDate')}: </span>}
        {t('item.acknowledged_by', { name: user?.name ?? '' })}
        {note && `: ${note}`}
        {snoozeUntil && <span class="soft"> · {t('item.snoozed', { date: formatDay(snoozeUntil) })}</span>}
        {silence && <span class="soft"> · {t('item.silenced')}</span>}
      </p>
      {may('WRITE') && item.isActive && (
        <Button weight="bare" onClick={withdraw}>
          {t('item.withdraw')}
        </Button>
      )}
    </div>
  );
}

/** Returns an item's next document, to ask somebody for it. */
const renewalOf = ({ id, name, holders }: ItemDetail): Wanted => ({
  name,
  input: { expirationItemId: id },
  from: [id, ...holders.nodes.map((holder) => holder.id)],
});

/** Renders the item's date, how far away it is, and the actions on it. */
export function Standing({ item, onChanged }: PartProps) {
  const [open, setOpen] = useState<'renew' | 'ask' | ItemDate>();
  const { expirationDate, noticeDate, noticeRule, team, status, nextReminder, isMissing, reminderMode } =
    item;
  const days = expirationDate ? daysBetween(today(team?.timezone), expirationDate) : 0;
  const urgency = status === 'EXPIRED' || isMissing ? 'late' : status === 'NOTIFYING' ? 'near' : 'plain';
  const close = () => setOpen(undefined);
  const isAsked = place.value.search.has('renew');
  useEffect(() => {
    if (!isAsked) return;
    setSearch({ renew: undefined });
    if (may('WRITE') && item.isActive) setOpen('renew');
  }, [isAsked]);
  const isTold = status === 'EXPIRED' || status === 'NOTIFYING';
  const read = useReadDate(item);
  return (
    <section class={`card standing ${urgency}`}>
      <div class="grow">
        <p class="soft small strong">{t(days < 0 ? 'item.expired_on' : 'item.expires_on')}</p>
        <p class="bigdate">{expirationDate ? formatDay(expirationDate, 'long') : t('status.no_date')}</p>
        {expirationDate && <p class="far">{formatDistance(days)}</p>}
        {noticeDate && (
          <p class="small">
            {t('fields.noticeDate')}: <span class="strong">{formatDay(noticeDate)}</span>{' '}
            <span class="soft">
              ({formatDistance(daysBetween(today(team?.timezone), noticeDate))}
              {noticeRule && `, ${noticeText(noticeRule)}`})
            </span>
          </p>
        )}
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
          {(['NOTICE', 'EXPIRATION'] as const)
            .filter((about) => (about === 'NOTICE' ? noticeDate : isTold) && !acknowledgementOf(item, about))
            .map((about) => (
              <Button key={about} icon="check" onClick={() => setOpen(about)}>
                {t(acknowledgeTexts[about])}
              </Button>
            ))}
          <Button icon="send" onClick={() => setOpen('ask')}>
            {t('requests.ask_for_it')}
          </Button>
          <Button weight="first" icon="renew" onClick={() => setOpen('renew')}>
            {t('items.renew')}
          </Button>
        </div>
      )}
      {read && <ReadDateNote item={item} read={read} />}
      {(['NOTICE', 'EXPIRATION'] as const).map((about) => (
        <Acknowledged key={about} item={item} about={about} onChanged={onChanged} />
      ))}
      {open === 'renew' && (
        <RenewDialog item={item} readDate={read?.date} onChanged={onChanged} onClose={close} />
      )}
      {open === 'ask' && <AskDialog wanted={[renewalOf(item)]} onClose={close} />}
      {(open === 'NOTICE' || open === 'EXPIRATION') && (
        <AcknowledgeDialog item={item} about={open} onChanged={onChanged} onClose={close} />
      )}
    </section>
  );
}
