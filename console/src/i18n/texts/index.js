// Types of the tables; texts themselves are loaded by language (scripts/texts.mjs). A screen adds its own table here.
import common from './common.js';
import fault from './fault.js';
import history from './history.js';
import item from './item.js';
import items from './items.js';
import session from './session.js';
import start from './start.js';
import status from './status.js';

/**
 * Texts by their table and row. A row has them in the order English, German, French, Spanish, Italian, Dutch.
 *
 * @typedef {readonly [en: string, de: string, fr: string, es: string, it: string, nl: string]} Row
 */
export const tables = { common, fault, history, item, items, session, start, status };
