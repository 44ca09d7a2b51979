import { signal } from '@preact/signals';
import { addressOf, itemsAddress } from '../app/addresses';
import { DemoNote, FirstSteps } from '../app/first-steps';
import { caller, hasTeams, may } from '../app/session';
import { Unsent } from '../app/unsent';
import { useQuery } from '../data/answers';
import { keep, readKept } from '../data/browser';
import type { DataOf } from '../data/client';
import { unsentReason } from '../data/reminding';
import { NextReminders, Start } from '../generated/operations/start';
import { addMonths, formatDay, formatMoment, formatMonth } from '../i18n/dates';
import { formatTotal, type Total, t, totalOf } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import { EventLine } from '../records/history';
import { LinkButton } from '../ui/button';
import { Card, PageHead } from '../ui/page';
import { Bones, Empty, FaultNote } from '../ui/state';
import { Countdown, DateText } from '../ui/status';
import { Tile } from '../ui/tile';
import './start.css';

const storage = 'egw-start';

/** True if the screen shows only what is assigned to this person. The browser remembers it. */
const isMine = signal(readKept('localStorage', storage) === 'mine');

function chooseMine(mine: boolean): void {
  isMine.value = mine;
  keep('localStorage', storage, mine ? 'mine' : undefined);
}

/** Returns the id of the person whose items are shown; undefined for everybody's. */
const whose = (): string | undefined => (isMine.value ? caller.value?.me.id : undefined);

/** Returns the address of a list of items, of the person whose items are shown. */
function dueAddress(filter: Readonly<Record<string, string>>): string {
  const assigned = whose();
  return itemsAddress(assigned ? { ...filter, assigned } : filter);
}

/** Renders the choice between one's own items and all. */
function WhoseTabs() {
  return (
    <div class="tabs">
      {([false, true] as const).map((mine) => (
        <button
          key={String(mine)}
          type="button"
          aria-pressed={isMine.value === mine}
          onClick={() => chooseMine(mine)}
        >
          {t(mine ? 'start.mine' : 'common.all')}
        </button>
      ))}
    </div>
  );
}

/** The items and counts on the start screen. */
export type StartData = DataOf<typeof Start>;

/** Renders a count with a bar that compares it to the largest. */
function Bar({
  label,
  count,
  most,
  href,
}: {
  readonly label: string;
  readonly count: Total;
  readonly most: number;
  readonly href: string | undefined;
}) {
  return (
    <li>
      <a class="bar" href={href}>
        <span class="clip">{label}</span>
        <meter min={0} max={Math.max(1, most)} value={count.totalCount} aria-hidden="true" />
        <span class="num count">{formatTotal(count)}</span>
      </a>
    </li>
  );
}

/** Renders how many items each document type has. */
export function ByType({ data }: { readonly data: StartData }) {
  const { byCategory, isComplete } = data.expirationSummary;
  const most = Math.max(...byCategory.map(({ count }) => count));
  return (
    <ul class="bars">
      {byCategory.slice(0, 12).map(({ category, count }) => (
        <Bar
          key={category?.id ?? ''}
          label={category ? shownName(category.name) : t('start.no_type')}
          count={totalOf(count, isComplete)}
          most={most}
          href={category ? dueAddress({ type: category.id }) : dueAddress({})}
        />
      ))}
    </ul>
  );
}

/** Renders how many items are due in each month. */
export function ByMonth({ data }: { readonly data: StartData }) {
  const { byMonth, isComplete } = data.expirationSummary;
  const most = Math.max(...byMonth.map(({ count }) => count));
  return (
    <ul class="bars">
      {byMonth.map(({ month, count }) => (
        <Bar
          key={month}
          label={formatMonth(month)}
          count={totalOf(count, isComplete)}
          most={most}
          href={dueAddress({
            from: `${month}-01`,
            until: addMonths(`${month}-01`, 1),
            status: 'EXPIRED,NOTIFYING,CURRENT',
          })}
        />
      ))}
    </ul>
  );
}

