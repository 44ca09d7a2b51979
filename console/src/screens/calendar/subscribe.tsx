import { useState } from 'preact/hooks';
import { hasTeams } from '../../app/session';
import { type Outcome, request } from '../../data/client';
import { findCategories, findTeams, findUsers } from '../../data/options';
import { useQuery } from '../../data/query';
import {
  CalendarFeeds,
  CreateFeed,
  DeleteFeed,
  type FeedRowFragment,
  type OpenedFeedFragment,
  RotateFeed,
} from '../../generated/operations';
import { t } from '../../i18n/i18n';
import { PlainForm } from '../../records/form/plain-form';
import type { FieldSpec, Input } from '../../records/record-type';
import { Button, IconButton, LinkButton } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { QrCode } from '../../ui/qr-code';
import { Secret } from '../../ui/secret';
import { Ago } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';

/** Fields that narrow a calendar to some items, by the members of the filter. */
const filterFields: readonly FieldSpec<unknown>[] = [
  ...([
    ['categoryId', 'items.type', findCategories],
    ['assignedToId', 'items.assigned', findUsers],
    ['teamId', 'items.team', findTeams],
  ] as const),
].map(([name, label, find]) => ({
  ...{ type: 'record', name, label, find },
  ...{ otherwise: () => t('common.any'), chosen: () => undefined },
}));

const fields: readonly FieldSpec<unknown>[] = [
  { type: 'text', name: 'name', label: 'common.name', control: { autoComplete: 'off' } },
  ...filterFields,
  {
    ...{ type: 'text', name: 'alarms', label: 'calendar.alarms', hint: 'calendar.alarms_hint' },
    control: { autoComplete: 'off', placeholder: '30, 7' },
  },
  { type: 'check', name: 'showDetails', label: 'calendar.with_details' },
];

function create({ name, alarms, showDetails, ...filter }: Input) {
  const days = String(alarms ?? '').match(/\d+/g) ?? [];
  const input = {
    ...{ name: String(name ?? ''), showDetails: showDetails === true, filter },
    alarms: days.map(Number),
  };
  return request(CreateFeed, { input });
}

/** Renders the address of a calendar, and ways to open it. */
function Opened({ opened: { url } }: { readonly opened: OpenedFeedFragment }) {
  return (
    <div class="stack">
      <p>{t('calendar.address_once')}</p>
      <Secret text={url} />
      <div class="line">
        <LinkButton icon="calendar" weight="first" href={url.replace(/^https?:/, 'webcal:')}>
          {t('calendar.open_program')}
        </LinkButton>
      </div>
      <QrCode text={url} label={t('calendar.qr_code')} />
      <p class="soft">{t('calendar.qr_hint')}</p>
    </div>
  );
}

/** A change of a calendar that somebody has to confirm. */
interface Asked {
  readonly feed: FeedRowFragment;
  readonly about: 'rotate' | 'delete';
}

/** Asks before an address stops working. */
function Confirm({
  asked: { feed, about },
  onConfirm,
  onCancel,
}: {
  readonly asked: Asked;
  readonly onConfirm: () => Promise<void>;
  readonly onCancel: () => void;
}) {
  const isDelete = about === 'delete';
  return (
    <div class="stack">
      <p>{t(isDelete ? 'calendar.delete_text' : 'calendar.rotate_text', { name: feed.name })}</p>
      <div class="line">
        <Button weight={isDelete ? 'bad' : 'first'} icon={isDelete ? 'trash' : 'renew'} onClick={onConfirm}>
          {t(isDelete ? 'common.delete' : 'calendar.rotate')}
        </Button>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
    </div>
  );
}

/** Renders the calendars that somebody has, with buttons for each. */
function Feeds({
  feeds,
  onAsk,
}: {
  readonly feeds: readonly FeedRowFragment[];
  readonly onAsk: (asked: Asked) => void;
}) {
  return (
    <section class="stack">
      <h3>{t('calendar.feeds')}</h3>
      <ul class="feeds">
        {feeds.map((feed) => (
          <li key={feed.id}>
            <span>
              <strong dir="auto">{feed.name}</strong>
              <span class="soft">
                {feed.lastUsedAt ? (
                  <>
                    {t('calendar.feed_read')} <Ago moment={feed.lastUsedAt} />
                  </>
                ) : (
                  t('calendar.feed_unread')
                )}
              </span>
            </span>
            <span class="rowactions">
              <IconButton
                icon="renew"
                label={`${t('calendar.rotate')}: ${feed.name}`}
                onClick={() => onAsk({ feed, about: 'rotate' })}
              />
              <IconButton
                icon="trash"
                label={`${t('common.delete')}: ${feed.name}`}
                onClick={() => onAsk({ feed, about: 'delete' })}
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Change = Outcome<{ readonly opened: OpenedFeedFragment | null }>;

/** Renders the dialog in which people create calendars for calendar programs, and revoke them. */
export function SubscribeDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, reload } = useQuery(CalendarFeeds, {});
  const [opened, setOpened] = useState<OpenedFeedFragment>();
  const [asked, setAsked] = useState<Asked>();
  const feeds = data?.me.calendarFeeds ?? [];

  async function confirm({ feed: { id, name }, about }: Asked) {
    const outcome: Change | Outcome<unknown> =
      about === 'rotate' ? await request(RotateFeed, { id }) : await request(DeleteFeed, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    setAsked(undefined);
    if (about === 'rotate') setOpened((outcome.data as { opened: OpenedFeedFragment }).opened);
    else tell(t('common.deleted', { name }));
    await reload();
  }
  return (
    <Dialog title={opened?.feed.name ?? t('calendar.subscribe')} onClose={onClose}>
      {opened ? (
        <Opened opened={opened} />
      ) : asked ? (
        <Confirm asked={asked} onConfirm={() => confirm(asked)} onCancel={() => setAsked(undefined)} />
      ) : (
        <div class="stack">
          <p>{t('calendar.subscribe_text')}</p>
          <PlainForm
            fields={fields.filter(({ name }) => name !== 'teamId' || hasTeams())}
            action={t('common.create')}
            send={create}
            onDone={(made) => {
              if (made.opened) setOpened(made.opened);
              reload();
            }}
          />
          {feeds.length > 0 && <Feeds feeds={feeds} onAsk={setAsked} />}
        </div>
      )}
    </Dialog>
  );
}
