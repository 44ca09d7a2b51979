import { useEffect, useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { t } from '../../i18n/i18n';
import { Button, LinkButton } from '../../ui/button';
import { Secret } from '../../ui/secret';
import { useEntry } from './entry';
import { DoorFrame } from './frame';
import { isLongEnough, NewPassword, passwordFault } from './new-password';
import { signInOptions } from './options';
import { FormFault, LinkOver, type RefusedOutcome } from './trouble';

/** An invitation that somebody has opened. */
interface Invitation {
  readonly userName: string;
  readonly email: string;
  readonly organization: string;
}

/** Renders the button that makes an access token in place of a password. */
function TokenChoice({
  secret,
  onMade,
  onRefused,
}: {
  readonly secret: string;
  readonly onMade: (token: string) => void;
  readonly onRefused: (refused: RefusedOutcome) => void;
}) {
  async function make() {
    const outcome = await askDoor<{ token: string }>('POST', '/invitation/token', { secret });
    if (outcome.ok) onMade(outcome.data.token);
    else onRefused(outcome);
  }
  return (
    <details>
      <summary>{t('door.invited_token')}</summary>
      <div class="stack">
        <p class="soft small">{t('door.invited_token_lead')}</p>
        <Button onClick={make}>{t('door.make_token')}</Button>
      </div>
    </details>
  );
}

/** Renders the page on which an invited person chooses how to sign in. */
export default function InvitationPage() {
  const [secret] = useState(() => location.pathname.split('/').at(-1) ?? '');
  const [invitation, setInvitation] = useState<Invitation>();
  const [failed, setFailed] = useState<RefusedOutcome>();
  const [token, setToken] = useState<string>();
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  const { refused, busy, enter } = useEntry('/invitation');
  useEffect(() => {
    void askDoor<Invitation>('POST', '/invitation/check', { secret }).then((outcome) => {
      if (outcome.ok) setInvitation(outcome.data);
      else setFailed(outcome);
    });
  }, [secret]);
  if (token !== undefined) {
    return (
      <DoorFrame title={t('door.token_title')} lead={t('door.token_lead')}>
        <Secret text={token} />
        <LinkButton weight="first" href={`/#token=${token}`}>
          {t('session.sign_in')}
        </LinkButton>
      </DoorFrame>
    );
  }
  const over = failed ?? (refused?.status === 403 ? refused : undefined);
  if (over) {
    return (
      <DoorFrame title={t('door.invited_title')}>
        <LinkOver text={over.status === 0 ? t('door.setup_offline') : t('door.link_over')} />
      </DoorFrame>
    );
  }
  if (!invitation) return null;
  async function submit(event: Event) {
    event.preventDefault();
    setTried(true);
    if (isLongEnough(password)) await enter({ secret, password });
  }
  const { userName: name, email, organization } = invitation;
  const { password: takesPassword = true, oidc = false } = signInOptions.value?.ways ?? {};
  return (
    <DoorFrame title={t('door.invited_title')} lead={t('door.invited_lead', { organization, name, email })}>
      {takesPassword && (
        <form class="stack" onSubmit={submit}>
          <FormFault fault={refused?.fault} />
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <NewPassword
            value={password}
            onInput={setPassword}
            wrong={isTried ? passwordFault(password, refused?.fault) : undefined}
          />
          <Button type="submit" weight="first" isBusy={busy}>
            {t('door.set_password')}
          </Button>
        </form>
      )}
      {oidc && (
        <LinkButton weight={takesPassword ? 'plain' : 'first'} href="/">
          {t('session.with_account')}
        </LinkButton>
      )}
      <TokenChoice secret={secret} onMade={setToken} onRefused={setFailed} />
    </DoorFrame>
  );
}
