import { addressOf, itemsAddress } from '../app/addresses';
import { place, setSearch } from '../app/router';
import { hasTeams } from '../app/session';
import { PapersCard } from '../compliance/papers';
import type { DataOf } from '../data/client';
import { contactOption } from '../data/options';
import { usePages } from '../data/pages';
import { LocationList, type LocationRecord, locationDocuments } from '../generated/operations/location';
import type { LocationFilter, LocationRowFragment } from '../generated/types';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import { ItemsCard, LinksCard } from '../records/aside';
import { recordScreen } from '../records/record-screen';
import { Button, IconButton } from '../ui/button';
import { Bones, FaultNote } from '../ui/state';
import { Countdown } from '../ui/status';
import './locations/tree.css';

/** Number of top locations up to which they are expanded at first. */
const mostExpanded = 3;

/**
 * Returns the ids of the expanded locations, which the address contains.
 * @param first those that are expanded until somebody expands or collapses one
 */
const opened = (first: readonly string[]): ReadonlySet<string> =>
  new Set(place.value.search.get('open')?.split(',') ?? first);

function toggle(id: string, first: readonly string[]): void {
  const open = new Set(opened(first));
  if (!open.delete(id)) open.add(id);
  open.delete('none');
  setSearch({ open: [...open].join(',') || 'none' });
}

interface LeafProps {
  readonly location: LocationRowFragment;
  readonly first: readonly string[];
}

function Leaf({ location, first }: LeafProps) {
  const { id, name, team, children, expirationItems } = location;
  const isOpen = opened(first).has(id);
  const [next] = expirationItems.nodes;
  return (
    <li>
      <div class="leaf">
        {children.totalCount > 0 ? (
          <IconButton
            icon={isOpen ? 'down' : 'next'}
            label={t(isOpen ? 'locations.close' : 'locations.open', { name: shownName(name) })}
            aria-expanded={isOpen}
            onClick={() => toggle(id, first)}
          />
        ) : (
          <span class="twig" />
        )}
        <a class="clip strong" href={`/locations/${encodeURIComponent(id)}`}>
          {shownName(name)}
        </a>
        {hasTeams() && team && <span class="soft small clip team">{team.name}</span>}
        <span class="push line small">
          {next?.expirationDate && <Countdown date={next.expirationDate} />}
          {expirationItems.totalCount > 0 && (
            <a class="num" href={itemsAddress({ location: id })}>
              {t('locations.items', { n: expirationItems })}
            </a>
          )}
        </span>
      </div>
      {isOpen && children.totalCount > 0 && <Branch filter={{ parentLocationId: id }} first={first} />}
    </li>
  );
}

interface BranchProps {
  readonly filter: LocationFilter;
  /** Locations that are expanded at first. Without them, these are, if they are few. */
  readonly first?: readonly string[];
}

function Branch({ filter, first }: BranchProps) {
  const list = usePages(
    LocationList,
    { filter, orderBy: [{ field: 'NAME', direction: 'ASC' }] },
    (data) => data.list,
    100,
  );
  if (list.fault) return <FaultNote fault={list.fault} onRetry={list.reload} />;
  if (list.isFirst) return <Bones rows={3} />;
  const few = list.rows.length <= mostExpanded ? list.rows.map(({ id }) => id) : [];
  const expanded = first ?? few;
  return (
    <ul class="branch">
      {list.rows.map((location) => (
        <Leaf key={location.id} location={location} first={expanded} />
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
function LocationTree() {
  return (
    <div class="card tree">
      <Branch filter={{ isRoot: true }} />
    </div>
  );
}

type Row = NonNullable<DataOf<typeof LocationRecord>['record']>;

function Path({ ancestors }: Pick<Row, 'ancestors'>) {
  if (ancestors.nodes.length === 0) return null;
  return (
    <span class="soft small clip">
      {ancestors.nodes.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ' › '}
          <a href={addressOf('LOCATION', id)}>{shownName(name)}</a>
        </span>
      ))}
    </span>
  );
}

/** Renders locations: as a tree, as a searched list, or one of them. */
export default recordScreen({
  kind: 'LOCATION',
  documents: locationDocuments,
  fields: ['name', { name: 'parentLocationId', empty: 'locations.top' }, 'customFields'],
  columns: ['name', 'parentLocationId'],
  instead: () => <LocationTree />,
  beside: ({ ancestors }) => <Path ancestors={ancestors} />,
  below: ({ children, contacts, vehicles }) => (
    <>
      <LinksCard
        title={t('locations.inside')}
        total={children}
        links={children.nodes.map((child) => ({
          id: child.id,
          label: shownName(child.name),
          href: addressOf('LOCATION', child.id),
        }))}
      />
      <LinksCard
        title={t('contacts.title')}
        total={contacts}
        links={contacts.nodes.map((contact) => ({
          ...contactOption(contact),
          href: addressOf('CONTACT', contact.id),
        }))}
      />
      <LinksCard
        title={t('vehicles.title')}
        total={vehicles}
        links={vehicles.nodes.map((vehicle) => ({
          id: vehicle.id,
          label: joinNames(vehicle.name, vehicle.licensePlate),
          href: addressOf('VEHICLE', vehicle.id),
        }))}
      />
    </>
  ),
  aside: ({ id: location, team }) => (
    <>
      <PapersCard kind="LOCATION" id={location} team={team} />
      <ItemsCard filter={{ locationId: location }} parameters={{ location }} />
    </>
  ),
});
