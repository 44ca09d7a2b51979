import { byId, element } from './elements.js';

const day = 86_400_000;
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a moment in a time zone, as `2027-02-28`. */
function dayIn(moment, timeZone) {
  const { year, month, day } = Object.fromEntries(
    new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  return `${year.padStart(4, '0')}-${month}-${day}`;
}

/** Days from today, which begins at midnight of the workspace, to a date; negative when it is past. */
export function daysLeft(date, now, timeZone) {
  return Math.round((Date.parse(date) - Date.parse(dayIn(now, timeZone))) / day);
}

function leftText(days) {
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'expired yesterday';
  return days > 0 ? `in ${days.toLocaleString()} days` : `expired ${(-days).toLocaleString()} days ago`;
}

function urgency(days) {
  if (days < 0) return 'late';
  return days <= 7 ? 'near' : 'later';
}

function row({ name, status, categoryName, expirationDate, teamId }, { now, teams }) {
  const team = teams.get(teamId);
  const days = daysLeft(expirationDate, now, team?.timezone ?? 'UTC');
  const date = () => element('time', { datetime: expirationDate }, dates.format(new Date(expirationDate)));
  const small = [
    element('span', { class: 'narrow' }, categoryName ?? ''),
    element('span', { class: 'narrow' }, date()),
    element('span', {}, teams.size > 1 ? (team?.name ?? '') : ''),
    element('span', {}, status === 'MISSING' ? 'Document missing' : ''),
  ].filter(({ textContent }) => textContent !== '');
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, name, ...(small.length > 0 ? [element('small', {}, ...small)] : [])),
    element('td', { class: 'wide' }, categoryName ?? '–'),
    element('td', { class: 'wide' }, date()),
    element('td', {}, element('span', { class: `badge ${urgency(days)}` }, leftText(days))),
  );
}

/** Fills a list; the hint says that it is empty, or how much of it is shown. */
function fill(id, { totalCount, nodes }, empty, context) {
  const section = byId(id);
  const [table, hint, more] = ['table', '.hint', 'button'].map((part) => section.querySelector(part));
  table.hidden = nodes.length === 0;
  table.tBodies[0].replaceChildren(...nodes.map((item) => row(item, context)));
  const isPart = nodes.length < totalCount;
  const shown = `The first ${nodes.length.toLocaleString()} of ${totalCount.toLocaleString()}.`;
  hint.textContent = nodes.length === 0 ? empty : isPart ? shown : '';
  more.hidden = !isPart || context.most;
}

const counted = [
  ['EXPIRED', 'Expired', 'late'],
  ['NOTIFYING', 'Reminder due', 'near'],
  ['CURRENT', 'Current', 'later'],
  ['MISSING', 'Document missing', 'late'],
  ['NODATE', 'Without a date', 'later'],
];

function tiles(byStatus) {
  const counts = new Map(byStatus.map(({ status, count }) => [status, count]));
  return counted
    .map(([status, label, mark], at) => [counts.get(status) ?? 0, label, mark, at < 3])
    .filter(([count, , , always]) => always || count > 0)
    .map(([count, label, mark]) =>
      element(
        'div',
        { class: count > 0 ? mark : 'later' },
        element('dt', {}, label),
        element('dd', {}, count.toLocaleString()),
      ),
    );
}

/**
 * Shows what the start page's query has answered.
 * @param now the time of the answer
 * @param days how far ahead was asked
 * @param most tells that no more rows can be asked for
 */
export function showItems({ me, expirationSummary, expired, expiring }, { now, days, most }) {
  const context = { now, most, teams: new Map(me.teams.map((team) => [team.id, team])) };
  byId('counts').replaceChildren(...tiles(expirationSummary.byStatus));
  fill('expired', expired, 'Nothing has expired.', context);
  const none = expirationSummary.byStatus.every(({ count }) => count === 0)
    ? 'There are no items yet. Programs add them, through GraphQL or REST; the links above lead to both.'
    : `Nothing expires within ${days} days.`;
  fill('expiring', expiring, none, context);
}
