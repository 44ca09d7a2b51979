import { PapersCard } from '../compliance/papers';
import { vehicleDocuments } from '../generated/operations/vehicle';
import { t } from '../i18n/i18n';
import { visibleName } from '../i18n/names';
import { ItemsCard } from '../records/aside';
import { recordScreen } from '../records/record-screen';

/** Renders vehicles: their list, or one with its driver's dates. */
export default recordScreen({
  kind: 'VEHICLE',
  documents: vehicleDocuments,
  names: ({ licensePlate }) => [licensePlate],
  fields: [
    'name',
    { name: 'licensePlate', control: { autoComplete: 'off' } },
    'assignedToContactId',
    'locationId',
    'assignedTo',
    'make',
    'model',
    'trim',
    { name: 'year', isPlain: true },
    'vin',
    'color',
    'bodyType',
    'registrationProvince',
    { name: 'ownership', order: ['OWNED', 'LEASED', 'RENTED', 'CUSTOMER'] },
    'primaryMeterReading',
    { name: 'primaryMeterType', order: ['KM', 'MI', 'HR'] },
    'msrp',
    'isArchived',
    'customFields',
  ],
  columns: [
    { label: 'fields.name', text: ({ name, licensePlate }) => visibleName(name, licensePlate) },
    'licensePlate',
    'make',
    'model',
    'year',
    'assignedToContactId',
    'locationId',
  ],
  aside: ({ id, team, assignedToContact }) => (
    <>
      <PapersCard kind="VEHICLE" id={id} team={team} />
      {assignedToContact && (
        <ItemsCard
          title={t('vehicles.items')}
          filter={{ contactId: assignedToContact.id }}
          parameters={{ contact: assignedToContact.id }}
        />
      )}
    </>
  ),
});
