import { useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { Unsent } from '../../app/unsent';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { useQuery } from '../../data/query';
import { unsentReason } from '../../data/reminding';
import { ApplyPolicy, StartedItems } from '../../generated/operations/reminders';
import { addDays, formatDay, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Card } from '../../ui/page';
import { Bones, FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { lateDays, type Missed, missedStep } from './missed';
import { dayText, type Policy } from './steps';

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
