/** Takes the secret of a link out of the address. Then the history does not have it. */
export function takeSecret(): string {
  const secret = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  // Another link of the same page does not load it again.
  addEventListener('hashchange', () => location.reload());
  return secret;
}