/** Renders the items that expire next. */
export function Next({ data }: { readonly data: StartData }) {
  if (data.next.nodes.length === 0) return <p class="soft">{t('start.next_none')}</p>;
  return (
    <ul class="rows">
      {data.next.nodes.map(({ id, name, expirationDate, notifyOn, status, category, team, assignedTo }) => (
        <li key={id}>
          <a class="rowlink" href={addressOf('EXPIRATION_ITEM', id)}>
            <span class="breaks grow">
              <span class="strong">{shownName(name)}</span>
              <span class="soft small block">
                {joinNames(category?.name, hasTeams() && team?.name, assignedTo?.name)}
              </span>
            </span>
            {expirationDate && (
              <span class="atend">
                <Countdown date={expirationDate} />
                <span class="soft small block">
                  <DateText date={expirationDate} />
                </span>
                {status === 'CURRENT' && notifyOn && !unsentReason(team?.id) && (
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

/** Renders the next reminders: for what, when, to whom. */
export function Reminders() {
  const { data, fault } = useQuery(NextReminders, { days: 30, first: 6 });
  // With very many workspaces, the gateway refuses to list all of them.
  if (fault) return null;
  const reminders = data?.upcomingReminders.nodes;
  const silent = reminders?.find(({ team }) => unsentReason(team?.id));
  return (
    <Card title={t('start.next_reminders')}>
      {!reminders && <Bones rows={4} />}
      {silent && !unsentReason() && <Unsent teamId={silent.team?.id} isSmall />}
      {reminders?.length === 0 && <p class="soft">{t('start.next_reminders_none')}</p>}
      <ul class="rows">
        {reminders?.map(({ at, itemName, team, expirationItem, recipients }) => {
          const people = recipients.filter(({ reason }) => reason === null).map(({ address }) => address);
          const told = people.join(', ') || t('start.no_recipient');
          return (
            <li key={`${at}${expirationItem?.id}`}>
              <a
                class="rowlink reminderline"
                href={expirationItem ? addressOf('EXPIRATION_ITEM', expirationItem.id) : '/items'}
              >
                <span class="breaks grow">
                  <span class="strong">{shownName(itemName)}</span>
                  <span class="soft small block">
                    {unsentReason(team?.id) ? t('health.not_sent_to', { people: told }) : told}
                  </span>
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

/** Renders how many items are due, and when. */
export function Tiles({ data }: { readonly data: StartData | undefined }) {
  const { counts = [] } = data?.complianceSummary ?? {};
  const lacking = counts.filter(({ state }) => state === 'NON_COMPLIANT');
  const missing = data?.expirationSummary.byStatus.find(({ status }) => status === 'MISSING')?.count ?? 0;
  return (
    <div class="tiles">
      <Tile
        label={t('start.overdue')}
        total={data?.overdue}
        href={dueAddress({ due: 'overdue' })}
        urgency="late"
        icon="warning"
      />
      {missing > 0 && (
        <Tile
          label={t('start.missing')}
          total={totalOf(missing, data?.expirationSummary.isComplete)}
          href={dueAddress({ status: 'MISSING' })}
          urgency="late"
          icon="file"
        />
      )}
      {counts.length > 0 && (
        <Tile
          label={t('compliance.state_NON_COMPLIANT')}
          total={totalOf(lacking.reduce((sum, { count }) => sum + count, 0))}
          href="/compliance?state=NON_COMPLIANT"
          urgency="late"
          icon="shield"
        />
      )}
      <Tile
        label={t('start.this_week')}
        total={data?.week}
        href={dueAddress({ due: '7' })}
        urgency="near"
        icon="clock"
      />
      {([30, 60, 90] as const).map((days, at) => (
        <Tile
          key={days}
          label={t('start.within', { n: days })}
          total={[data?.month, data?.twoMonths, data?.threeMonths][at]}
          href={dueAddress({ due: String(days) })}
          urgency="plain"
          icon="calendar"
        />
      ))}
    </div>
  );
}

function Recent({ data }: { readonly data: StartData }) {
  if (data.recent.nodes.length === 0) return <p class="soft">{t('start.recent_none')}</p>;
  return (
    <ul class="events">
      {data.recent.nodes.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </ul>
  );
}

/** Renders the start screen: what is overdue, what is due when, what comes next. */
export default function StartScreen() {
  const { data, fault, reload } = useQuery(Start, { mine: whose() ?? null });
  const isChosen = isMine.value || data?.expirationSummary.total !== 0;
  const add = may('WRITE') && (
    <LinkButton href="/items/new" weight="first" icon="plus">
      {t('common.add')}
    </LinkButton>
  );
  return (
    <>
      <PageHead title={t('start.title')} beside={isChosen && <WhoseTabs />}>
        {add}
      </PageHead>
      <Unsent />
      <div class="stack startfirst">
        <DemoNote />
        <FirstSteps />
      </div>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {fault && !data ? null : data?.expirationSummary.total === 0 && !isMine.value ? (
        <Empty
          icon="calendar"
          title={t('start.empty')}
          text={t(unsentReason() ? 'start.empty_text_unsent' : 'start.empty_text')}
        >
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
                  <a class="small" href={dueAddress({})}>
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
