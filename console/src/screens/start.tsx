import { addressOf, itemsAddress } from '../app/addresses';
import { hasTeams, may } from '../app/session';
import type { DataOf } from '../data/operation';
import { useQuery } from '../data/query';
import { NextReminders, Start } from '../generated/operations';
import { addMonths, formatDay, formatMoment, formatMonth } from '../i18n/dates';
import { formatNumber, t } from '../i18n/i18n';
import { LinkButton } from '../ui/button';
import { EventLine } from '../ui/history';
import { Icon, type IconName } from '../ui/icon';
import { Card, PageHead } from '../ui/page';
import { Bone, Bones, Empty, FaultNote } from '../ui/state';
import { Countdown, DateText, type Urgency } from '../ui/status';
import './start.css';

type Data = DataOf<typeof Start>;

interface TileProps {
  readonly label: string;
  readonly count: number | undefined;
  readonly href: string;
  readonly urgency: Urgency;
  readonly icon: IconName;
}

/** Draws a number that leads to the items that it counts. */
function Tile({ label, count, href, urgency, icon }: TileProps) {
  return (
    <a class={`tile ${count ? urgency : 'plain'}`} href={href}>
      <span class="label">
        <Icon name={icon} />
        {label}
      </span>
      <span class="figure num">{count === undefined ? <Bone width="2ch" /> : formatNumber(count)}</span>
    </a>
  );
}

function Tiles({ data }: { readonly data: Data | undefined }) {
  const missing = data?.expirationSummary.byStatus.find(({ status }) => status === 'MISSING')?.count ?? 0;
  return (
    <div class="tiles">
      <Tile
        label={t('start.overdue')}
        count={data?.overdue.totalCount}
        href={itemsAddress({ due: 'overdue' })}
        urgency="late"
        icon="warning"
      />
      {missing > 0 && (
        <Tile
          label={t('start.missing')}
          count={missing}
          href={itemsAddress({ status: 'MISSING' })}
          urgency="late"
          icon="file"
        />
      )}
      <Tile
        label={t('start.this_week')}
        count={data?.week.totalCount}
        href={itemsAddress({ due: '7' })}
        urgency="near"
        icon="clock"
      />
      {([30, 60, 90] as const).map((days, at) => (
        <Tile
          key={days}
          label={t('start.within', { n: days })}
          count={[data?.month, data?.twoMonths, data?.threeMonths][at]?.totalCount}
          href={itemsAddress({ due: String(days) })}
          urgency="plain"
          icon="calendar"
        />
      ))}
    </div>
  );
}

