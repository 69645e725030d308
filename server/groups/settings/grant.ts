import type { AnyPrincipal, PersonalData } from '../../contract/principal.ts';
import type { KeyGrant, NewApiKey } from './store.ts';

/** What a caller grants as its own: a person as themselves, a key as the person who granted it. */
export function grantBy(caller: AnyPrincipal, personalData: PersonalData): Pick<NewApiKey, keyof KeyGrant> {
  if (caller.kind === 'user') return { grantedBy: caller.userId, grantedRole: caller.role, personalData };
  const [grantedRole] = caller.grantor.roles;
  if (grantedRole === undefined) throw new TypeError('a key for which nobody answers was let in');
  return { grantedBy: caller.grantor.userId, grantedRole, personalData };
}

/** What somebody takes over shows no more than they are shown themselves. */
export function atMost(caller: AnyPrincipal, personalData: PersonalData): PersonalData {
  return caller.personalData === 'full' ? personalData : 'masked';
}
