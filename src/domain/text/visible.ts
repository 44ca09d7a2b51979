/**
 * A text without visible characters. Besides white space and control characters, these are the ones that Unicode calls
 * default ignorable (joiners, bidirectional controls, fillers, variation selectors, tags), and a few that fonts draw
 * as blanks.
 */
const unseen = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]*$/u;

/** Checks that a text has a visible character. */
export const isVisible = (text: string): boolean => !unseen.test(text);
