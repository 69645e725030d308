import type { Scope } from '../../contract/principal.ts';
import { OAuthError } from '../../http/oauth-error.ts';

const KNOWN: readonly Scope[] = ['admin', 'kyb', 'read', 'screening', 'write'];

/** `scope-token *( SP scope-token )` of RFC 6749 §3.3. */
const FORM = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** What the token gets, sorted: everything that the key has, or the part of it that was asked for. */
export function grantedScopes(requested: string | undefined, held: readonly Scope[]): Scope[] {
  if (requested === undefined || requested === '') return [...held].sort();
  if (!FORM.test(requested)) throw new OAuthError('invalid_scope', 'The scope is malformed.');
  const wanted = new Set<Scope>();
  for (const token of requested.split(' ')) {
    const scope = KNOWN.find((known) => known === token);
    if (scope === undefined) throw new OAuthError('invalid_scope', 'An unknown scope was requested.');
    if (!held.includes(scope) && !held.includes('admin')) {
      throw new OAuthError('invalid_scope', `The scope ${scope} is not granted to this client.`);
    }
    wanted.add(scope);
  }
  return [...wanted].sort();
}
