import { place, setSearch } from '../app/router';
import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import { TakePicture } from '../camera/button';
import type { VariablesOf } from '../data/operation';
import { usePages } from '../data/pages';
import { Uploads } from '../generated/operations/inbox';
import type { UploadRowFragment, UploadState } from '../generated/types';
import { formatDay } from '../i18n/dates';
import { formatNumber, t } from '../i18n/i18n';
import { shownName, visibleName } from '../i18n/names';
import { ListFoot } from '../records/list-foot';
import '../records/records.css';
import { SearchField } from '../records/record-list';
import { SaveButton, SavingNote } from '../records/save';
import { type Column, RecordTable } from '../records/table';
import { PageHead } from '../ui/page';
import { uploadReasonText } from '../ui/reason';
import { Empty, FaultNote } from '../ui/state';
import { Ago, Badge } from '../ui/status';
import { UploadPage } from './inbox/upload';
import './inbox.css';

/** Lists of uploads: those that wait for somebody, and those in a state. */
const states = ['WAITING', 'RECEIVED', 'FILED'] as const satisfies (UploadState | 'WAITING')[];

/** Says which item an upload was filed under, or why it was not. */
function whatBecameOf({ expirationItem, error, reasonCode }: UploadRowFragment): string {
  if (expirationItem) return shownName(expirationItem.name);
  return error === null ? '' : uploadReasonText(reasonCode);
}

const columnsIn = (state: (typeof states)[number]): readonly Column<UploadRowFragment>[] => [
  { label: 'fields.name', text: ({ filename, id }) => visibleName(filename, id) },
  {
    label: 'inbox.expires',
    text: ({ expirationItem, suggestedExpirationDate }) =>
      expirationItem?.expirationDate ?? suggestedExpirationDate,
    draw: ({ expirationItem, suggestedExpirationDate: suggested }) =>
      expirationItem && (expirationItem.expirationDate || !suggested) ? (
        <span>{expirationItem.expirationDate && formatDay(expirationItem.expirationDate)}</span>
      ) : (
        suggested && <Badge urgency="near">{t('inbox.suggested', { date: formatDay(suggested) })}</Badge>
      ),
  },
  {
    label: state === 'RECEIVED' ? 'inbox.why' : 'inbox.item',
    text: whatBecameOf,
    draw: (upload) => (
      <span class={upload.expirationItem ? undefined : 'soft small'}>{whatBecameOf(upload)}</span>
    ),
    class: 'roomy',
  },
  { label: 'common.details', text: ({ error }) => error, only: 'file' },
  {
    label: 'inbox.received',
    text: ({ receivedAt }) => receivedAt,
    draw: ({ receivedAt }) => <Ago moment={receivedAt} />,
    class: 'roomy',
  },
];

function Inbox() {
  const { search } = place.value;
  const wanted = search.get('state');
  const state = states.find((known) => known === wanted) ?? 'WAITING';
  const term = search.get('q')?.trim() || undefined;
  const variables: VariablesOf<typeof Uploads> = {
    filter:
      state === 'WAITING' ? { or: [{ state: 'FAILED' }, { needsReview: true }], term } : { state, term },
    orderBy: [{ field: 'RECEIVED_AT', direction: state === 'WAITING' ? 'ASC' : 'DESC' }],
  };
  const list = usePages(Uploads, variables, (data) => data.list);
  const columns = columnsIn(state);
  const isEmpty = !list.isFirst && !list.isStale && !list.fault && list.rows.length === 0;
  return (
    <>
      <PageHead
        title={t('inbox.title')}
        beside={
          list.totalCount !== undefined && <span class="soft num">{formatNumber(list.totalCount)}</span>
        }
      />
      <div class="stack">
        {may('WRITE') && <TakePicture onSent={list.reload} />}
        <div class="listbar">
          <div class="tabs">
            {states.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === state}
                onClick={() => setSearch({ state: one === 'WAITING' ? undefined : one })}
              >
                {t(`inbox.${one}`)}
              </button>
            ))}
          </div>
          <SearchField />
          <SaveButton name="inbox" columns={columns} operation={Uploads} variables={variables} />
        </div>
        <SavingNote />
        {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {isEmpty &&
          (term ? (
            <Empty icon="inbox" title={t('common.nothing_found')} />
          ) : state === 'WAITING' ? (
            <Empty icon="inbox" title={t('inbox.empty')} text={t('inbox.empty_text')} />
          ) : (
            <Empty icon="inbox" title={t('inbox.empty_other')} />
          ))}
        {(list.isFirst || list.rows.length > 0) && (
          <RecordTable
            title={t('inbox.title')}
            rows={list.rows}
            columns={columns}
            hrefOf={({ id }) => `/inbox/${encodeURIComponent(id)}`}
            isFirst={list.isFirst}
            isStale={list.isStale}
          />
        )}
        <ListFoot list={list} />
      </div>
    </>
  );
}

/**
 * Renders received files. The list starts with those waiting for somebody; one file has the form to file it.
 */
export default function InboxScreen({ id }: ScreenProps) {
  return id ? <UploadPage id={id} /> : <Inbox />;
}
