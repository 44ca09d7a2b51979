import { useEffect, useState } from 'preact/hooks';
import { askDoor, canUsePasskeys } from '../../data/door';
import { t } from '../../i18n/i18n';
import { Form } from '../../records/form/form';
import { Button, LinkButton } from '../../ui/button';
import { Secret } from '../../ui/secret';
import { firstWay, madeWay, sendWay, wayFields } from './first-way';
import { DoorFrame, isOver, LinkOver, type RefusedOutcome, Trouble, useEntry } from './frame';
import { type SignInOptions, signInOptions } from './options';

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

interface WayFormProps {
  readonly secret: string;
  readonly email: string;
  readonly ways: SignInOptions['ways'];
  readonly entry: ReturnType<typeof useEntry>;
}

/** Renders the form in which an invited person chooses a password or a passkey. */
function WayForm({ secret, email, ways, entry }: WayFormProps) {
  return (
    <Form
      fields={wayFields(ways)}
      initial={firstWay(ways)}
      action={t('door.set_password')}
      send={(_input, _base, draft) =>
        sendWay(draft, () => entry.enter({ secret }, () => madeWay(draft, '/invitation/passkey', { secret })))
      }
    >
      {entry.hasDeclined && <Trouble text={t('signIn.passkey_none_made')} />}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
    </Form>
  );
}

/** Renders the page on which an invited person chooses how to sign in. */
export default function InvitationPage() {
  const [secret] = useState(() => location.pathname.split('/').at(-1) ?? '');
  const [invitation, setInvitation] = useState<Invitation>();
  const [failed, setFailed] = useState<RefusedOutcome>();
  const [token, setToken] = useState<string>();
  const entry = useEntry('/invitation');
  const { refused } = entry;
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
  const over = failed ?? (isOver(refused) ? refused : undefined);
  if (over) {
    return (
      <DoorFrame title={t('door.invited_title')}>
        <LinkOver text={over.status === 0 ? t('door.setup_offline') : t('door.link_over')} />
      </DoorFrame>
    );
  }
  if (!invitation) return null;
  const { userName: name, email, organization } = invitation;
  const ways = signInOptions.value?.ways ?? { password: true, passkey: false, link: false, oidc: false };
  const hasForm = ways.password || (ways.passkey && canUsePasskeys());
  return (
    <DoorFrame title={t('door.invited_title')} lead={t('door.invited_lead', { organization, name, email })}>
      {hasForm && <WayForm secret={secret} email={email} ways={ways} entry={entry} />}
      {ways.oidc && (
        <LinkButton weight={hasForm ? 'plain' : 'first'} href="/">
          {t('session.with_account')}
        </LinkButton>
      )}
      <TokenChoice secret={secret} onMade={setToken} onRefused={setFailed} />
    </DoorFrame>
  );
}
