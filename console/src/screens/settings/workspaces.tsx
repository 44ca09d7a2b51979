import { useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { may, refreshCaller } from '../../app/session';
import { request } from '../../data/client';
import { usePages } from '../../data/pages';
import { findZones, zoneOption } from '../../data/zones';
import {
  CreateWorkspace,
  DeleteWorkspace,
  RestoreWorkspace,
  UpdateWorkspace,
  Workspaces,
} from '../../generated/operations/settings';
import type { UpdateTeamInput, WorkspaceFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { zoneOfOrganization } from '../../records/defaults';
import { RecordForm } from '../../records/form/record-form';
import { ListFoot } from '../../records/list-foot';
import type { RecordType } from '../../records/record-type';
import { type Column, RecordTable } from '../../records/table';
import { Button, IconButton } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FaultNote } from '../../ui/state';
import { tell, tellFault } from '../../ui/toast';

const workspaceType: RecordType<WorkspaceFragment, keyof UpdateTeamInput> = {
  kind: 'TEAM',
  folder: '/settings/workspaces',
  icon: 'people',
  title: 'settings.workspaces',
  add: 'settings.new_workspace',
  empty: 'common.none',
  emptyText: 'common.none',
  nameOf: ({ name }) => name,
  isOutsideTeams: true,
  operations: {
    create: CreateWorkspace,
    update: UpdateWorkspace,
    remove: DeleteWorkspace,
    restore: RestoreWorkspace,
  },
  fields: [
    { type: 'text', name: 'name', control: { autoComplete: 'off' } },
    {
      type: 'record',
      name: 'timezone',
      hint: 'settings.team_timezone_hint',
      otherwise: zoneOfOrganization,
      find: findZones,
      chosen: ({ timezone }) => zoneOption(timezone),
    },
    {
      type: 'text',
      name: 'reminderFallbackAddress',
      hint: 'settings.fallback_hint',
      isReminding: true,
      control: { type: 'email', autoComplete: 'off' },
    },
    { type: 'check', name: 'isActive', label: 'fields.isArchived', values: [false, true] },
  ],
};

async function remove(workspace: WorkspaceFragment): Promise<void> {
  const { id, version, name } = workspace;
  const outcome = await request(DeleteWorkspace, { id, ifVersion: version });
  if (!outcome.ok) return tellFault(outcome.fault);
  await refreshCaller();
  tell(t('common.deleted', { name }), async () => {
    const restored = await request(RestoreWorkspace, { id });
    if (!restored.ok) return tellFault(restored.fault);
    await refreshCaller();
    tell(t('common.undone'));
  });
}

/** Renders workspaces and their settings. */
export function WorkspacesPart() {
  const [opened, setOpened] = useState<string>();
  const canChange = may('ADMINISTER');
  const list = usePages(Workspaces, { orderBy: [{ field: 'NAME', direction: 'ASC' }] }, (data) => data.list);
  const row = list.rows.find(({ id }) => id === opened);
  const columns: Column<WorkspaceFragment>[] = [
    { label: 'fields.name', text: ({ name }) => name },
    { label: 'fields.timezone', text: ({ timezone }) => timezone, class: 'roomy' },
    {
      label: 'fields.reminderPolicy',
      text: ({ reminderPolicy }) => reminderPolicy?.name,
      draw: ({ reminderPolicy: policy }) =>
        policy && <a href={addressOf('REMINDER_POLICY', policy.id)}>{shownName(policy.name)}</a>,
      class: 'roomy',
    },
  ];
  if (canChange) {
    columns.push({
      label: 'common.edit',
      text: () => '',
      only: 'screen',
      draw: (workspace) => (
        <span class="rowactions">
          <IconButton
            icon="edit"
            label={`${t('common.edit')}: ${workspace.name}`}
            onClick={() => setOpened(workspace.id)}
          />
          <IconButton
            icon="trash"
            label={`${t('common.delete')}: ${workspace.name}`}
            onClick={() => remove(workspace)}
          />
        </span>
      ),
      class: 'figure',
    });
  }
  return (
    <>
      {canChange && (
        <div>
          <Button icon="plus" weight="first" onClick={() => setOpened('new')}>
            {t('settings.new_workspace')}
          </Button>
        </div>
      )}
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      <RecordTable
        title={t('settings.workspaces')}
        rows={list.rows}
        columns={columns}
        isFirst={list.isFirst}
      />
      <ListFoot list={list} />
      {(row || opened === 'new') && (
        <Dialog title={row?.name ?? t('settings.new_workspace')} onClose={() => setOpened(undefined)}>
          <RecordForm
            type={workspaceType}
            {...(row && { row })}
            onDone={async () => {
              setOpened(undefined);
              await refreshCaller();
            }}
            onCancel={() => setOpened(undefined)}
          />
        </Dialog>
      )}
    </>
  );
}
