import { addressOf } from '../app/addresses';
import { caller, may } from '../app/session';
import { PapersCard } from '../compliance/papers';
import type { DataOf } from '../data/client';
import { findZones, zoneOption } from '../data/options';
import { type ContactList, contactDocuments } from '../generated/operations/contact';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { joinNames, visibleName } from '../i18n/names';
import { ItemsCard, LinksCard } from '../records/aside';
import { zoneOtherwise } from '../records/defaults';
import { DigestCard } from '../records/digests';
import { EraseButton } from '../records/erase';
import { recordScreen } from '../records/record-screen';
import { Countdown } from '../ui/status';

const nextItem = ({ expirationItems }: DataOf<typeof ContactList>['list']['nodes'][number]) =>
  expirationItems.nodes[0];

/** Renders people: their list, or one with what expires there. */
export default recordScreen({
  kind: 'CONTACT',
  documents: contactDocuments,
  names: ({ email }) => [email],
  fields: [
    'name',
    'email',
    'phone',
    'mobile',
    'typeId',
    'locationId',
    'assignedTo',
    {
      type: 'record',
      name: 'timezone',
      hint: 'contacts.timezone_hint',
      otherwise: (contact) => zoneOtherwise([contact?.team?.id ?? caller.value?.me.team?.id ?? '']),
      find: findZones,
      chosen: ({ timezone }) => (timezone ? zoneOption(timezone) : undefined),
    },
    'contactId',
    'isActive',
    'customFields',
  ],
  columns: [
    { label: 'fields.name', text: ({ name, email }) => visibleName(name, email) },
    'email',
    {
      label: 'fields.phone',
      text: ({ phone, mobile }) => phone || mobile,
      include: 'phone',
      class: 'roomy',
    },
    'typeId',
    'assignedTo',
    {
      label: 'records.next_date',
      text: (row) => nextItem(row)?.expirationDate,
      draw: (row) => {
        const { expirationDate: date } = nextItem(row) ?? {};
        return date ? (
          <span class="onerow" title={formatDay(date)}>
            <Countdown date={date} />
          </span>
        ) : null;
      },
    },
  ],
  below: ({ companies, vehicles }) => (
    <>
      <LinksCard
        title={t('contacts.companies')}
        total={companies}
        links={companies.nodes.map(({ id, name }) => ({
          id,
          label: name ?? '',
          href: addressOf('COMPANY', id),
        }))}
      />
      <LinksCard
        title={t('contacts.vehicles')}
        total={vehicles}
        links={vehicles.nodes.map(({ id, name, licensePlate }) => ({
          id,
          label: joinNames(name, licensePlate),
          href: addressOf('VEHICLE', id),
        }))}
      />
    </>
  ),
  aside: ({ id, email, team }) => (
    <>
      <PapersCard kind="CONTACT" id={id} team={team} />
      <ItemsCard filter={{ contactId: id }} parameters={{ contact: id }} />
      {may('ADMINISTER') && email && <DigestCard id={id} />}
      <EraseButton id={id} />
    </>
  ),
});
