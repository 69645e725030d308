/**
 * Chooses the credential of each call, as the operation accepts it. Used by the transport. Throws if the client has no
 * fitting credential; two are never sent, because the server refuses that.
 */
import { until } from './abort.ts';
import { ComplianceOnboardingError, ConnectionError } from './errors.ts';
import type { Grants } from './grant.ts';
import type { Settings } from './options.ts';

export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  /** Set if dropping this credential and getting a new one may resolve a 401. */
  readonly discard?: () => void;
}

/** Returns the credential for an operation with these marks. */
export type Choose = (marks: string, signal: AbortSignal) => Promise<Credential>;

/**
 * Returns a function that chooses, for each operation, the credential that its contract accepts. It chooses only one,
 * because the server refuses two.
 *
 * @param load loads the exchange of credentials for tokens, which many programs never need
 */
export function credentials({ accessToken, apiKey, clientId }: Settings, load: () => Promise<Grants>): Choose {
  let loading: Promise<Grants> | undefined;
  const granted = async (): Promise<Credential | null> =>
    (
      await (loading ??= load().catch((cause: unknown) => {
        loading = undefined;
        throw new ConnectionError(cause);
      }))
    ).credential();
  return async (marks, signal) => {
    const schemes = marks.match(/[BAO]/g);
    if (schemes === null) return { headers: {} };
    if (accessToken !== undefined && /[BO]/.test(marks)) {
      const token =
        typeof accessToken === 'function' ? await until(Promise.resolve(accessToken()), signal) : accessToken;
      return { headers: { Authorization: `Bearer ${token}` } };
    }
    if (apiKey !== undefined && schemes.includes('A')) return { headers: { 'X-API-Key': apiKey } };
    const credential =
      (clientId ?? apiKey) !== undefined && schemes.includes('O') ? await until(granted(), signal) : null;
    if (credential === null)
      throw new ComplianceOnboardingError(
        `This operation needs ${schemes.map((scheme) => OPTION[scheme]).join(' or ')}`,
      );
    return credential;
  };
}

const OPTION: Readonly<Record<string, string>> = { B: 'accessToken', A: 'apiKey', O: 'clientId' };
