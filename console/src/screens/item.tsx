import { place } from '../app/router';
import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import { useQuery } from '../data/answers';
import { ExpirationItemRecord } from '../generated/operations/expirationItem';
import { t } from '../i18n/i18n';
import { HistoryCard } from '../records/aside';
import { LinkButton } from '../ui/button';
import { PageHead } from '../ui/page';
import { Bones, Empty, FaultNote } from '../ui/state';
import { Status } from '../ui/status';
import { ItemActions } from './item/actions';
import { ItemFacts } from './item/facts';
import { Files } from './item/files';
import { ItemForm } from './item/form';
import { Notes } from './item/notes';
import { HolderLine, Holders, People, Places } from './item/people';
import { Standing } from './item/standing';
import { Watches } from './item/watches';
import './item.css';

const above = () => ({ href: '/items', label: t('items.title') });

/** Renders an item with its status, files, people, places, notes and history. */
function ItemView({ id }: ScreenProps) {
  const { data, fault, reload } = useQuery(ExpirationItemRecord, { id });
  const item = data?.record;
  if (!item) {
    return (
      <>
        <PageHead title={t('items.title')} above={above()} />
        {fault && fault.kind !== 'gone' && <FaultNote fault={fault} onRetry={reload} />}
        {(fault?.kind === 'gone' || (data && !item)) && (
          <Empty icon="search" title={t('item.gone')} text={t('item.gone_text')}>
            <LinkButton href="/items">{t('items.title')}</LinkButton>
          </Empty>
        )}
        {!data && !fault && <Bones rows={10} />}
      </>
    );
  }
  if (place.value.search.has('edit') && may('WRITE')) return <ItemForm item={item} onChanged={reload} />;
  return (
    <>
      <PageHead title={item.name} above={above()} beside={<Status status={item.status} />}>
        {may('WRITE') && <ItemActions item={item} onChanged={reload} />}
      </PageHead>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      <HolderLine item={item} />
      <div class="itemgrid">
        <div class="stack">
          <Standing item={item} onChanged={reload} />
          <Files item={item} onChanged={reload} />
          <Notes item={item} onChanged={reload} />
          <HistoryCard kind="EXPIRATION_ITEM" id={id} />
        </div>
        <div class="stack">
          <Holders item={item} />
          <ItemFacts item={item} />
          <People item={item} />
          <Places item={item} />
          <Watches item={item} />
        </div>
      </div>
    </>
  );
}

/** Renders an item, or the form for a new one. */
export default function ItemScreen({ id }: ScreenProps) {
  if (id !== 'new') return <ItemView id={id} />;
  if (may('WRITE')) return <ItemForm />;
  return <Empty icon="items" title={t('fault.forbidden')} />;
}
