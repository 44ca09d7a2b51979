import { useState } from 'preact/hooks';
import { place, setSearch } from '../../app/router';
import { caller } from '../../app/session';
import { request } from '../../data/client';
import type { VariablesOf } from '../../data/operation';
import { usePages } from '../../data/pages';
import { DeactivateUser, People, UpdatePerson } from '../../generated/operations/settings';
import type { PersonFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { ListFoot } from '../../records/list-foot';
import { SearchField } from '../../records/record-list';
import { SaveButton, SavingNote } from '../../records/save';
import { type Column, RecordTable } from '../../records/table';
import { Button, IconButton } from '../../ui/button';
import { Check } from '../../ui/field';
import { FaultNote } from '../../ui/state';
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

function columnsWith(edit: (id: string) => void): readonly Column<PersonFragment>[] {
  return [
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
    {
      label: 'common.edit',
      text: () => '',
      only: 'screen',
      draw: (person) => (
        <span class="rowactions">
          <IconButton
            icon="edit"
            label={`${t('common.edit')}: ${person.name}`}
            onClick={() => edit(person.id)}
          />
          {person.id !== caller.value?.me.id && (
            <IconButton
              icon={person.isActive ? 'leave' : 'renew'}
              label={`${t(person.isActive ? 'settings.deactivate' : 'settings.reactivate')}: ${person.name}`}
              onClick={() => setActive(person, !person.isActive)}
            />
          )}
        </span>
      ),
      class: 'figure',
    },
  ];
}

/** Renders who belongs to the organization, and what they may do. */
export function PeoplePart() {
  const { search } = place.value;
  const [opened, setOpened] = useState<string>();
  const isAll = search.has('all');
  const variables: VariablesOf<typeof People> = {
    filter: { term: search.get('q')?.trim() || undefined, ...(!isAll && { isActive: true }) },
    orderBy: [{ field: 'NAME', direction: 'ASC' }],
  };
  const list = usePages(People, variables, (data) => data.list);
  const columns = columnsWith(setOpened);
  const person = list.rows.find(({ id }) => id === opened);
  const close = () => setOpened(undefined);
  return (
    <>
      <div class="listbar">
        <SearchField />
        <SaveButton name="people" columns={columns} operation={People} variables={variables} />
        <Check
          label={t('settings.with_inactive')}
          checked={isAll}
          onChange={(all) => setSearch({ all: all ? '1' : undefined })}
        />
        <Button icon="plus" weight="first" onClick={() => setOpened('new')}>
          {t('settings.invite')}
        </Button>
      </div>
      <SavingNote />
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      <RecordTable
        title={t('settings.people')}
        rows={list.rows}
        columns={columns}
        isFirst={list.isFirst}
        isStale={list.isStale}
      />
      <ListFoot list={list} />
      {opened === 'new' && <InviteDialog onClose={close} />}
      {person && <PersonDialog person={person} onClose={close} />}
    </>
  );
}
