/**
 * The people and companies of the ownership of a company, by their keys. Used by the parts of its page that name them.
 */
import { api, type Schemas } from '../../core/api.ts';

/** Returns the parties of the latest version; none while it is loading. */
export function useParties(businessId: string): readonly Schemas['OwnershipParty'][] {
  const { data } = api.useQuery('get', '/v1/businesses/{businessId}/ownership', { params: { path: { businessId } } });
  return data?.parties ?? [];
}

interface Signer {
  readonly key: string;
  readonly name: string;
}

/**
 * Returns who may be asked about as a signer: the persons of the latest version, and whoever else is on the sheet of
 * today, as people of the head office are on that of a branch.
 */
export function useSigners(businessId: string): readonly Signer[] {
  const parties = useParties(businessId);
  const { data } = api.useQuery('get', '/v1/businesses/{businessId}/signatories', { params: { path: { businessId } } });
  const others = new Map(
    (data?.items ?? [])
      .filter(({ partyKey }) => !parties.some(({ key }) => key === partyKey))
      .map(({ partyKey, name }) => [partyKey, name]),
  );
  return [...parties.filter(({ kind }) => kind === 'person'), ...[...others].map(([key, name]) => ({ key, name }))];
}

/** Returns a function that names a party or a signer; one that is unknown is named by its key. */
export function useSignerNames(businessId: string): (key: string) => string {
  const nameOfParty = usePartyNames(businessId);
  const signers = useSigners(businessId);
  return (key) => signers.find((signer) => signer.key === key)?.name ?? nameOfParty(key);
}

/** Returns a function that names a party; one that is unknown is named by its key. */
export function usePartyNames(businessId: string): (key: string) => string {
  const parties = useParties(businessId);
  return (key) => parties.find((party) => party.key === key)?.name ?? key;
}
