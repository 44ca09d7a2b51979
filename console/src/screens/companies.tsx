import { PapersCard } from '../compliance/papers';
import { companyDocuments } from '../generated/operations/company';
import { t } from '../i18n/i18n';
import { shownName, visibleName } from '../i18n/names';
import { ItemsCard } from '../records/aside';
import { recordScreen } from '../records/record-screen';

/** Renders companies: their list, or one with what expires at its main contact. */
export default recordScreen({
  kind: 'COMPANY',
  documents: companyDocuments,
  names: ({ doingBusinessAs }) => [doingBusinessAs],
  fields: [
    'name',
    'doingBusinessAs',
    'primaryContactId',
    'assignedTo',
    'phone',
    'website',
    'addressLine1',
    'addressLine2',
    'postalCode',
    'city',
    'province',
    'taxId',
    'isArchived',
    'customFields',
  ],
  columns: [
    { label: 'fields.name', text: ({ name, doingBusinessAs }) => visibleName(name, doingBusinessAs) },
    'city',
    'doingBusinessAs',
    'phone',
    'primaryContactId',
  ],
  aside: ({ id, team, primaryContact }) => (
    <>
      <PapersCard kind="COMPANY" id={id} team={team} />
      {primaryContact && (
        <ItemsCard
          title={t('companies.items_of_contact', {
            name: shownName(primaryContact.name, primaryContact.email),
          })}
          filter={{ contactId: primaryContact.id }}
          parameters={{ contact: primaryContact.id }}
        />
      )}
    </>
  ),
});
