import { useState } from 'preact/hooks';
import { caller, hasTeams, refreshCaller } from '../../app/session';
import { useQuery } from '../../data/answers';
import { type Outcome, request } from '../../data/client';
import { findTeams } from '../../data/options';
import {
  AddTeamMember,
  CreateSignInLink,
  DeactivateUser,
  InviteUser,
  People,
  PersonSessions,
  RemoveTeamMember,
  ResendInvitation,
  ResetSecondFactor,
  UpdatePerson,
} from '../../generated/operations/settings';
import type {
  PersonFragment,
  Role,
  SentInvitationFragment,
  UserFilter,
  UserOrderField,
} from '../../generated/types';
import { dayOf, formatDay } from '../../i18n/dates';
import { languages, t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { EraseButton } from '../../records/erase';
import { FeedList } from '../../records/feeds';
import { Form } from '../../records/form/form';
import type { FieldSpec, Input } from '../../records/record-type';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Check } from '../../ui/field';
import { Secret } from '../../ui/secret';
import { Badge } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';
import { sendConfirmed } from './sign-in/confirm';
import { SessionList } from './sign-in/sessions';

/** Renders where somebody is signed in, and their calendars, if there are any. */
function SessionsOf({ person: { id: userId, name } }: { readonly person: PersonFragment }) {
  const { data, reload } = useQuery(PersonSessions, { userId });
  const sessions = data?.userSessions ?? [];
  const feeds = data?.calendarFeeds ?? [];
  return (
    <>
      {sessions.length > 0 && (
        <section class="stack">
          <h3>{t('signIn.sessions_of', { name })}</h3>
          <SessionList sessions={sessions} onDone={reload} />
        </section>
      )}
      {feeds.length > 0 && (
        <section class="stack">
          <h3>{t('calendar.feeds')}</h3>
          <FeedList feeds={feeds} onDone={reload} />
        </section>
      )}
    </>
  );
}

/** Renders what administrators can do for somebody who cannot sign in any more. */
function PersonSignIn({ person }: { readonly person: PersonFragment }) {
  const { id, name } = person;
  const [link, setLink] = useState<string>();
  const [asksReset, setAsksReset] = useState(false);
  async function createLink() {
    const outcome = await sendConfirmed(() => request(CreateSignInLink, { userId: id }));
    if (outcome?.ok) setLink(outcome.data.createSignInLink?.link);
    else if (outcome) tellFault(outcome.fault);
  }
  async function reset() {
    const outcome = await sendConfirmed(() => request(ResetSecondFactor, { userId: id }));
    if (!outcome) return;
    setAsksReset(false);
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t(outcome.data.removeSecondFactor?.wasSet ? 'signIn.reset_done' : 'signIn.reset_none', { name }));
  }
  return (
    <section class="stack">
      <h3>{t('signIn.title')}</h3>
      {link ? (
        <>
          <p>{t('signIn.link_once', { name })}</p>
          <Secret text={link} />
        </>
      ) : (
        <>
          <p class="soft small">{t('signIn.link_text', { name })}</p>
          <div>
            <Button icon="link" onClick={createLink}>
              {t('signIn.link_create')}
            </Button>
          </div>
        </>
      )}
      {id !== caller.value?.me.id && (
        <>
          <p class="soft small">{t('signIn.reset_text', { name })}</p>
          <div class="line">
            {asksReset ? (
              <>
                <Button weight="bad" onClick={reset}>
                  {t('signIn.reset_really')}
                </Button>
                <Button onClick={() => setAsksReset(false)}>{t('common.cancel')}</Button>
              </>
            ) : (
              <Button onClick={() => setAsksReset(true)}>{t('signIn.reset')}</Button>
            )}
          </div>
        </>
      )}
      <SessionsOf person={person} />
    </section>
  );
}

/** Choices of a role. */
export const roleChoices = (['MEMBER', 'VIEWER', 'ADMIN', 'UPLOADER'] as const).map((value) => ({
  value,
  label: `session.role_${value}` as const,
}));

const fields: readonly FieldSpec<PersonFragment>[] = [
  { type: 'text', name: 'name', label: 'fields.name', control: { autoComplete: 'off' } },
  { type: 'text', name: 'email', label: 'fields.email', control: { type: 'email', autoComplete: 'off' } },
  {
    ...{ type: 'choice', name: 'role', label: 'settings.role', isNeeded: true, choices: roleChoices },
    hint: ({ role }) => (role ? t(`settings.role_means_${role as Role}`) : ''),
  },
];

