import { t, withoutTurns } from './i18n';

type Name = string | null | undefined | false;

/** A text without visible characters, by the gateway's rule (`src/domain/text/names.ts`). */
const unseen = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]*$/u;

/** Checks that a text has a visible character. */
export const isVisible = (text: Name): text is string => typeof text === 'string' && !unseen.test(text);

/** Returns the first name that has a visible character, as it is. */
export const visibleName = (...names: readonly Name[]): string | undefined => names.find(isVisible);

/** Returns the first visible name without bidirectional controls, or else `(no name)`. */
export const shownName = (...names: readonly Name[]): string =>
  withoutTurns(visibleName(...names) ?? t('common.no_name'));

/** Joins the visible names, without bidirectional controls. */
export const joinNames = (...names: readonly Name[]): string =>
  withoutTurns(names.filter(isVisible).join(' · '));
