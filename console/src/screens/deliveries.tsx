import { addressOf } from '../app/addresses';
import { may } from '../app/session';
import { Unsent } from '../app/unsent';
import { request } from '../data/client';
import { Deliveries, RetryDelivery } from '../generated/operations/deliveries';
import type {
  DeliveryFilter,
  DeliveryOrderField,
  DeliveryRowFragment,
  DeliveryState,
} from '../generated/types';
import { formatMoment } from '../i18n/dates';
import { hasText, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import type { ListSpec } from '../list/declare';
import { ListScreen } from '../list/list';
import { Button } from '../ui/button';
import { Ago, Badge, notToldText, Reason, type Urgency } from '../ui/status';
import { tell, tellFault } from '../ui/toast';

const urgencies: Readonly<Record<DeliveryState, Urgency>> = {
  FAILED: 'late',
  QUEUED: 'near',
  SENT: 'good',
  CANCELLED: 'plain',
  SUPPRESSED: 'plain',
};

const states = Object.keys(urgencies) as DeliveryState[];

/** Returns the subject of a delivery: an item, several, an invitation, a link. */
function aboutText({ expirationItem, subjectKind }: DeliveryRowFragment): string {
  const key = `deliveries.${subjectKind}`;
  if (expirationItem) return shownName(expirationItem.name);
  return hasText(key) ? t(key) : subjectKind;
}

/** Returns the address of what a delivery is about. */
function pageOf({ id, expirationItem, subjectKind }: DeliveryRowFragment): string | undefined {
  if (expirationItem) return addressOf('EXPIRATION_ITEM', expirationItem.id);
  return subjectKind === 'digest' ? `/items?mail=${id}&status=all` : undefined;
}

interface StateProps {
  readonly delivery: DeliveryRowFragment;
  readonly onRetried: () => unknown;
}

function State({ delivery, onRetried }: StateProps) {
  const { id, version, state, lastError, reasonCode, dueAt, attempts, subjectKind } = delivery;
  // Its link was forgotten when it was given up.
  const isInvitation = subjectKind === 'invitation';
  async function retry() {
    const outcome = await request(RetryDelivery, { id, ifVersion: version });
    if (outcome.ok) tell(t('deliveries.retried'));
    else if (outcome.fault.kind === 'taken') tell(t('notTold.SUPPRESSED'));
    else tellFault(outcome.fault);
    await onRetried();
  }
  return (
    <div class="stack tight">
      <span>
        <Badge urgency={urgencies[state]}>{t(`deliveries.${state}`)}</Badge>
      </span>
      {state !== 'SENT' && lastError && (
        <div class="small">
          <Reason text={notToldText(reasonCode)} details={lastError} />
        </div>
      )}
      {state === 'QUEUED' && attempts > 0 && dueAt && (
        <span class="small">{t('deliveries.next_try', { when: formatMoment(dueAt) })}</span>
      )}
      {state === 'FAILED' && isInvitation && <span class="small">{t('deliveries.invite_again')}</span>}
      {state === 'FAILED' && !isInvitation && may('WRITE') && (
        <span>
          <Button icon="renew" onClick={retry}>
            {t('common.try_again')}
          </Button>
        </span>
      )}
    </div>
  );
}

const deliveries: ListSpec<DeliveryRowFragment, DeliveryFilter, DeliveryOrderField> = {
  name: 'deliveries',
  title: 'deliveries.title',
  operation: Deliveries,
  order: [{ field: 'CREATED', direction: 'DESC' }],
  empty: { icon: 'send', title: 'deliveries.empty', text: 'deliveries.empty_text' },
  filters: [
    {
      type: 'tabs',
      name: 'state',
      label: 'deliveries.state',
      where: (value) => {
        const state = states.find((known) => known === value);
        return state ? { state } : value ? undefined : {};
      },
      choices: () => [
        { value: '', label: t('common.all') },
        ...states.map((value) => ({ value, label: t(`deliveries.${value}`) })),
      ],
    },
  ],
  columns: [
    { label: 'deliveries.to', text: ({ address }) => address },
    {
      label: 'deliveries.about',
      text: aboutText,
      draw: (delivery) =>
        pageOf(delivery) ? <a href={pageOf(delivery)}>{aboutText(delivery)}</a> : aboutText(delivery),
      class: 'below',
    },
    { label: 'deliveries.by', text: ({ kind }) => t(`deliveries.${kind}`), class: 'roomy' },
    {
      label: 'deliveries.state',
      text: ({ state }) => t(`deliveries.${state}`),
      draw: (delivery, reload) => <State delivery={delivery} onRetried={reload} />,
      class: 'below',
    },
    {
      label: 'deliveries.why',
      text: ({ lastError, reasonCode }) => lastError && notToldText(reasonCode),
      only: 'file',
    },
    { label: 'common.details', text: ({ lastError }) => lastError, only: 'file' },
    {
      label: 'deliveries.when',
      text: ({ created }) => created,
      draw: ({ settledAt, created }) => <Ago moment={settledAt ?? created} />,
      class: 'roomy',
    },
  ],
};

/** Renders what was sent to whom, and in plain words why something was not. */
export default function DeliveriesScreen() {
  return (
    <ListScreen
      list={deliveries}
      head={(reload) => (
        <Button icon="renew" onClick={reload}>
          {t('common.reload')}
        </Button>
      )}
      above={() => <Unsent />}
    />
  );
}
