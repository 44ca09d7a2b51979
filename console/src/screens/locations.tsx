import { addressOf } from '../app/addresses';
import { PapersCard } from '../compliance/papers';
import type { DataOf } from '../data/operation';
import { contactOption } from '../data/options';
import { type LocationRecord, locationDocuments } from '../generated/operations/location';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import { ItemsCard, LinksCard } from '../records/aside';
import { recordScreen } from '../records/record-screen';
import { LocationTree } from './locations/tree';

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
        total={children.totalCount}
        links={children.nodes.map((child) => ({
          id: child.id,
          label: shownName(child.name),
          href: addressOf('LOCATION', child.id),
        }))}
      />
      <LinksCard
        title={t('contacts.title')}
        total={contacts.totalCount}
        links={contacts.nodes.map((contact) => ({
          ...contactOption(contact),
          href: addressOf('CONTACT', contact.id),
        }))}
      />
      <LinksCard
        title={t('vehicles.title')}
        total={vehicles.totalCount}
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
