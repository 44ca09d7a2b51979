import { useState } from 'preact/hooks';
import { hasTeams } from '../../app/session';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import { findCategories, findTeams, findUsers } from '../../data/options';
import { CalendarFeeds, CreateFeed, RotateFeed } from '../../generated/operations/calendar';
import type { OpenedFeedFragment } from '../../generated/types';
import { formatMoment } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { FeedList } from '../../records/feeds';
import { Form } from '../../records/form/form';
import type { FieldSpec, Input } from '../../records/record-type';
import { LinkButton } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { QrCode } from '../../ui/qr-code';
import { Secret } from '../../ui/secret';
import { tellFault } from '../../ui/toast';

/** Fields that narrow a calendar to some items, by the members of the filter. */
const filterFields: readonly FieldSpec<unknown>[] = [
  ...([
    ['categoryId', 'fields.category', findCategories],
    ['assignedToId', 'fields.assignedTo', findUsers],
    ['teamId', 'fields.team', findTeams],
  ] as const),
].map(([name, label, find]) => ({
  ...{ type: 'record', name, label, find },
  ...{ otherwise: () => t('common.any'), chosen: () => undefined },
}));

const fields: readonly FieldSpec<unknown>[] = [
  { type: 'text', name: 'name', label: 'fields.name', control: { autoComplete: 'off' } },
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
function Opened({ opened: { url, feed } }: { readonly opened: OpenedFeedFragment }) {
  return (
    <div class="stack">
      <p>{t('calendar.address_once')}</p>
      {feed.expiresAt && (
        <p class="note">
          {t('calendar.feed_token')} · {t('settings.ends')} {formatMoment(feed.expiresAt)}
        </p>
      )}
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

/** Renders the dialog in which people create calendars for calendar programs, and revoke them. */
export function SubscribeDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, reload } = useQuery(CalendarFeeds, {});
  const [opened, setOpened] = useState<OpenedFeedFragment>();
  const feeds = data?.me.calendarFeeds ?? [];

  async function rotate(id: string) {
    const outcome = await request(RotateFeed, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    if (outcome.data.opened) setOpened(outcome.data.opened);
    await reload();
  }
  return (
    <Dialog title={opened?.feed.name ?? t('calendar.subscribe')} onClose={onClose}>
      {opened ? (
        <Opened opened={opened} />
      ) : (
        <div class="stack">
          <p>{t('calendar.subscribe_text')}</p>
          <Form
            fields={fields.filter(({ name }) => name !== 'teamId' || hasTeams())}
            action={t('common.create')}
            send={create}
            onDone={(made) => {
              if (made.opened) setOpened(made.opened);
              reload();
            }}
          />
          {feeds.length > 0 && (
            <section class="stack">
              <h3>{t('calendar.feeds')}</h3>
              <FeedList feeds={feeds} onDone={reload} onRotate={rotate} />
            </section>
          )}
        </div>
      )}
    </Dialog>
  );
}
