import { until } from './abort.ts';
import { ComplianceOnboardingError, ConnectionError } from './errors.ts';
import type { Grants } from './grant.ts';
import type { Settings } from './options.ts';

export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  /** Present if a 401 may be cured by dropping this credential and taking a fresh one. */
  readonly discard?: () => void;
}

/** The credential for an operation of which these are the marks. */
export type Choose = (marks: string, signal: AbortSignal) => Promise<Credential>;

/**
 * Chooses, for each operation, the credential that its contract accepts. One only: the server refuses two.
 * @param load what trades credentials for tokens; many programs never do
 */
export function credentials({ accessToken, apiKey, clientId }: Settings, load: () => Promise<Grants>): Choose {
  let loading: Promise<Grants> | undefined;
  const granted = async (): Promise<Credential | null> => (await (loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    throw new ConnectionError(cause);
  }))).credential();
  return async (marks, signal) => {
    const schemes = marks.match(/[BAO]/g);
    if (schemes === null) return { headers: {} };
    if (accessToken !== undefined && /[BO]/.test(marks)) {
      const token = typeof accessToken === 'function' ? await until(Promise.resolve(accessToken()), signal) : accessToken;
      return { headers: { Authorization: `Bearer ${token}` } };
    }
    if (apiKey !== undefined && schemes.includes('A')) return { headers: { 'X-API-Key': apiKey } };
    const credential = (clientId ?? apiKey) !== undefined && schemes.includes('O') ? await until(granted(), signal) : null;
    if (credential === null) throw new ComplianceOnboardingError(`This operation needs ${schemes.map((scheme) => OPTION[scheme]).join(' or ')}`);
    return credential;
  };
}

const OPTION: Readonly<Record<string, string>> = { B: 'accessToken', A: 'apiKey', O: 'clientId' };
