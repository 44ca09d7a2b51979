import { useState } from 'preact/hooks';
import { request } from '../../../data/client';
import { EndOtherSessions, EndSession } from '../../../generated/operations/settings';
import type { FeedRowFragment, SessionRowFragment } from '../../../generated/types';
import { formatMoment } from '../../../i18n/dates';
import { t } from '../../../i18n/i18n';
import { FeedList } from '../../../records/feeds';
import { Button } from '../../../ui/button';
import { Check } from '../../../ui/field';
import { Ago, Badge } from '../../../ui/status';
import { tell, tellFault } from '../../../ui/toast';

/** Browsers by what their descriptions contain. Most of them also name Chrome or Safari, so the order counts. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Names a browser and its system in words, by how it described itself. */
export function deviceText(agent: string): string {
  const find = (known: typeof browsers) => known.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser && system) return t('signIn.device', { browser, system });
  return browser ?? system ?? t('signIn.device_unknown');
}

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
    <ul class="entrylist">
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

/** Renders the browsers in which the person is signed in, and their calendars. */
export function SessionsCard({
  sessions,
  feeds,
  onDone,
}: {
  readonly sessions: readonly SessionRowFragment[];
  readonly feeds: readonly FeedRowFragment[];
  readonly onDone: () => unknown;
}) {
  const [withFeeds, setWithFeeds] = useState(false);
  async function endOthers() {
    const outcome = await request(EndOtherSessions, { endCalendarFeeds: withFeeds });
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t('signIn.sessions_ended', { n: outcome.data.closeOtherSessions?.sessionCount ?? 0 }));
    setWithFeeds(false);
    onDone();
  }
  return (
    <section class="card narrow stack">
      <h2>{t('signIn.sessions')}</h2>
      {sessions.length === 0 && <p class="soft">{t('signIn.sessions_none')}</p>}
      <SessionList sessions={sessions} onDone={onDone} />
      {feeds.length > 0 && (
        <>
          <h3>{t('calendar.feeds')}</h3>
          <FeedList feeds={feeds} onDone={onDone} />
        </>
      )}
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div class="line">
          <Button icon="leave" onClick={endOthers}>
            {t('signIn.sessions_end')}
          </Button>
          {feeds.length > 0 && (
            <Check label={t('signIn.end_feeds')} checked={withFeeds} onChange={setWithFeeds} />
          )}
        </div>
      )}
    </section>
  );
}
