import { addressOf } from '../app/addresses';
import type { ScreenProps } from '../app/screen';
import type { DataOf } from '../data/operation';
import { contactOption, findLocations } from '../data/options';
import {
  CreateLocation,
  DeleteLocation,
  LocationRecord,
  Locations,
  RestoreLocation,
  UpdateLocation,
} from '../generated/operations/locations';
import type { LocationOrderField, LocationPageFragment, UpdateLocationInput } from '../generated/types';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import type { Column } from '../list/declare';
import { HistoryCard, ItemsCard, LinksCard } from '../records/aside';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import { type RecordType, recordAddress } from '../records/record-type';
import { LocationTree } from './locations/tree';

const locationType: RecordType<LocationPageFragment, keyof UpdateLocationInput> = {
  kind: 'LOCATION',
  folder: '/locations',
  icon: 'location',
  title: 'locations.title',
  add: 'locations.add',
  empty: 'locations.empty',
  emptyText: 'locations.empty_text',
  nameOf: ({ name }) => shownName(name),
  operations: {
    create: CreateLocation,
    update: UpdateLocation,
    remove: DeleteLocation,
    restore: RestoreLocation,
  },
  fields: [
    {
      type: 'text',
      name: 'name',
      control: { autoComplete: 'off' },
    },
    {
      type: 'record',
      name: 'parentLocationId',
      empty: 'locations.top',
      find: findLocations,
      chosen: ({ parentLocation }) =>
        parentLocation ? { id: parentLocation.id, label: parentLocation.name ?? '' } : undefined,
    },
    { type: 'custom', name: 'customFields' },
  ],
};

function Path({ ancestors }: { readonly ancestors: LocationPageFragment['ancestors'] }) {
  if (ancestors.nodes.length === 0) return null;
  return (
    <span class="soft small clip">
      {ancestors.nodes.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ' › '}
          <a href={recordAddress(locationType, id)}>{shownName(name)}</a>
        </span>
      ))}
    </span>
  );
}

const columns: readonly Column<DataOf<typeof Locations>['list']['nodes'][number], LocationOrderField>[] = [
  { label: 'fields.name', text: ({ name }) => name },
  {
    label: 'fields.parentLocation',
    text: ({ parentLocation }) => parentLocation?.name,
  },
];

/** Renders locations: as a tree, as a searched list, or one of them. */
export default function LocationsScreen({ id }: ScreenProps) {
  if (!id) {
    return (
      <RecordList
        by="NAME"
        type={locationType}
        operation={Locations}
        columns={columns}
        instead={() => <LocationTree />}
      />
    );
  }
  return (
    <RecordPage
      type={locationType}
      id={id}
      operation={LocationRecord}
      beside={({ ancestors }) => <Path ancestors={ancestors} />}
      below={({ children, contacts, vehicles }) => (
        <>
          <LinksCard
            title={t('locations.inside')}
            total={children.totalCount}
            links={children.nodes.map((child) => ({
              id: child.id,
              label: shownName(child.name),
              href: recordAddress(locationType, child.id),
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
      )}
      aside={({ id: location }) => (
        <>
          <ItemsCard filter={{ locationId: location }} parameters={{ location }} />
          <HistoryCard kind="LOCATION" id={location} />
        </>
      )}
    />
  );
}
