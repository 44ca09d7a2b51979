import { caller } from '../../app/session';
import { request } from '../../data/client';
import { DeactivateUser, People, UpdatePerson } from '../../generated/operations/settings';
import type { PersonFragment, UserFilter, UserOrderField } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { Badge } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';
import { InviteDialog, PersonDialog } from './person';

/** Activates or deactivates somebody, and offers to undo. */
async function setActive(person: PersonFragment, isActive: boolean): Promise<void> {
  const { id, name } = person;
  const outcome = isActive
    ? await request(UpdatePerson, { id, isActive })
    : await request(DeactivateUser, { id, ifVersion: person.version });
  if (!outcome.ok) return tellFault(outcome.fault);
  if (isActive) return tell(t('settings.reactivated', { name }));
  tell(t('settings.deactivated', { name }), () => setActive(person, true));
}

/** Renders the dialog about a person whose row was chosen. */
function EditDialog({ row, onClose }: { readonly row: PersonFragment; readonly onClose: () => void }) {
  return <PersonDialog person={row} onClose={onClose} />;
}

const people: ListSpec<PersonFragment, UserFilter, UserOrderField> = {
  name: 'people',
  title: 'settings.people',
  operation: People,
  order: [{ field: 'NAME', direction: 'ASC' }],
  empty: { icon: 'people', title: 'common.nobody' },
  add: { label: 'settings.invite', isAllowed: () => true, Dialog: InviteDialog },
  filters: [
    {
      type: 'check',
      name: 'all',
      label: 'settings.with_inactive',
      where: (all) => (all ? {} : { isActive: true }),
    },
  ],
  columns: [
    { label: 'fields.name', text: ({ name }) => name },
    { label: 'fields.email', text: ({ email }) => email, class: 'roomy' },
    { label: 'settings.role', text: ({ role }) => role && t(`session.role_${role}`) },
    {
      label: 'settings.workspaces',
      text: ({ teams }) => teams.map(({ name }) => name).join(', '),
      class: 'roomy',
    },
    {
      label: 'settings.active',
      text: ({ isActive }) => t(isActive ? 'settings.yes' : 'settings.no'),
      draw: ({ isActive }) => (
        <Badge urgency={isActive ? 'good' : 'plain'}>{t(isActive ? 'settings.yes' : 'settings.no')}</Badge>
      ),
      class: 'roomy',
    },
  ],
  rowActions: [
    { icon: 'edit', label: 'common.edit', Dialog: EditDialog },
    {
      icon: ({ isActive }) => (isActive ? 'leave' : 'renew'),
      label: ({ isActive }) => (isActive ? 'settings.deactivate' : 'settings.reactivate'),
      isFor: ({ id }) => id !== caller.value?.me.id,
      run: (person) => setActive(person, !person.isActive),
    },
  ],
};

/** Renders who belongs to the organization, and what they may do. */
export const PeoplePart = () => <ListPart list={people} />;
