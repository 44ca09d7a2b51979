import { useState } from 'preact/hooks';
import { caller, hasTeams, refreshCaller } from '../../app/session';
import { request } from '../../data/client';
import { findTeams } from '../../data/options';
import {
  AddTeamMember,
  InviteUser,
  RemoveTeamMember,
  UpdatePerson,
} from '../../generated/operations/settings';
import type { PersonFragment, Role } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { EraseButton } from '../../records/erase';
import { Form } from '../../records/form/form';
import type { FieldSpec, Input } from '../../records/record-type';
import { Dialog } from '../../ui/dialog';
import { Check } from '../../ui/field';
import { Secret } from '../../ui/secret';
import { tell, tellFault } from '../../ui/toast';
import { PersonSignIn } from './person-sign-in';
import { sendConfirmed } from './sign-in/confirm';

/** Choices of a role. */
export const roleChoices = (['MEMBER', 'VIEWER', 'ADMIN', 'UPLOADER'] as const).map((value) => ({
  value,
  label: `session.role_${value}` as const,
}));

const fields: readonly FieldSpec<PersonFragment>[] = [
  { type: 'text', name: 'name', label: 'fields.name', control: { autoComplete: 'off' } },
  { type: 'text', name: 'email', label: 'fields.email', control: { type: 'email', autoComplete: 'off' } },
  { type: 'choice', name: 'role', label: 'settings.role', isNeeded: true, choices: roleChoices },
];

const invitation: readonly FieldSpec<PersonFragment>[] = [
  ...fields,
  {
    type: 'record',
    name: 'teamId',
    label: 'fields.team',
    otherwise: () => t('common.if_empty', { value: caller.value?.me.team?.name ?? '' }),
    find: findTeams,
    chosen: () => undefined,
  },
];

interface Invited {
  readonly link: string;
  readonly name: string;
}

/** Asks whom to invite, and shows the invitation link. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [invited, setInvited] = useState<Invited>();
  const invite = ({ email = '', name, role, teamId }: Input) =>
    request(InviteUser, {
      email: String(email),
      name: name as string | undefined,
      role: role as Role,
      ...(typeof teamId === 'string' && { teamIds: [teamId] }),
    });
  return (
    <Dialog title={t('settings.invite')} onClose={onClose}>
      {invited ? (
        <div class="stack">
          <p>{t('settings.invite_link', { name: invited.name })}</p>
          <Secret text={invited.link} />
        </div>
      ) : (
        <Form
          fields={hasTeams() ? invitation : fields}
          action={t('settings.invite')}
          send={invite}
          onDone={({ inviteUser }) => {
            if (inviteUser) setInvited({ link: inviteUser.link, name: inviteUser.user.name });
          }}
        />
      )}
    </Dialog>
  );
}

/** Renders the workspaces that somebody is a member of; each checkbox is a change. */
function Memberships({ person }: { readonly person: PersonFragment }) {
  const own = new Set(person.teams.map(({ id }) => id));
  async function toggle(teamId: string, isMember: boolean) {
    const variables = { teamId, userId: person.id };
    const outcome = isMember
      ? await request(AddTeamMember, variables)
      : await request(RemoveTeamMember, variables);
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t('common.saved'));
  }
  return (
    <fieldset class="choices">
      <legend class="label">{t('settings.workspaces')}</legend>
      {(caller.value?.me.teams ?? []).map(({ id, name }) => (
        <Check key={id} label={name} checked={own.has(id)} onChange={(isOn) => toggle(id, isOn)} />
      ))}
    </fieldset>
  );
}

/** Renders what administrators can change about somebody. */
export function PersonDialog({
  person,
  onClose,
}: {
  readonly person: PersonFragment;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={person.name} onClose={onClose}>
      <div class="stack">
        <Form
          fields={fields}
          row={person}
          action={t('common.save')}
          send={(input, base = person) =>
            sendConfirmed(() => request(UpdatePerson, { id: base.id, ifVersion: base.version, ...input }))
          }
          onDone={async () => {
            onClose();
            tell(t('common.saved'));
            if (person.id === caller.value?.me.id) await refreshCaller();
          }}
        />
        <Memberships person={person} />
        {person.isActive && <PersonSignIn person={person} />}
        {person.id !== caller.value?.me.id && <EraseButton id={person.id} />}
      </div>
    </Dialog>
  );
}
