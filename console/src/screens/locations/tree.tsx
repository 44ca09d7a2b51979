import { itemsAddress } from '../../app/addresses';
import { place, setSearch } from '../../app/router';
import { hasTeams } from '../../app/session';
import { usePages } from '../../data/pages';
import { type LocationFilter, type LocationRowFragment, Locations } from '../../generated/operations';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button, IconButton } from '../../ui/button';
import { Bones, FaultNote } from '../../ui/state';
import { Countdown } from '../../ui/status';
import './tree.css';

/** Returns the ids of the expanded locations, which the address contains. */
const opened = (): ReadonlySet<string> =>
  new Set((place.value.search.get('open') ?? '').split(',').filter(Boolean));

function toggle(id: string): void {
  const open = new Set(opened());
  if (!open.delete(id)) open.add(id);
  setSearch({ open: [...open].join(',') });
}

function Leaf({ location }: { readonly location: LocationRowFragment }) {
  const { id, name, team, children, expirationItems } = location;
  const isOpen = opened().has(id);
  const date = expirationItems.nodes[0]?.expirationDate;
  return (
    <li>
      <div class="leaf">
        {children.totalCount > 0 ? (
          <IconButton
            icon={isOpen ? 'down' : 'next'}
            label={t(isOpen ? 'locations.close' : 'locations.open', { name: shownName(name) })}
            aria-expanded={isOpen}
            onClick={() => toggle(id)}
          />
        ) : (
          <span class="twig" />
        )}
        <a class="clip strong" href={`/locations/${encodeURIComponent(id)}`}>
          {shownName(name)}
        </a>
        {hasTeams() && team && <span class="soft small clip team">{team.name}</span>}
        <span class="push line small">
          {date && <Countdown date={date} />}
          {expirationItems.totalCount > 0 && (
            <a class="num" href={itemsAddress({ location: id })}>
              {t('locations.items', { n: expirationItems.totalCount })}
            </a>
          )}
        </span>
      </div>
      {isOpen && children.totalCount > 0 && <Branch filter={{ parentLocationId: id }} />}
    </li>
  );
}

function Branch({ filter }: { readonly filter: LocationFilter }) {
  const list = usePages(
    Locations,
    { filter, orderBy: [{ field: 'NAME', direction: 'ASC' }] },
    (data) => data.list,
    ['LOCATION', 'EXPIRATION_ITEM'],
    100,
  );
  if (list.fault) return <FaultNote fault={list.fault} onRetry={list.reload} />;
  if (list.isFirst) return <Bones rows={3} />;
  return (
    <ul class="branch">
      {list.rows.map((location) => (
        <Leaf key={location.id} location={location} />
      ))}
      {list.hasMore && (
        <li>
          <Button weight="bare" onClick={list.more} isBusy={list.isLoadingMore}>
            {t('common.more_rows')}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** Renders locations as a tree, whose branches load when they are expanded. */
export function LocationTree() {
  return (
    <div class="card tree">
      <Branch filter={{ isRoot: true }} />
    </div>
  );
}
