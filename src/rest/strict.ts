import type { Route } from '../domain/doors/route.js';
import { GatewayError } from '../domain/errors.js';
import { addedParameters, contractModels, filteredList, isFilterParameter, showsFiles } from './routes.js';

/** The header of an answer for which a preference was honoured (RFC 7240, section 3). */
export const strictApplied = ['Preference-Applied', 'handling=strict'] as const;

/**
 * Returns whether a caller wants anything unknown refused (`Prefer: handling=strict`, RFC 7240, section 4.4). Of
 * a preference that is named twice, the first one counts.
 */
export function isStrict(prefer: string | null): boolean {
  const [first] = (prefer ?? '').split(/[,;]/).filter((part) => /^\s*handling\s*=/i.test(part));
  return first !== undefined && /=\s*"?strict"?\s*$/i.test(first);
}

/** Lists the query parameters of a route. */
export function takenParameters(route: Route): readonly string[] {
  if (route.kind === 'list') return [...route.parameters, ...addedParameters(route)];
  const list = filteredList(route);
  if (list) return takenParameters(list).filter(isFilterParameter);
  const asked = 'asked' in route ? (route.asked ?? []) : [];
  return showsFiles(route) === undefined ? asked : [...asked, 'includeFileContent'];
}

/** Returns the known name that a name was probably meant to be. They differ in separators or in a letter or two. */
function meantBy(sent: string, known: readonly string[]): string | undefined {
  const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const letters = bare(sent);
  const isNear = (name: string) => {
    if (Math.abs(name.length - letters.length) > 2) return false;
    let start = 0;
    while (start < name.length && name[start] === letters[start]) start++;
    let end = 0;
    while (end < name.length - start && name.at(-1 - end) === letters.at(-1 - end)) end++;
    return Math.max(name.length, letters.length) - start - end <= 2;
  };
  return letters.length < 3 ? undefined : known.find((name) => isNear(bare(name)));
}

/** Says that a name is unknown, and which one was probably meant. */
export function unknownName(sent: string, known: readonly string[]): string {
  const meant = meantBy(sent, known);
  return `is unknown here${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/**
 * Refuses query parameters that an endpoint does not know.
 * @param known their names, which match in any letter case
 * @throws GatewayError BAD_REQUEST naming each of them
 */
export function refuseUnknownParameters(query: URLSearchParams, known: readonly string[]): void {
  const names = new Set(known.map((name) => name.toLowerCase()));
  const unknown = [...new Set(query.keys())].filter((name) => !names.has(name.toLowerCase())).slice(0, 10);
  if (unknown.length === 0) return;
  const parameters = unknown.map((name) => ({
    name: name.slice(0, 64),
    message: unknownName(name.slice(0, 64), known),
  }));
  const message = parameters.map(({ name, message }) => `${name} ${message}`).join(' ');
  throw new GatewayError('BAD_REQUEST', message.endsWith('?') ? message : `${message}.`, { parameters });
}

/** Members of any model. A body may have those that an answer has, and that cannot be written. */
const shownMembers: ReadonlySet<string> = new Set(
  Object.values(contractModels).flatMap(({ members }) => members.map((member) => member.toLowerCase())),
);

/** Returns whether answers have a member. A body may have it, too, where it cannot be written. */
export const isShownMember = (member: string) => shownMembers.has(member.toLowerCase());