function Next({ data }: { readonly data: Data }) {
  if (data.next.nodes.length === 0) return <p class="soft">{t('start.next_none')}</p>;
  return (
    <ul class="rows">
      {data.next.nodes.map(({ id, name, expirationDate, notifyOn, status, category, team, assignedTo }) => (
        <li key={id}>
          <a class="rowlink" href={addressOf('EXPIRATION_ITEM', id) ?? '/items'}>
            <span class="clip grow">
              <span class="strong">{name}</span>
              <span class="soft small clip block">
                {[category?.name, hasTeams() && team?.name, assignedTo?.name].filter(Boolean).join(' · ')}
              </span>
            </span>
            {expirationDate && (
              <span class="atend">
                <Countdown date={expirationDate} timeZone={team?.timezone} />
                <span class="soft small block">
                  <DateText date={expirationDate} />
                </span>
                {status === 'CURRENT' && notifyOn && (
                  <span class="unseen">{t('start.reminders_from', { date: formatDay(notifyOn) })}</span>
                )}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Draws a line of a count with a bar that compares it to the largest. */
function Bar({
  label,
  count,
  most,
  href,
}: {
  readonly label: string;
  readonly count: number;
  readonly most: number;
  readonly href: string | undefined;
}) {
  return (
    <li>
      <a class="bar" href={href}>
        <span class="clip">{label}</span>
        <meter min={0} max={Math.max(1, most)} value={count} aria-hidden="true" />
        <span class="num count">{formatNumber(count)}</span>
      </a>
    </li>
  );
}

function ByType({ data }: { readonly data: Data }) {
  const { byCategory } = data.expirationSummary;
  const most = Math.max(...byCategory.map(({ count }) => count));
  return (
    <ul class="bars">
      {byCategory.slice(0, 12).map(({ category, count }) => (
        <Bar
          key={category?.id ?? ''}
          label={category?.name ?? t('start.no_type')}
          count={count}
          most={most}
          href={category ? itemsAddress({ type: category.id }) : itemsAddress({})}
        />
      ))}
    </ul>
  );
}

function ByMonth({ data }: { readonly data: Data }) {
  const { byMonth } = data.expirationSummary;
  const most = Math.max(...byMonth.map(({ count }) => count));
  return (
    <ul class="bars">
      {byMonth.map(({ month, count }) => (
        <Bar
          key={month}
          label={formatMonth(month)}
          count={count}
          most={most}
          href={itemsAddress({
            from: `${month}-01`,
            until: addMonths(`${month}-01`, 1),
            status: 'EXPIRED,NOTIFYING,CURRENT',
          })}
        />
      ))}
    </ul>
  );
}

function Recent({ data }: { readonly data: Data }) {
  if (data.recent.nodes.length === 0) return <p class="soft">{t('start.recent_none')}</p>;
  return (
    <ul class="events">
      {data.recent.nodes.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </ul>
  );
}

/** Draws the reminders that come next: of what, when, to whom. */
function Reminders() {
  const { data, fault } = useQuery(NextReminders, { days: 30, first: 6 }, [
    'EXPIRATION_ITEM',
    'REMINDER_POLICY',
    'RENEWAL',
  ]);
  // With very many workspaces there is no list of all of them.
  if (fault) return null;
  const reminders = data?.upcomingReminders.nodes;
  return (
    <Card title={t('start.next_reminders')}>
      {!reminders && <Bones rows={4} />}
      {reminders?.length === 0 && <p class="soft">{t('start.next_reminders_none')}</p>}
      <ul class="rows">
        {reminders?.map(({ at, itemName, expirationItem, recipients }) => {
          const told = recipients.filter(({ reason }) => reason === null).map(({ address }) => address);
          return (
            <li key={`${at}${expirationItem?.id}`}>
              <a
                class="rowlink reminderline"
                href={expirationItem ? addressOf('EXPIRATION_ITEM', expirationItem.id) : '/items'}
              >
                <span class="clip grow">
                  <span class="strong">{itemName}</span>
                  <span class="soft small clip block">{told.join(', ') || t('start.no_recipient')}</span>
                </span>
                <span class="soft small atend">{formatMoment(at)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Shows the first screen: what is overdue, what is due when, what comes next. */
export default function StartScreen() {
  const { data, fault, reload } = useQuery(Start, {}, ['EXPIRATION_ITEM', 'CATEGORY', 'RENEWAL']);
  const add = may('WRITE') && (
    <LinkButton href="/items/new" weight="first" icon="plus">
      {t('common.add')}
    </LinkButton>
  );
  return (
    <>
      <PageHead title={t('start.title')}>{add}</PageHead>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {data?.expirationSummary.total === 0 ? (
        <Empty icon="calendar" title={t('start.empty')} text={t('start.empty_text')}>
          {add}
        </Empty>
      ) : (
        <div class="stack">
          <Tiles data={data} />
          <div class="columns startcolumns">
            <div class="stack">
              <Card
                title={t('start.next')}
                action={
                  <a class="small" href={itemsAddress({})}>
                    {t('start.see_all')}
                  </a>
                }
              >
                {data ? <Next data={data} /> : <Bones rows={8} />}
              </Card>
              <Reminders />
            </div>
            <div class="stack">
              <Card title={t('start.by_month')}>{data ? <ByMonth data={data} /> : <Bones rows={12} />}</Card>
              <Card title={t('start.by_type')}>{data ? <ByType data={data} /> : <Bones rows={8} />}</Card>
              <Card title={t('start.recent')}>{data ? <Recent data={data} /> : <Bones rows={8} />}</Card>
            </div>
          </div>
        </div>
      )}
    </>
  );
}
