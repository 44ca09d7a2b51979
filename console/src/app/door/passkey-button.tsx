import { useEffect, useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { askForPasskey, canUsePasskeys, stopSuggesting, suggestsPasskeys } from '../../data/passkey';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { acceptSignIn } from './arrive';
import type { SignedIn } from './options';
import { Trouble, troubleText } from './trouble';

/** Signs in with a passkey. @returns why it failed; undefined if the person declined */
async function signInWithPasskey(isSuggested: boolean): Promise<string | undefined> {
  const asked = await askForPasskey('passkey', isSuggested);
  if (!asked) return undefined;
  const outcome = asked.ok ? await askDoor<SignedIn>('POST', '/passkey', { response: asked.data }) : asked;
  if (outcome.ok) await acceptSignIn(outcome.data);
  return troubleText(outcome, t('session.wrong_passkey'));
}

/** Renders the button that signs in with a passkey. */
export function PasskeyButton({
  isFirst,
  isSuggested,
}: {
  readonly isFirst: boolean;
  /** True if the browser may also suggest passkeys in the field for the address. */
  readonly isSuggested: boolean;
}) {
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    if (!isSuggested) return;
    let isLeft = false;
    void suggestsPasskeys().then(async (suggests) => {
      if (suggests && !isLeft) setRefused(await signInWithPasskey(true));
    });
    return () => {
      isLeft = true;
      void stopSuggesting();
    };
  }, [isSuggested]);
  if (!canUsePasskeys()) return null;
  return (
    <>
      <Trouble text={refused} />
      <Button
        icon="user"
        weight={isFirst ? 'first' : 'plain'}
        onClick={async () => setRefused(await signInWithPasskey(false))}
      >
        {t('session.with_passkey')}
      </Button>
    </>
  );
}
