import { addressOf } from '../app/addresses';
import { place, setSearch } from '../app/router';
import { may } from '../app/session';
import { Unsent } from '../app/unsent';
import { request } from '../data/client';
import type { VariablesOf } from '../data/operation';
import { usePages } from '../data/pages';
import { Deliveries, RetryDelivery } from '../generated/operations/deliveries';
import type { DeliveryRowFragment, DeliveryState } from '../generated/types';
import { formatMoment } from '../i18n/dates';
import { formatNumber, hasText, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { ListFoot } from '../records/list-foot';
import { SearchField } from '../records/record-list';
import '../records/records.css';
import { SaveButton, SavingNote } from '../records/save';
import { type Column, RecordTable } from '../records/table';
import { Button } from '../ui/button';
import { PageHead } from '../ui/page';
import { notToldText, Reason } from '../ui/reason';
import { Empty, FaultNote } from '../ui/state';
import { Ago, Badge, type Urgency } from '../ui/status';
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

function columnsWith(reload: () => unknown): readonly Column<DeliveryRowFragment>[] {
  return [
    { label: 'deliveries.to', text: ({ address }) => address },
    {
      label: 'deliveries.about',
      text: aboutText,
      draw: (delivery) =>
        delivery.expirationItem ? (
          <a href={addressOf('EXPIRATION_ITEM', delivery.expirationItem.id)}>{aboutText(delivery)}</a>
        ) : (
          aboutText(delivery)
        ),
      class: 'below',
    },
    { label: 'deliveries.by', text: ({ kind }) => t(`deliveries.${kind}`), class: 'roomy' },
    {
      label: 'deliveries.state',
      text: ({ state }) => t(`deliveries.${state}`),
      draw: (delivery) => <State delivery={delivery} onRetried={reload} />,
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
  ];
}

/** Renders what was sent to whom, and in plain words why something was not. */
export default function DeliveriesScreen() {
  const { search } = place.value;
  const wanted = search.get('state');
  const state = states.find((one) => one === wanted);
  const term = search.get('q')?.trim() || undefined;
  const variables: VariablesOf<typeof Deliveries> = {
    filter: { state, term },
    orderBy: [{ field: 'CREATED', direction: 'DESC' }],
  };
  const list = usePages(Deliveries, variables, (data) => data.list);
  const columns = columnsWith(list.reload);
  const isEmpty = !list.isFirst && !list.isStale && !list.fault && list.rows.length === 0;
  return (
    <>
      <PageHead
        title={t('deliveries.title')}
        beside={
          list.totalCount !== undefined && <span class="soft num">{formatNumber(list.totalCount)}</span>
        }
      >
        <Button icon="renew" onClick={list.reload}>
          {t('common.reload')}
        </Button>
      </PageHead>
      <div class="stack">
        <Unsent />
        <div class="listbar">
          <div class="tabs">
            {[undefined, ...states].map((one) => (
              <button
                key={one ?? ''}
                type="button"
                aria-pressed={one === state}
                onClick={() => setSearch({ state: one })}
              >
                {one ? t(`deliveries.${one}`) : t('common.all')}
              </button>
            ))}
          </div>
          <SearchField />
          <SaveButton name="deliveries" columns={columns} operation={Deliveries} variables={variables} />
        </div>
        <SavingNote />
        {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {isEmpty &&
          (state || term ? (
            <Empty icon="search" title={t('common.nothing_found')} />
          ) : (
            <Empty icon="send" title={t('deliveries.empty')} text={t('deliveries.empty_text')} />
          ))}
        {(list.isFirst || list.rows.length > 0) && (
          <RecordTable
            title={t('deliveries.title')}
            rows={list.rows}
            columns={columns}
            isFirst={list.isFirst}
            isStale={list.isStale}
          />
        )}
        <ListFoot list={list} />
      </div>
    </>
  );
}
