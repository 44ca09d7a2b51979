/** A user whom a text mentions, with the name that was written. */
export interface UserMention {
  readonly userId: string;
  readonly name: string;
}

/** The most users that a text mentions. */
export const mostMentioned = 50;

const mention = /@\[([^[\]\r\n]{1,255})\]\(([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\)/gi;

/**
 * Lists whom a text mentions, each user once: `@[Max Power](0190b1c4-…)`. The id stays true when somebody is renamed.
 */
export function mentionsIn(text: string | null | undefined): readonly UserMention[] {
  const found = new Map<string, UserMention>();
  for (const [, name = '', id = ''] of (text ?? '').matchAll(mention)) {
    const userId = id.toLowerCase();
    if (!found.has(userId)) found.set(userId, { userId, name });
  }
  return [...found.values()];
}

/** Replaces mentions by names, as people read them. @param nameOf returns a current name, if it is known */
export const withNames = (text: string, nameOf: (userId: string) => string | undefined): string =>
  text.replace(mention, (_whole, name: string, id: string) => `@${nameOf(id.toLowerCase()) ?? name}`);

/**
 * Writes mentions into a text. They replace the `@Name` that somebody has typed, or begin the text.
 */
export function mentioning(
  text: string,
  people: readonly { readonly id: string; readonly label: string }[],
): string {
  return people.reduce((written, { id, label }) => {
    // A name with brackets would end the mention.
    const whole = `@[${label.replace(/[[\]\r\n]/g, ' ').trim()}](${id})`;
    const typed = `@${label}`;
    const at = written.indexOf(typed);
    return at < 0 ? `${whole} ${written}` : written.slice(0, at) + whole + written.slice(at + typed.length);
  }, text);
}
