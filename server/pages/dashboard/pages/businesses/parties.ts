/**
 * The people and companies of the ownership of a company, by their keys. Used by the parts of its page that name them.
 */
import { api, type Schemas } from '../../core/api.ts';

/** Returns the parties of the latest version; none while it is loading. */
export function useParties(businessId: string): readonly Schemas['OwnershipParty'][] {
  const { data } = api.useQuery('get', '/v1/businesses/{businessId}/ownership', { params: { path: { businessId } } });
  return data?.parties ?? [];
}

/** Returns a function that names a party; one that is unknown is named by its key. */
export function usePartyNames(businessId: string): (key: string) => string {
  const parties = useParties(businessId);
  return (key) => parties.find((party) => party.key === key)?.name ?? key;
}
