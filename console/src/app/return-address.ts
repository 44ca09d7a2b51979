/** Paths of the editor and the reference. They are separate pages that share the sign-in. */
const tools = ['/graphql', '/docs'];

/** Returns the address of the tool to go back to after signing in. No other address is accepted. */
export function returnAddress(): string | undefined {
  const wanted = new URLSearchParams(location.search).get('return');
  if (wanted === null || !URL.canParse(wanted, location.origin)) return undefined;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  const isTool = origin === location.origin && tools.includes(pathname);
  return isTool ? pathname + search + hash : undefined;
}
