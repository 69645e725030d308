/**
 * Options of clients and calls, with their defaults and the environment. Used by the client, the transport and feeds.
 * Wrong options throw when the client is created.
 */
import { ComplianceOnboardingError } from './errors.ts';
import { asLogLevel, type Logger, type LogLevel } from './log.ts';
import type { TokenCache } from './token-cache.ts';
import type { Query } from './wire.ts';

/** Options of a client. Only the address and one credential are needed; both may come from the environment. */
export interface ClientOptions {
  /** Address of the installation. Default: `COMPLIANCE_BASE_URL`, else the contract's default server. */
  readonly baseUrl?: string | undefined;
  /**
   * Default: `COMPLIANCE_API_KEY`. If an operation takes no API key, the client exchanges the key for an access token.
   */
  readonly apiKey?: string | undefined;
  /** OAuth 2.0 client. Default: `COMPLIANCE_CLIENT_ID`. Tokens are fetched, cached and renewed for you. */
  readonly clientId?: string | undefined;
  /** Scopes to request, separated by spaces; without this option the token has all scopes of the client. */
  readonly clientSecret?: string | undefined;
  /** Scopes to ask for, separated by spaces; without it the token carries all scopes of the client. */
  readonly scope?: string | undefined;
  /**
   * The token of a signed-in person (`client.auth.login`), or a function that returns the current one. Default:
   * `COMPLIANCE_ACCESS_TOKEN`.
   */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds for one attempt, up to the end of a JSON answer or the headers of a download. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole call with its retries and pauses. Default: 120,000. */
  readonly deadline?: number | undefined;
  /** Milliseconds without a byte after which a download is given up. Default: 30,000. */
  readonly idleTimeout?: number | undefined;
  /** Attempts after the first one. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`: that of another package, or a wrapper of yours. */
  readonly fetch?: Fetch | undefined;
  /**
   * Additional options of `fetch`, such as the `dispatcher` of a proxy (Node), `proxy` (Bun), `cache` or `credentials`.
   */
  readonly fetchOptions?: FetchOptions | undefined;
  /**
   * Product tokens of your application, such as `acme-onboarding/2.3`; sent before the name of this package.
   * Browsers send their own.
   */
  readonly userAgent?: string | undefined;
  /**
   * Retries that the calls of this client may spend before one of them succeeds. Default: 10, so that an outage of any
   * length costs the service ten requests more than there are calls. 0: no retries; `Infinity`: no budget.
   */
  readonly retryBudget?: number | undefined;
  /** Receives what `logLevel` allows; never a secret, a personal value, or an identifier. Default: `console`. */
  readonly logger?: Logger | undefined;
  /** Default: `COMPLIANCE_LOG`, else `warn`, which reports deprecated operations. */
  readonly logLevel?: LogLevel | undefined;
  /** Shares access tokens with other clients of the same installation, credential and scope. */
  readonly tokenCache?: TokenCache | undefined;
}

/**
 * Options of `fetch` besides the request itself, which they cannot change. Runtimes have options that the standard does
 * not define.
 */
export type FetchOptions = Omit<RequestInit, keyof FetchInit> & Readonly<Record<string, unknown>>;

/** One request, as passed to `fetch`. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  /** A text, a `Blob` or null. Each implementation of `fetch` has its own type for bodies and accepts no other. */
  readonly body: any;
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
}

/** Called with the address and the request. It must not follow redirects. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** Members of a response that are used; responses of undici and `node-fetch` have them as well. */
export interface FetchResponse extends Pick<Response, 'ok' | 'status' | 'text'> {
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly body: unknown;
}

/** Options that one call can override. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole call. */
  readonly deadline?: number | undefined;
  /** Milliseconds without a byte after which a download fails. */
  readonly idleTimeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Overrides that of the client, member by member. */
  readonly fetchOptions?: FetchOptions | undefined;
  /**
   * Receives each invalid item of a list or a feed (not an object, or without the member that identifies it) and the
   * reason, before its page, from which the item is removed. If this throws, the page is not processed. Without this
   * option the item stays in the page unchanged, and a warning is logged.
   */
  readonly onPoison?: ((item: unknown, reason: string) => void | Promise<void>) | undefined;
  /** Query parameters in addition to those of the operation, for example of a preview. */
  readonly query?: Query | undefined;
}

/** Limits of a call: the least allowed value and the default of each. */
const NUMBERS = {
  timeout: [1, 30_000],
  deadline: [1, 120_000],
  idleTimeout: [1, 30_000],
  maxRetries: [0, 2],
  retryBudget: [0, 10],
} as const;

export type Numbers = { readonly [Name in keyof typeof NUMBERS]: number };

export interface Settings extends ClientOptions {
  readonly baseUrl: string;
  readonly logLevel: LogLevel;
}

/** Returns the limits; those of a call override those of its client. */
export function numbersOf(given: object, usual: Partial<Numbers> = {}): Numbers {
  return Object.fromEntries(
    Object.entries(NUMBERS).map(([name, [least, otherwise]]) => {
      const value = (given as Readonly<Record<string, unknown>>)[name] ?? usual[name as keyof Numbers] ?? otherwise;
      if (!((value as number) >= least)) throw new ComplianceOnboardingError(`${name} must be at least ${least}`);
      return [name, value];
    }),
  ) as Numbers;
}

const CREDENTIALS = ['accessToken', 'apiKey', 'clientId', 'clientSecret'] as const;

/** Resolves the options: explicit ones win, and a credential from the environment is used only if none is passed. */
export function settings(options: ClientOptions, defaultBaseUrl: string): Settings {
  const isGiven = CREDENTIALS.some((name) => options[name] !== undefined);
  const credentials: Pick<ClientOptions, (typeof CREDENTIALS)[number]> = Object.fromEntries(
    CREDENTIALS.map((name) => [name, isGiven ? options[name] : environment(name)]),
  );
  if ((credentials.clientId === undefined) !== (credentials.clientSecret === undefined))
    throw new ComplianceOnboardingError('clientId and clientSecret belong together');
  const logLevel = asLogLevel(options.logLevel ?? environment('log') ?? 'warn');
  return {
    ...options,
    ...credentials,
    baseUrl: address(options.baseUrl ?? environment('baseUrl') ?? defaultBaseUrl),
    logLevel,
  };
}

function address(baseUrl: string): string {
  // In a browser an address may be relative to the page.
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : null;
  if (!url?.protocol.startsWith('http') || url.username || url.password) {
    throw new ComplianceOnboardingError('baseUrl must be an http(s) address without a password');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Returns the process object of Node, Deno or Bun. */
export function hostProcess():
  | { readonly env?: Readonly<Record<string, string | undefined>>; readonly versions?: { readonly node?: string } }
  | undefined {
  return (globalThis as { process?: ReturnType<typeof hostProcess> }).process;
}

/**
 * Returns the variable of an option, such as `COMPLIANCE_API_KEY` for `apiKey`. An empty variable counts as not set.
 */
function environment(name: string): string | undefined {
  return hostProcess()?.env?.[`COMPLIANCE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`] || undefined;
}
