import { useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { Unsent } from '../../app/unsent';
import { useQuery } from '../../data/answers';
import { type DataOf, now, request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { unsentReason } from '../../data/reminding';
import { ApplyPolicy, StartedItems } from '../../generated/operations/reminders';
import { addDays, type Day, dayOf, daysBetween, formatDay, timeOf, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Card } from '../../ui/page';
import { Bones, FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { dayText, type Policy, type Step } from './steps';

/** An item whose reminders have begun. */
export type StartedItem = DataOf<typeof StartedItems>['expirationItems']['nodes'][number];

/** A step of a policy that has passed for an item without a reminder. */
export interface Missed {
  readonly item: StartedItem;
  readonly step: Step;
  /** The day on which it would have been sent. */
  readonly on: Day;
}

/** Days after its date for which an item still gets reminders. */
export const lateDays = 7;

/** Returns the last day of a step up to today. Repetitions count; undefined if none has come. */
function lastDay(step: Step, date: Day, today: Day): Day | undefined {
  const first = addDays(date, step.offsetDays);
  const since = daysBetween(first, today);
  if (since < 0) return undefined;
  const { repeatEveryDays: every, repeatCount } = step;
  const turns =
    every === null ? 0 : Math.min(repeatCount ?? Number.POSITIVE_INFINITY, Math.floor(since / every));
  return addDays(first, turns * (every ?? 0));
}

/** Returns whether an acknowledgement ends a step for the item's current date. */
function isHeldBack({ acknowledgement, expirationDate }: StartedItem, step: Step, today: Day): boolean {
  if (!acknowledgement || acknowledgement.expirationDate !== expirationDate) return false;
  const { silence, snoozeUntil } = acknowledgement;
  if (snoozeUntil && snoozeUntil <= today) return false;
  return silence || step.onlyUnacknowledged || step.repeatEveryDays !== null;
}

/**
 * Finds the step that applying a policy would send for an item. It is the last that has passed, if nothing
 * was decided since. The gateway decides itself; this is an estimate.
 */
export function missedStep(policy: Policy, item: StartedItem): Missed | undefined {
  const { expirationDate: date, reminderMode, effectivePolicy, team } = item;
  if (!date || reminderMode === 'OFF' || effectivePolicy?.policy.id !== policy.id) return undefined;
  const today = dayOf(now(), team?.timezone);
  const isOver = timeOf(now(), team?.timezone) >= (item.timeOfDay ?? policy.timeOfDay).slice(0, 5);
  const passed = policy.steps
    .filter((step) => step.about !== 'NOTICE' && !isHeldBack(item, step, today))
    .map((step) => ({ item, step, on: lastDay(step, date, isOver ? today : addDays(today, -1)) }))
    .filter((one): one is Missed => one.on !== undefined)
    .sort((one, other) => one.on.localeCompare(other.on));
  const last = passed.at(-1);
  const [decided] = item.reminders.nodes;
  if (!last || decided?.expirationDate !== date) return last;
  // If only working days count, a step before the date may have come some days earlier.
  const sooner = policy.deliverOn === 'WORKING_DAYS' && last.on <= date ? 6 : 0;
  const decidedOn = dayOf(new Date(decided.slotAt), team?.timezone);
  return decidedOn >= addDays(last.on, -sooner) ? undefined : last;
}

interface ApplyProps {
  readonly policy: Policy;
}

function Preview({ missed, isUnsent }: { readonly missed: readonly Missed[]; readonly isUnsent: boolean }) {
  if (missed.length === 0) return <p>{t('reminders.apply_none')}</p>;
  return (
    <section class="stack tight">
      <h3>{t(isUnsent ? 'reminders.apply_missed' : 'reminders.apply_preview')}</h3>
      <ul class="rows">
        {missed.map(({ item, step, on }) => (
          <li key={item.id}>
            <a class="strong" href={addressOf('EXPIRATION_ITEM', item.id)}>
              {shownName(item.name)}
            </a>
            <span class="soft small block">
              {dayText(step.offsetDays)} ({formatDay(on)}) ·{' '}
              {step.recipients
                .filter((kind) => kind !== 'ADDRESSES')
                .map((kind) => t(`reminders.${kind}`))
                .concat(step.addresses)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ApplyDialog({ policy, onClose }: ApplyProps & { readonly onClose: () => void }) {
  const [fault, setFault] = useState<Fault>();
  const isUnsent = unsentReason(policy.team?.id) !== undefined;
  const since = addDays(today(), -lateDays);
  const query = useQuery(StartedItems, { teamId: policy.team?.id ?? '', since });
  const found = query.data?.expirationItems;
  const missed = (found?.nodes ?? [])
    .map((item) => missedStep(policy, item))
    .filter((one) => one !== undefined);
  async function apply() {
    const outcome = await request(ApplyPolicy, { id: policy.id, ifVersion: policy.version });
    if (!outcome.ok) return setFault(outcome.fault);
    onClose();
    if (isUnsent) tell(t('reminders.applied_unsent'));
    else tell(missed.length > 0 ? t('reminders.applied', { n: missed.length }) : t('reminders.applied_none'));
  }
  const wrong = fault ?? query.fault;
  return (
    <Dialog title={`${t('reminders.apply')}: ${policy.name}`} onClose={onClose}>
      <div class="stack">
        <p class="soft">{t('reminders.apply_text')}</p>
        {wrong && <FaultNote fault={wrong} onRetry={query.reload} />}
        {!found && !query.fault && <Bones rows={3} />}
        <Unsent teamId={policy.team?.id} />
        {found && <Preview missed={missed} isUnsent={isUnsent} />}
        {found?.pageInfo.hasNextPage && (
          <p class="soft small">{t('reminders.apply_first', { n: found.nodes.length })}</p>
        )}
        <div class="end line">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button weight="first" icon="send" onClick={apply}>
            {t('reminders.apply')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Renders the card that also sends reminders that have passed. It first shows what that would send. */
export function ApplyCard({ policy }: ApplyProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t('reminders.apply')}>
      <div class="stack">
        <p class="soft small">{t('reminders.apply_text')}</p>
        <Unsent teamId={policy.team?.id} isSmall />
        <div class="line">
          <Button icon="send" onClick={() => setOpen(true)}>
            {t('reminders.apply')}
          </Button>
        </div>
      </div>
      {isOpen && <ApplyDialog policy={policy} onClose={() => setOpen(false)} />}
    </Card>
  );
}
