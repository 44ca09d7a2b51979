import { useState } from 'preact/hooks';
import { caller } from '../../app/session';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import { CreateSignInLink, PersonSessions, ResetSecondFactor } from '../../generated/operations/settings';
import type { PersonFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { FeedList } from '../../records/feeds';
import { Button } from '../../ui/button';
import { Secret } from '../../ui/secret';
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
export function PersonSignIn({ person }: { readonly person: PersonFragment }) {
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
