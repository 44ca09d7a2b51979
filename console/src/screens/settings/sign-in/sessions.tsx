import { request } from '../../../data/client';
import { EndOtherSessions, EndSession, type SessionRowFragment } from '../../../generated/operations';
import { formatMoment } from '../../../i18n/dates';
import { t } from '../../../i18n/i18n';
import { Button } from '../../../ui/button';
import { Ago, Badge } from '../../../ui/status';
import { tell, tellFault } from '../../../ui/toast';
import { deviceText } from './agent';

/** Renders sessions, each with the button that ends it. */
export function SessionList({
  sessions,
  onDone,
}: {
  readonly sessions: readonly SessionRowFragment[];
  readonly onDone: () => unknown;
}) {
  async function end(id: string) {
    const outcome = await request(EndSession, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t('signIn.session_ended'));
    onDone();
  }
  return (
    <ul class="signinlist">
      {sessions.map(({ id, agent, address, method, created, lastUsedAt, isCurrent }) => (
        <li key={id}>
          <div>
            <p class="line">
              <span class="strong" title={agent}>
                {deviceText(agent)}
              </span>
              {isCurrent && <Badge urgency="good">{t('signIn.session_this')}</Badge>}
            </p>
            <p class="soft small">
              {t(`signIn.by_${method}`)} · {formatMoment(created)} · {address}
            </p>
            <p class="soft small">
              {t('settings.last_used')} <Ago moment={lastUsedAt} />
            </p>
          </div>
          {!isCurrent && (
            <Button aria-label={`${t('session.sign_out')}: ${deviceText(agent)}`} onClick={() => end(id)}>
              {t('session.sign_out')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Renders the browsers in which the person is signed in. */
export function SessionsCard({
  sessions,
  onDone,
}: {
  readonly sessions: readonly SessionRowFragment[];
  readonly onDone: () => unknown;
}) {
  async function endOthers() {
    const outcome = await request(EndOtherSessions, {});
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t('signIn.sessions_ended', { n: outcome.data.endOtherSessions ?? 0 }));
    onDone();
  }
  return (
    <section class="card narrow stack">
      <h2>{t('signIn.sessions')}</h2>
      {sessions.length === 0 && <p class="soft">{t('signIn.sessions_none')}</p>}
      <SessionList sessions={sessions} onDone={onDone} />
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div>
          <Button icon="leave" onClick={endOthers}>
            {t('signIn.sessions_end')}
          </Button>
        </div>
      )}
    </section>
  );
}
