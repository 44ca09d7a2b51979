import { itemsAddress } from '../app/addresses';
import { may } from '../app/session';
import { Unsent } from '../app/unsent';
import { useQuery } from '../data/query';
import { unsentReason } from '../data/reminding';
import { Start } from '../generated/operations/start';
import { t } from '../i18n/i18n';
import { EventLine } from '../records/history';
import { LinkButton } from '../ui/button';
import { Card, PageHead } from '../ui/page';
import { Bones, Empty, FaultNote } from '../ui/state';
import { ByMonth, ByType } from './start/bars';
import type { StartData } from './start/data';
import { Next, Reminders } from './start/next';
import { Tiles } from './start/tiles';
import './start.css';

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
  const { data, fault, reload } = useQuery(Start, {});
  const add = may('WRITE') && (
    <LinkButton href="/items/new" weight="first" icon="plus">
      {t('common.add')}
    </LinkButton>
  );
  return (
    <>
      <PageHead title={t('start.title')}>{add}</PageHead>
      <Unsent />
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {fault && !data ? null : data?.expirationSummary.total === 0 ? (
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