/** Finds the addresses in a text, with lines, commas, semicolons or spaces between them. */
const addressesIn = (text: unknown): string[] => [
  ...new Set(
    String(text ?? '')
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];

const invitation: readonly FieldSpec<PersonFragment>[] = [
  {
    ...{ type: 'area', name: 'email', label: 'settings.invite_emails', hint: 'settings.invite_emails_hint' },
    ...{ isWide: true, control: { required: true, autoComplete: 'off' } },
  },
  {
    ...{ type: 'text', name: 'name', label: 'fields.name', control: { autoComplete: 'off' } },
    // Several people cannot all have the same name.
    isShown: ({ email }) => addressesIn(email).length < 2,
  },
  ...fields.filter(({ name }) => name === 'role'),
  {
    ...{ type: 'choice', name: 'language', label: 'settings.mail_language' },
    choices: Object.entries(languages).map(([value, words]) => ({ value, words })),
    hint: 'settings.invite_language_hint',
  },
];

const withTeam: readonly FieldSpec<PersonFragment>[] = [
  ...invitation,
  {
    type: 'record',
    name: 'teamId',
    label: 'fields.team',
    otherwise: () => t('common.if_empty', { value: caller.value?.me.team?.name ?? '' }),
    find: findTeams,
    chosen: () => undefined,
  },
];

/** Renders the link of an invitation, and says whether it also goes by mail. */
function InvitationLink({ invited: { user, link, isMailed } }: { readonly invited: SentInvitationFragment }) {
  return (
    <div class="stack tight">
      <p>{t(isMailed ? 'settings.invite_mailed' : 'settings.invite_link', { name: user.email })}</p>
      <Secret text={link} />
    </div>
  );
}

/** Sends somebody's invitation again, and shows its new link. */
function ResendDialog({ row, onClose }: { readonly row: PersonFragment; readonly onClose: () => void }) {
  const [sent, setSent] = useState<SentInvitationFragment>();
  async function send() {
    const outcome = await request(ResendInvitation, { id: row.id });
    if (!outcome.ok) return tellFault(outcome.fault);
    setSent(outcome.data.resendInvitation ?? undefined);
  }
  return (
    <Dialog title={t('settings.invite_again')} onClose={onClose}>
      {sent ? (
        <InvitationLink invited={sent} />
      ) : (
        <div class="stack">
          <p>{t('settings.invite_again_text', { name: row.email })}</p>
          <div>
            <Button weight="first" icon="send" onClick={send}>
              {t('settings.invite_again')}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** Returns what has become of somebody's invitation. */
function invitationText({ invitation }: PersonFragment): string | undefined {
  if (!invitation) return undefined;
  const { state, expiresAt, usedAt } = invitation;
  const day = formatDay(dayOf(new Date(usedAt ?? expiresAt)));
  return t(`settings.invitation_${state}`, { day });
}

/** Asks whom to invite, and shows the invitation links. */
function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [invited, setInvited] = useState<readonly SentInvitationFragment[]>([]);
  const [isDone, setDone] = useState(false);
  /** Invites one after the other, up to the first who cannot be. Who was invited before is not asked again. */
  async function invite({ email, name, role, teamId, language }: Input): Promise<Outcome<undefined>> {
    const known = [...invited];
    for (const address of addressesIn(email)) {
      if (known.some(({ user }) => user.email.toLowerCase() === address.toLowerCase())) continue;
      const outcome = await request(InviteUser, {
        email: address,
        name: name as string | undefined,
        role: role as Role,
        language: language as string | undefined,
        ...(typeof teamId === 'string' && { teamIds: [teamId] }),
      });
      if (!outcome.ok) {
        const violations = [...outcome.fault.violations].map(([path, words]): [string, string] => [
          path,
          path === 'email' ? `${address}: ${words}` : words,
        ]);
        return { ok: false, fault: { ...outcome.fault, violations: new Map(violations) } };
      }
      if (outcome.data.inviteUser) known.push(outcome.data.inviteUser);
      setInvited([...known]);
    }
    return { ok: true, data: undefined };
  }
  return (
    <Dialog title={t('settings.invite')} onClose={onClose}>
      <div class="stack">
        {!isDone && (
          <Form
            fields={hasTeams() ? withTeam : invitation}
            action={t('settings.invite')}
            send={invite}
            onDone={() => setDone(true)}
          />
        )}
        {invited.map((one) => (
          <InvitationLink key={one.user.id} invited={one} />
        ))}
      </div>
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
function PersonDialog({
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
      label: 'settings.invitation',
      text: invitationText,
      draw: (person) => {
        const text = invitationText(person);
        const urgency = { INVITED: 'plain', EXPIRED: 'late', ACCEPTED: 'good' } as const;
        return text && person.invitation ? (
          <Badge urgency={urgency[person.invitation.state]}>{text}</Badge>
        ) : null;
      },
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
      icon: 'send',
      label: 'settings.invite_again',
      isFor: ({ isActive, invitation }) => isActive && !!invitation && invitation.state !== 'ACCEPTED',
      Dialog: ResendDialog,
    },
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
