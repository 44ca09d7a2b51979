import type { KeyObject } from 'node:crypto';
import type { Database } from '../../db/connection/database.js';
import { addDays, formatDate } from '../../domain/dates.js';
import { paths } from '../../domain/doors/paths.js';
import { escapeHtml, fillTemplate, type Language, pickLanguage, shownName } from '../../mail/mail.js';
import { wordDate } from '../../mail/reminder-mail.js';
import {
  type LinkAction,
  type LinkPurpose,
  linkTexts,
  type RenewalProblem,
  readLink,
} from '../../mail/signed-links.js';
import {
  actOnLink,
  type LinkResult,
  lookAtLink,
  offeredDays,
  snoozeDays,
} from '../../reminders/mail-links.js';
import type { HttpResponse } from '../../web/response.js';
import type { Endpoint, Handle, Incoming } from '../routing/endpoint.js';
import { formPageHeaders as headers } from './assets.js';
import { htmlDocument, resolveFiles } from './pages.js';

/** Renders a button that submits its form with a query. */
const button = (text: string, query = '', style = '') =>
  `<button${query && ` formaction="?${query}"`}${style && ` class="${style}"`}>${escapeHtml(text)}</button>`;

const form = (...buttons: readonly string[]) => `<form method="post">${buttons.join('\n')}</form>`;

const lead = (text: string) => `<p class="lead">${escapeHtml(text)}</p>`;

type Linked = NonNullable<LinkResult['linked']>;

/** Says why a renewal was refused. */
function problemText(language: Language, linked: Linked, problem: RenewalProblem): string {
  const { date = '', proposed = '' } = linked.item ?? {};
  return fillTemplate(linkTexts[language].renew[problem], {
    date: problem === 'earlier' ? wordDate(language, date) : proposed,
    organization: shownName(language, linked.organizationName),
  });
}

/** Renders the form of a renewal, with the proposed date. */
function renewalForm(language: Language, linked: Linked, problem: RenewalProblem | undefined): string {
  const { item } = linked;
  if (!item) return '';
  const { until, button: save } = linkTexts[language].renew;
  const least = formatDate(addDays(new Date(item.date), 1));
  const field = `type="date" id="date" name="date" required min="${least}" max="9999-12-31"`;
  const [wrong, refusal] = problem
    ? [
        ' aria-invalid="true" aria-describedby="wrong"',
        `<p class="wrong" id="wrong" role="alert">${escapeHtml(problemText(language, linked, problem))}</p>`,
      ]
    : ['', ''];
  return `<form method="post" class="typed">
<label for="date">${escapeHtml(until)}</label>
<input ${field} value="${item.proposed ?? ''}"${wrong}>
${refusal}
${button(save)}
</form>`;
}

/** Modes in the order of their buttons. */
const digestModes = ['DAILY', 'WEEKLY', 'SINGLE'] as const;

type DigestMode = (typeof digestModes)[number];

/** Renders buttons for how often mails come. */
function digestForm(language: Language, modes: readonly DigestMode[]): string {
  const texts = linkTexts[language].digest.button;
  const style = modes.length < digestModes.length ? 'quiet' : '';
  return form(...modes.map((mode) => button(texts[mode], `mode=${mode.toLowerCase()}`, style)));
}

function buttonsOf(
  language: Language,
  action: LinkAction,
  linked: Linked,
  problem: RenewalProblem | undefined,
): string {
  const texts = linkTexts[language];
  const { item } = linked;
  if (action === 'renew') return renewalForm(language, linked, problem);
  if (action === 'acknowledge') return form(button(texts.acknowledge.button));
  if (action === 'snooze') {
    const plural = new Intl.PluralRules(language);
    const text = (count: number) =>
      fillTemplate(texts.snooze.button[plural.select(count) === 'one' ? 'one' : 'other'], { count });
    if (!item) return '';
    const { days: offered, isAfter } = offeredDays(item);
    const buttons = offered.map((days) => button(text(days), `days=${days}`));
    return (isAfter ? `<p>${escapeHtml(texts.snooze.after)}</p>` : '') + form(...buttons);
  }
  if (action === 'digest') return digestForm(language, digestModes);
  const { button: all, only } = texts.unsubscribe;
  const name = item
    ? [button(fillTemplate(only, { name: shownName(language, item.name) }), 'only=item', 'quiet')]
    : [];
  return form(button(all), ...name);
}

/** The button that was pressed, if one was. */
interface Pressed {
  readonly isItemOnly: boolean;
  readonly mode: DigestMode;
}

/** The buttons that mail programs press by themselves. */
const standard: Pressed = { isItemOnly: false, mode: 'DAILY' };

