import { question } from '../app/leaving';
import { request } from '../data/client';
import { DeleteFeed } from '../generated/operations/calendar';
import type { FeedRowFragment } from '../generated/types';
import { formatMoment } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { IconButton } from '../ui/button';
import { Ago } from '../ui/status';
import { tell, tellFault } from '../ui/toast';
import './records.css';

interface FeedListProps {
  readonly feeds: readonly FeedRowFragment[];
  /** Called after a calendar was ended. */
  readonly onDone: () => unknown;
  /** Gives a calendar a new address. Without it, there is no button for that. */
  readonly onRotate?: (id: string) => unknown;
}

/** Renders subscribed calendars. Their buttons ask before an address stops working. */
export function FeedList({ feeds, onDone, onRotate }: FeedListProps) {
  async function end({ id, name }: FeedRowFragment) {
    const outcome = await request(DeleteFeed, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    await onDone();
    tell(t('common.deleted', { name: shownName(name) }));
  }
  const ask = ({ name: title }: FeedRowFragment, about: 'rotate' | 'delete', onGoOn: () => void) => {
    const goOn = t(about === 'rotate' ? 'calendar.rotate' : 'common.delete');
    const text = t(`calendar.${about}_text`, { name: shownName(title) });
    question.value = { title, text, keep: t('common.cancel'), goOn, onGoOn };
  };
  return (
    <ul class="entrylist">
      {feeds.map((feed) => (
        <li key={feed.id}>
          <div>
            <p class="strong" dir="auto">
              {shownName(feed.name)}
            </p>
            <p class="soft small">
              {t(feed.endsWithToken ? 'calendar.feed_token' : 'calendar.feed_session')} ·{' '}
              {formatMoment(feed.created)}
            </p>
            {feed.expiresAt && (
              <p class="soft small">
                {t('settings.ends')} {formatMoment(feed.expiresAt)}
              </p>
            )}
            <p class="soft small">
              {feed.lastUsedAt ? (
                <>
                  {t('calendar.feed_read')} <Ago moment={feed.lastUsedAt} />
                </>
              ) : (
                t('calendar.feed_unread')
              )}
            </p>
          </div>
          <span class="rowactions">
            {onRotate && (
              <IconButton
                icon="renew"
                label={`${t('calendar.rotate')}: ${feed.name}`}
                onClick={() => ask(feed, 'rotate', () => onRotate(feed.id))}
              />
            )}
            <IconButton
              icon="trash"
              label={`${t('common.delete')}: ${feed.name}`}
              onClick={() => ask(feed, 'delete', () => end(feed))}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
