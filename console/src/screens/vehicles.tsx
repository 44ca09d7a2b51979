import type { ScreenProps } from '../app/screen';
import type { DataOf } from '../data/operation';
import { contactOption, findContacts, findLocations, findUsers } from '../data/options';
import {
  CreateVehicle,
  DeleteVehicle,
  RestoreVehicle,
  UpdateVehicle,
  VehicleRecord,
  Vehicles,
} from '../generated/operations/vehicles';
import type { VehiclePageFragment } from '../generated/types';
import { t } from '../i18n/i18n';
import { shownName, visibleName } from '../i18n/names';
import { HistoryCard, ItemsCard } from '../records/aside';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import type { RecordType } from '../records/record-type';
import type { Column } from '../records/table';
import { Badge } from '../ui/status';

type Row = DataOf<typeof Vehicles>['list']['nodes'][number];

const vehicleType: RecordType<VehiclePageFragment> = {
  kind: 'VEHICLE',
  folder: '/vehicles',
  icon: 'vehicle',
  title: 'vehicles.title',
  add: 'vehicles.add',
  empty: 'vehicles.empty',
  emptyText: 'vehicles.empty_text',
  nameOf: ({ name, licensePlate }) => shownName(name, licensePlate),
  operations: {
    create: CreateVehicle,
    update: UpdateVehicle,
    remove: DeleteVehicle,
    restore: RestoreVehicle,
  },
  fields: [
    {
      type: 'text',
      name: 'name',
      label: 'common.name',
      control: { autoComplete: 'off', required: true, maxLength: 255 },
    },
    { type: 'text', name: 'licensePlate', label: 'vehicles.plate', control: { autoComplete: 'off' } },
    {
      type: 'record',
      name: 'assignedToContactId',
      label: 'vehicles.driver',
      empty: 'common.nobody',
      kind: 'CONTACT',
      find: findContacts,
      chosen: ({ assignedToContact }) => (assignedToContact ? contactOption(assignedToContact) : undefined),
    },
    {
      type: 'record',
      name: 'locationId',
      label: 'records.location',
      kind: 'LOCATION',
      find: findLocations,
      chosen: ({ location }) => (location ? { id: location.id, label: location.name ?? '' } : undefined),
    },
    {
      type: 'record',
      name: 'assignedTo',
      label: 'records.assigned',
      empty: 'common.nobody',
      find: findUsers,
      isReference: true,
      chosen: ({ assignedTo }) => (assignedTo ? { id: assignedTo.id, label: assignedTo.name } : undefined),
    },
    { type: 'text', name: 'make', label: 'vehicles.make' },
    { type: 'text', name: 'model', label: 'vehicles.model' },
    { type: 'text', name: 'trim', label: 'vehicles.trim' },
    { type: 'number', name: 'year', label: 'vehicles.year', isPlain: true },
    { type: 'text', name: 'vin', label: 'vehicles.vin' },
    { type: 'text', name: 'color', label: 'vehicles.color' },
    { type: 'text', name: 'bodyType', label: 'vehicles.body' },
    { type: 'text', name: 'registrationProvince', label: 'vehicles.registered' },
    {
      type: 'choice',
      name: 'ownership',
      label: 'vehicles.ownership',
      choices: (['OWNED', 'LEASED', 'RENTED', 'CUSTOMER'] as const).map((value) => ({
        value,
        label: `vehicles.${value}` as const,
      })),
    },
    { type: 'number', name: 'primaryMeterReading', label: 'vehicles.meter' },
    {
      type: 'choice',
      name: 'primaryMeterType',
      label: 'vehicles.meter_type',
      choices: (['KM', 'MI', 'HR'] as const).map((value) => ({
        value,
        label: `vehicles.${value}` as const,
      })),
    },
    { type: 'number', name: 'msrp', label: 'vehicles.price', control: { step: 'any', inputMode: 'decimal' } },
    { type: 'check', name: 'isArchived', label: 'contacts.out_of_use' },
    { type: 'custom', name: 'customFields', label: 'records.custom' },
  ],
};

const columns: readonly Column<Row>[] = [
  { label: 'common.name', order: 'NAME', text: ({ name, licensePlate }) => visibleName(name, licensePlate) },
  { label: 'vehicles.plate', order: 'LICENSE_PLATE', text: ({ licensePlate }) => licensePlate },
  { label: 'vehicles.make', order: 'MAKE', text: ({ make }) => make, class: 'roomy' },
  { label: 'vehicles.model', order: 'MODEL', text: ({ model }) => model, class: 'roomy' },
  { label: 'vehicles.year', order: 'YEAR', text: ({ year }) => year, class: 'roomy' },
  {
    label: 'vehicles.driver',
    order: 'ASSIGNED_TO_CONTACT_NAME',
    text: ({ assignedToContact }) => visibleName(assignedToContact?.name, assignedToContact?.email),
    class: 'roomy',
  },
  {
    label: 'records.location',
    order: 'LOCATION_NAME',
    text: ({ location }) => location?.name,
    class: 'roomy',
  },
];

/** Renders vehicles: their list, or one with its driver's dates. */
export default function VehiclesScreen({ id }: ScreenProps) {
  if (!id) {
    return (
      <RecordList type={vehicleType} operation={Vehicles} columns={columns} inUse={{ isArchived: false }} />
    );
  }
  return (
    <RecordPage
      type={vehicleType}
      id={id}
      operation={VehicleRecord}
      beside={({ isArchived }) => isArchived && <Badge>{t('records.archived')}</Badge>}
      aside={({ id: vehicle, assignedToContact }) => (
        <>
          {assignedToContact && (
            <ItemsCard
              title={t('vehicles.items')}
              filter={{ contactId: assignedToContact.id }}
              parameters={{ contact: assignedToContact.id }}
            />
          )}
          <HistoryCard kind="VEHICLE" id={vehicle} />
        </>
      )}
    />
  );
}