function bodyOf(
  action: LinkAction,
  { state, linked, until, problem }: LinkResult,
  { isItemOnly, mode }: Pressed,
  language: Language,
): string {
  const texts = linkTexts[language];
  if (!linked || state === 'unknown' || state === 'changed')
    return lead(texts[state === 'changed' ? state : 'unknown']);
  if (state === 'open' || state === 'refused') {
    const text = fillTemplate(texts[action].text, { organization: linked.organizationName });
    return lead(text) + buttonsOf(language, action, linked, problem);
  }
  if (action === 'renew') {
    const [text, date] =
      state === 'renewed' ? [texts.renew.already, linked.item?.date] : [texts.renew.done, until];
    return lead(fillTemplate(text, { date: wordDate(language, date ?? '') }));
  }
  if (action === 'digest') {
    const others = digestModes.filter((one) => one !== mode);
    return lead(texts.digest.done[mode]) + digestForm(language, others);
  }
  if (action !== 'unsubscribe') {
    return lead(
      until === undefined ? texts.acknowledge.done : fillTemplate(texts.snooze.done, { date: until }),
    );
  }
  if (state === 'undone') return lead(texts.unsubscribe.undone);
  const undo = `undo=on${isItemOnly ? '&amp;only=item' : ''}`;
  return lead(texts.unsubscribe.done) + form(button(texts.unsubscribe.undo, undo, 'quiet'));
}

/**
 * Renders the page of a link in a mail. It has no navigation bar, because many recipients have no account
 * here. It works without scripts. All links that open nothing have the same page, whatever the reason.
 * @param action undefined for a link that cannot be read
 * @param wished the language of a link that opens nothing
 */
function linkPage(
  action: LinkAction | undefined,
  result: LinkResult,
  pressed: Pressed,
  styles: readonly string[],
  wished: Language,
): string {
  const language = result.state === 'unknown' ? wished : (result.linked?.language ?? wished);
  const { item, organizationName } = result.linked ?? {};
  const title = escapeHtml(
    item ? shownName(language, item.name) : (organizationName ?? 'Expiration gateway'),
  );
  const date = item ? `<p class="status">${escapeHtml(item.date)}</p>` : '';
  const shown = result.state === 'unknown' ? 'Expiration gateway' : title;
  const body = `<main id="main">
<div class="refusal">
${result.state === 'unknown' ? '' : date}
<h1 dir="auto">${shown}</h1>
${bodyOf(action ?? 'acknowledge', result, pressed, language)}
</div>
</main>`;
  return htmlDocument({ language, title: shown, styles, layout: 'reading', body });
}

const statuses = {
  open: 200,
  done: 200,
  undone: 200,
  refused: 400,
  changed: 409,
  renewed: 409,
  unknown: 404,
} as const;

/** The most bytes of a body. A form has one date. */
const bodyLimit = 64 * 1024;

/** Default days of a snooze. */
const defaultSnoozeDays = 7;

interface MailLinkOptions {
  readonly database: Database;
  readonly clock: () => Date;
  /** Returns the keys that links may be signed with. */
  readonly keys: () => Promise<readonly KeyObject[]>;
}

/**
 * Creates the endpoint of links in mails. GET shows what a link does but changes nothing, because mail
 * servers open links before people do. POST does it, whatever its body: mail programs send a body of their
 * own (RFC 8058).
 */
export function mailLinkEndpoint({ database, clock, keys }: MailLinkOptions): Endpoint {
  async function answer(
    { header }: Incoming,
    purpose: LinkPurpose | undefined,
    result: LinkResult,
    pressed = standard,
  ): Promise<HttpResponse> {
    const { styles } = await resolveFiles(['style.css', 'reading.css']);
    const wished = pickLanguage(...(header('accept-language') ?? '').split(/[,;\s]+/));
    const body = linkPage(purpose?.action, result, pressed, styles, wished);
    return { status: statuses[result.state], headers, body };
  }
  const read = async (token: string) => {
    const now = clock();
    return (await keys()).flatMap((key) => readLink(key, token, now) ?? [])[0];
  };
  const show: Handle = async (request) => {
    const purpose = await read(request.id ?? '');
    const result: LinkResult = purpose ? await lookAtLink(database, purpose, clock()) : { state: 'unknown' };
    return answer(request, purpose, result);
  };
  const act: Handle = async (request, { body }) => {
    const purpose = await read(request.id ?? '');
    if (!purpose) return answer(request, purpose, { state: 'unknown' });
    const given = new URLSearchParams(request.query);
    const days = snoozeDays.find((count) => String(count) === given.get('days')) ?? defaultSnoozeDays;
    const isItemOnly = given.get('only') === 'item';
    const renewedUntil = new URLSearchParams(Buffer.from(body).toString()).get('date') ?? '';
    const mode = digestModes.find((one) => one.toLowerCase() === given.get('mode')) ?? standard.mode;
    const choice = { days, mode, isItemOnly, isUndone: given.get('undo') === 'on', renewedUntil };
    const pressed = { isItemOnly, mode };
    return answer(request, purpose, await actOnLink(database, purpose, choice, clock()), pressed);
  };
  return {
    path: paths.mailLink,
    door: 'page',
    isSecret: true,
    methods: {
      GET: { access: 'public', handle: show },
      POST: { access: 'public', handle: act, body: { limit: () => bodyLimit, check: () => {} } },
    },
  };
}
