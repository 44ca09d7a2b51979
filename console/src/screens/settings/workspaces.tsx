import { addressOf } from '../../app/addresses';
import { may, refreshCaller } from '../../app/session';
import { request } from '../../data/client';
import { findZones, zoneOption } from '../../data/options';
import { Workspaces } from '../../generated/operations/settings';
import { teamDocuments } from '../../generated/operations/team';
import type { TeamFilter, TeamOrderField, WorkspaceFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { type FieldName, fieldsOf } from '../../records/declared';
import { zoneOfOrganization } from '../../records/defaults';
import { RecordForm } from '../../records/form/form';
import { Dialog } from '../../ui/dialog';
import { tell, tellFault } from '../../ui/toast';

const fields = fieldsOf<WorkspaceFragment, FieldName<'TEAM'>>('TEAM', 'settings', [
  'name',
  {
    type: 'record',
    name: 'timezone',
    hint: 'settings.team_timezone_hint',
    otherwise: zoneOfOrganization,
    find: findZones,
    chosen: ({ timezone }) => zoneOption(timezone),
  },
  {
    name: 'reminderFallbackAddress',
    hint: 'settings.fallback_hint',
    isReminding: true,
    control: { type: 'email', autoComplete: 'off' },
  },
  'isActive',
]);

async function remove(workspace: WorkspaceFragment): Promise<void> {
  const { id, version, name } = workspace;
  const outcome = await request(teamDocuments.remove, { id, ifVersion: version });
  if (!outcome.ok) return tellFault(outcome.fault);
  await refreshCaller();
  tell(t('common.deleted', { name }), async () => {
    const restored = await request(teamDocuments.restore, { id });
    if (!restored.ok) return tellFault(restored.fault);
    await refreshCaller();
    tell(t('common.undone'));
  });
}

interface DialogProps {
  readonly row?: WorkspaceFragment;
  readonly onClose: () => void;
}

/** Renders the form of a workspace, or of a new one. */
function WorkspaceDialog({ row, onClose }: DialogProps) {
  return (
    <Dialog title={row?.name ?? t('settings.new_workspace')} onClose={onClose}>
      <RecordForm
        kind="TEAM"
        fields={fields}
        documents={teamDocuments}
        isOutsideTeams
        {...(row && { row })}
        onDone={async () => {
          onClose();
          await refreshCaller();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

const canChange = () => may('ADMINISTER');

const workspaces: ListSpec<WorkspaceFragment, TeamFilter, TeamOrderField> = {
  name: 'workspaces',
  title: 'settings.workspaces',
  operation: Workspaces,
  order: [{ field: 'NAME', direction: 'ASC' }],
  empty: { icon: 'people', title: 'common.none' },
  add: {
    label: 'settings.new_workspace',
    isAllowed: canChange,
    Dialog: ({ onClose }) => <WorkspaceDialog onClose={onClose} />,
  },
  columns: [
    { label: 'fields.name', text: ({ name }) => name },
    { label: 'fields.timezone', text: ({ timezone }) => timezone, class: 'roomy' },
    {
      label: 'fields.reminderPolicy',
      text: ({ reminderPolicy }) => reminderPolicy?.name,
      draw: ({ reminderPolicy: policy }) =>
        policy && <a href={addressOf('REMINDER_POLICY', policy.id)}>{shownName(policy.name)}</a>,
      class: 'roomy',
    },
  ],
  rowActions: [
    { icon: 'edit', label: 'common.edit', isFor: canChange, Dialog: WorkspaceDialog },
    { icon: 'trash', label: 'common.delete', isFor: canChange, run: remove },
  ],
};

/** Renders workspaces and their settings. */
export const WorkspacesPart = () => <ListPart list={workspaces} />;
