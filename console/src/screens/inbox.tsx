import { place } from '../app/router';
import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import { TakePicture } from '../camera/button';
import { Uploads } from '../generated/operations/inbox';
import type {
  UploadNotificationFilter,
  UploadNotificationOrderField,
  UploadRowFragment,
  UploadState,
} from '../generated/types';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName, visibleName } from '../i18n/names';
import type { ListSpec } from '../list/declare';
import { ListScreen } from '../list/list';
import { ByRequest } from '../requests/received';
import { Ago, Badge, uploadReasonText } from '../ui/status';
import { Thumbnail } from '../ui/thumbnail';
import { UploadPage } from './inbox/upload';
import './inbox.css';

/** Lists of uploads: those that wait for somebody, and those in a state. */
const states = ['WAITING', 'RECEIVED', 'FILED'] as const satisfies (UploadState | 'WAITING')[];

/** Says which item an upload was filed under, or why it was not. */
function whatBecameOf({ expirationItem, error, reasonCode }: UploadRowFragment): string {
  if (expirationItem) return shownName(expirationItem.name);
  return error === null ? '' : uploadReasonText(reasonCode);
}

type State = (typeof states)[number];

const conditions: Readonly<Record<State, UploadNotificationFilter>> = {
  WAITING: { or: [{ state: 'FAILED' }, { needsReview: true }] },
  RECEIVED: { state: 'RECEIVED' },
  FILED: { state: 'FILED' },
};

/** Declares the list of uploads in a state. */
const uploadsIn = (
  state: State,
): ListSpec<UploadRowFragment, UploadNotificationFilter, UploadNotificationOrderField> => ({
  name: 'inbox',
  title: 'inbox.title',
  operation: Uploads,
  order: [{ field: 'RECEIVED_AT', direction: state === 'WAITING' ? 'ASC' : 'DESC' }],
  hrefOf: ({ id }) => `/inbox/${encodeURIComponent(id)}`,
  empty:
    state === 'WAITING'
      ? { icon: 'inbox', title: 'inbox.empty', text: 'inbox.empty_text' }
      : { icon: 'inbox', title: 'inbox.empty_other' },
  filters: [
    {
      type: 'tabs',
      name: 'state',
      label: 'deliveries.state',
      where: (value) => conditions[(value || 'WAITING') as State],
      choices: () => states.map((one) => ({ value: one === 'WAITING' ? '' : one, label: t(`inbox.${one}`) })),
    },
  ],
  columns: [
    {
      label: 'fields.name',
      text: ({ filename, id }) => visibleName(filename, id),
      draw: ({ filename, id, attachment }) => (
        <a class="thumbed" href={`/inbox/${encodeURIComponent(id)}`}>
          <Thumbnail file={attachment} />
          <span class="breaks">{shownName(filename, id)}</span>
        </a>
      ),
    },
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
  ],
});

const lists = Object.fromEntries(states.map((state) => [state, uploadsIn(state)]));

function Inbox() {
  const list = lists[place.value.search.get('state') ?? 'WAITING'] ?? uploadsIn('WAITING');
  return (
    <ListScreen
      list={list}
      above={(reload) => (
        <>
          {may('WRITE') && <TakePicture onSent={reload} />}
          {list === lists.WAITING && <ByRequest />}
        </>
      )}
    />
  );
}

/**
 * Renders received files. The list starts with those waiting for somebody; one file has the form to file it.
 */
export default function InboxScreen({ id }: ScreenProps) {
  return id ? <UploadPage id={id} /> : <Inbox />;
}
