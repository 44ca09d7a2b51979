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
import type { UpdateVehicleInput, VehicleOrderField, VehiclePageFragment } from '../generated/types';
import { t } from '../i18n/i18n';
import { shownName, visibleName } from '../i18n/names';
import type { Column } from '../list/declare';
import { HistoryCard, ItemsCard } from '../records/aside';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import type { RecordType } from '../records/record-type';
import { Badge } from '../ui/status';

type Row = DataOf<typeof Vehicles>['list']['nodes'][number];

const vehicleType: RecordType<VehiclePageFragment, keyof UpdateVehicleInput> = {
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
      control: { autoComplete: 'off' },
    },
    { type: 'text', name: 'licensePlate', control: { autoComplete: 'off' } },
    {
      type: 'record',
      name: 'assignedToContactId',
      empty: 'common.nobody',
      find: findContacts,
      chosen: ({ assignedToContact }) => (assignedToContact ? contactOption(assignedToContact) : undefined),
    },
    {
      type: 'record',
      name: 'locationId',
      find: findLocations,
      chosen: ({ location }) => (location ? { id: location.id, label: location.name ?? '' } : undefined),
    },
    {
      type: 'record',
      name: 'assignedTo',
      empty: 'common.nobody',
      find: findUsers,
      isReference: true,
      chosen: ({ assignedTo }) => (assignedTo ? { id: assignedTo.id, label: assignedTo.name } : undefined),
    },
    { type: 'text', name: 'make' },
    { type: 'text', name: 'model' },
    { type: 'text', name: 'trim' },
    { type: 'number', name: 'year', isPlain: true },
    { type: 'text', name: 'vin' },
    { type: 'text', name: 'color' },
    { type: 'text', name: 'bodyType' },
    { type: 'text', name: 'registrationProvince' },
    {
      type: 'choice',
      name: 'ownership',
      choices: (['OWNED', 'LEASED', 'RENTED', 'CUSTOMER'] as const).map((value) => ({
        value,
        label: `vehicles.${value}` as const,
      })),
    },
    { type: 'number', name: 'primaryMeterReading' },
    {
      type: 'choice',
      name: 'primaryMeterType',
      choices: (['KM', 'MI', 'HR'] as const).map((value) => ({
        value,
        label: `vehicles.${value}` as const,
      })),
    },
    { type: 'number', name: 'msrp', control: { step: 'any', inputMode: 'decimal' } },
    { type: 'check', name: 'isArchived' },
    { type: 'custom', name: 'customFields' },
  ],
};

const columns: readonly Column<Row, VehicleOrderField>[] = [
  { label: 'fields.name', text: ({ name, licensePlate }) => visibleName(name, licensePlate) },
  { label: 'fields.licensePlate', text: ({ licensePlate }) => licensePlate },
  { label: 'fields.make', text: ({ make }) => make, class: 'roomy' },
  { label: 'fields.model', text: ({ model }) => model, class: 'roomy' },
  { label: 'fields.year', text: ({ year }) => year, class: 'roomy' },
  {
    label: 'fields.assignedToContact',
    text: ({ assignedToContact }) => visibleName(assignedToContact?.name, assignedToContact?.email),
    class: 'roomy',
  },
  {
    label: 'fields.location',
    text: ({ location }) => location?.name,
    class: 'roomy',
  },
];

/** Renders vehicles: their list, or one with its driver's dates. */
export default function VehiclesScreen({ id }: ScreenProps) {
  if (!id) {
    return <RecordList by="NAME" type={vehicleType} operation={Vehicles} columns={columns} />;
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
