import { addressOf } from '../app/addresses';
import { useQuery } from '../data/answers';
import type { DataOf } from '../data/client';
import { ReceivedByRequest, UnsettledRequests } from '../generated/operations/requests';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { joinNames } from '../i18n/names';
import { Card } from '../ui/page';
import { Ago } from '../ui/status';
import { askedText, recipientName } from './steps';

type Received = DataOf<typeof ReceivedByRequest>;

/** An answer to a request that waits for somebody. */
export type WaitingAnswer = Received['requests']['nodes'][number];

/** Answers that wait for somebody. */
export interface Answers {
  /** Finds the answer that an item keeps. */
  readonly of: (heldItemId: string | undefined) => WaitingAnswer | undefined;
  /** Ids of the uploads with their files, in the order in which they came. */
  readonly uploads: readonly string[];
}

/** Returns the first upload of an answer. The uploads are listed with the last first. */
const uploadOf = ({ waiting }: Received, { heldItemId }: WaitingAnswer) =>
  heldItemId ? waiting.nodes.findLast(({ expirationItemId }) => expirationItemId === heldItemId) : undefined;

/** Loads the answers that wait for somebody. Undefined until they are there; none if they cannot be read. */
export function useAnswers(): Answers | undefined {
  const { data, fault } = useQuery(ReceivedByRequest, {});
  if (!data && !fault) return undefined;
  const nodes = data?.requests.nodes ?? [];
  return {
    of: (id) => (id ? nodes.find(({ heldItemId }) => heldItemId === id) : undefined),
    uploads: nodes.flatMap((answer) => (data && uploadOf(data, answer)?.id) ?? []),
  };
}

/** Says which date the item has now, and which one was read in the answer. */
export function datesText({ item, renews, statedDate }: WaitingAnswer, read?: string | null): string {
  const present = renews ? item?.expirationDate : undefined;
  return joinNames(
    present ? t('requests.present', { date: formatDay(present) }) : undefined,
    read ? t('inbox.suggested', { date: formatDay(read) }) : undefined,
    !read && statedDate ? t('requests.stated', { date: formatDay(statedDate) }) : undefined,
  );
}

/** Renders what came by request, which is looked at first. */
export function ByRequest() {
  const { data } = useQuery(ReceivedByRequest, {});
  if (!data || data.requests.nodes.length === 0) return null;
  return (
    <Card title={t('requests.by_request')}>
      <ul class="rows">
        {data.requests.nodes.map((answer) => {
          const upload = uploadOf(data, answer);
          const href = upload
            ? addressOf('UPLOAD_NOTIFICATION', upload.id)
            : addressOf('DOCUMENT_REQUEST', answer.id);
          return (
            <li key={answer.id}>
              <a class="rowlink itemline" href={href}>
                <span class="breaks strong">{askedText(answer)}</span>
                <span class="soft small">{answer.receivedAt && <Ago moment={answer.receivedAt} />}</span>
                <span class="soft small breaks">{t('requests.from', { name: recipientName(answer) })}</span>
                <span class="soft small num">{datesText(answer, upload?.suggestedExpirationDate)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** A request that is not settled yet. */
type Unsettled = DataOf<typeof UnsettledRequests>['documentRequests']['nodes'][number];

/** Returns a function that finds the open request for a record's document. Its type or its item decides. */
export function useUnsettled() {
  const { data } = useQuery(UnsettledRequests, {});
  return (
    holder: { readonly kind: string; readonly id: string },
    types: readonly { readonly id: string }[],
    itemId: string | undefined,
  ): Unsettled | undefined =>
    data?.documentRequests.nodes.find(
      (one) =>
        one.holderKind === holder.kind &&
        one.holderId === holder.id &&
        (one.itemId ? one.itemId === itemId : types.some(({ id }) => id === one.category?.id)),
    );
}

/** Renders a link to an open request: asked or received. */
export function UnsettledLink({
  of: { id, state },
  isInGrid,
}: {
  readonly of: Unsettled;
  /** True in a grid, whose keys lead to it. */
  readonly isInGrid?: true;
}) {
  return (
    <a
      class={state === 'RECEIVED' ? 'small near-text strong' : 'small'}
      tabIndex={isInGrid ? -1 : undefined}
      href={addressOf('DOCUMENT_REQUEST', id)}
    >
      {t(state === 'RECEIVED' ? 'requests.RECEIVED' : 'requests.SENT')}
    </a>
  );
}
