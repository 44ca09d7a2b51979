import { ask } from './api.js';
import { byId } from './elements.js';
import { showItems } from './items.js';
import { startSession } from './sign-in.js';

const [welcome, overview, told, problem, items, days, refresh] = [
  'welcome',
  'overview',
  'told',
  'problem',
  'items',
  'days',
  'refresh',
].map(byId);

/** Rows of each list: a glance, then more, then as many as the gateway gives at once. */
const sizes = [10, 100, 500];
let size = 0;
let asked = 0;

const timeOf = (moment) => moment.toLocaleTimeString(undefined, { timeStyle: 'short' });

async function load() {
  const own = ++asked;
  const { token } = session;
  told.textContent = 'Loading…';
  overview.setAttribute('aria-busy', 'true');
  try {
    const variables = { days: Number(days.value), first: sizes[size] };
    const { data, now } = await ask(overview.dataset.items, variables, token);
    if (own !== asked) return;
    showItems(data, { now, days: variables.days, most: size === sizes.length - 1 });
    items.hidden = false;
    problem.hidden = true;
    told.textContent = `As of ${timeOf(now)}, each by the day of its workspace.`;
  } catch (error) {
    if (own !== asked) return;
    if (error.refused) return session.leave(error.message);
    told.textContent = items.hidden ? '' : 'What is shown is from before.';
    problem.textContent = error.message;
    problem.hidden = false;
  } finally {
    if (own === asked) overview.removeAttribute('aria-busy');
  }
}

const session = startSession({
  caller: overview.dataset.caller,
  onEnter() {
    welcome.hidden = true;
    overview.hidden = false;
    byId('overview-heading').focus();
    load();
  },
  onLeave() {
    asked++;
    size = 0;
    items.hidden = true;
    problem.hidden = true;
    overview.hidden = true;
    welcome.hidden = false;
    for (const part of overview.querySelectorAll('dl, tbody')) part.replaceChildren();
  },
});

days.addEventListener('change', load);
refresh.addEventListener('click', load);
for (const more of items.querySelectorAll('section > button')) {
  more.addEventListener('click', () => {
    size = Math.min(size + 1, sizes.length - 1);
    load();
  });
}
