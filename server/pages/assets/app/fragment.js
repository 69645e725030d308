/**
 * Takes the secret of a link out of the address, so that neither the address bar nor the history keeps it. Being behind
 * the `#`, it was never sent to a server either.
 * @returns {string | null}
 */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', location.pathname);
  return token;
}
