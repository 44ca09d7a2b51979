import { t } from './i18n';

/**
 * Says that nothing has a search term. Only of a word it says that a shorter part might help: less of a number or of three
 * letters finds nothing else.
 */
export const nothingText = (term: string): string =>
  t(/\p{L}{4}/u.test(term) ? 'common.search_none' : 'common.search_nothing', { term });
