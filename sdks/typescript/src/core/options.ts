import { ComplianceOnboardingError } from './errors.ts';
import { isLogLevel, type Logger, type LogLevel } from './log.ts';
import type { TokenCache } from './token-cache.ts';
import type { Query } from './wire.ts';

/** Everything that a client can be told. Only the address and one credential are needed; both may come from the environment. */
export interface ClientOptions {
  /** Address of the installation. Default: `COMPLIANCE_BASE_URL`, else the contract's default server. */
  readonly baseUrl?: string | undefined;
  /** Default: `COMPLIANCE_API_KEY`. Where an operation takes no API key, the client trades it for an access token. */
  readonly apiKey?: string | undefined;
  /** OAuth 2.0 client. Default: `COMPLIANCE_CLIENT_ID`. Tokens are fetched, cached and renewed for you. */
  readonly clientId?: string | undefined;
  /** Default: `COMPLIANCE_CLIENT_SECRET`. */
  readonly clientSecret?: string | undefined;
  /** Scopes to ask for, separated by spaces; without it the token carries all scopes of the client. */
  readonly scope?: string | undefined;
  /** The token of a signed-in person (`client.auth.login`), or a function that returns the current one. Default: `COMPLIANCE_ACCESS_TOKEN`. */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds for one attempt, up to the end of a JSON answer or the headers of a download. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole call with its retries and pauses. Default: 120,000. */
  readonly deadline?: number | undefined;
  /** Attempts after the first one. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`, for example to go through a proxy. It receives a `Request`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Product tokens of your application, such as `acme-onboarding/2.3`; sent before the name of this package. Browsers send their own. */
  readonly userAgent?: string | undefined;
  /**
   * Retries that the calls of this client may spend before one of them succeeds. Default: 10, so that an outage of any
   * length costs the service ten requests more than there are calls. 0: no retries; `Infinity`: no budget.
   */
  readonly retryBudget?: number | undefined;
  /** Takes what `logLevel` lets through; never with a secret, a personal value, or an identifier. Default: `console`. */
  readonly logger?: Logger | undefined;
  /** Default: `COMPLIANCE_LOG`, else `warn`, which tells of deprecated operations. */
  readonly logLevel?: LogLevel | undefined;
  /** Shares access tokens with other clients of the same installation, credential and scope. */
  readonly tokenCache?: TokenCache | undefined;
}

/** What one call can override. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole call. */
  readonly deadline?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Query parameters beside those of the operation, for example of a preview. */
  readonly query?: Query | undefined;
}

export interface Settings extends ClientOptions {
  readonly baseUrl: string;
  readonly timeout: number;
  readonly deadline: number;
  readonly maxRetries: number;
  readonly retryBudget: number;
  readonly logLevel: LogLevel;
}

type Environment = (name: string) => string | undefined;

/** Explicit options win; a credential from the environment is used only if none is given. */
export function settings(options: ClientOptions, defaultBaseUrl: string, environment: Environment = processEnvironment): Settings {
  const given = options.apiKey ?? options.clientId ?? options.clientSecret ?? options.accessToken;
  const { accessToken, apiKey, clientId, clientSecret } = given !== undefined ? options : {
    accessToken: environment('ACCESS_TOKEN'), apiKey: environment('API_KEY'), clientId: environment('CLIENT_ID'), clientSecret: environment('CLIENT_SECRET'),
  };
  if ((clientId === undefined) !== (clientSecret === undefined)) throw new ComplianceOnboardingError('clientId and clientSecret belong together: give both or neither');
  const logLevel = options.logLevel ?? environment('LOG') ?? 'warn';
  if (!isLogLevel(logLevel)) throw new ComplianceOnboardingError(`There is no log level ${logLevel}`);
  return {
    ...options,
    accessToken,
    apiKey,
    clientId,
    clientSecret,
    baseUrl: address(options.baseUrl ?? environment('BASE_URL') ?? defaultBaseUrl),
    timeout: atLeast(1, 'timeout', options.timeout ?? 30_000),
    deadline: atLeast(1, 'deadline', options.deadline ?? 120_000),
    maxRetries: atLeast(0, 'maxRetries', options.maxRetries ?? 2),
    retryBudget: atLeast(0, 'retryBudget', options.retryBudget ?? 10),
    logLevel,
  };
}

function address(baseUrl: string): string {
  const url = URL.canParse(baseUrl, pageAddress()) ? new URL(baseUrl, pageAddress()) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new ComplianceOnboardingError('baseUrl must be an http(s) address without a user name and password');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** A number of milliseconds above nothing, or of something from nothing on. */
export function atLeast(least: number, name: string, value: number): number {
  if (!(value >= least)) throw new ComplianceOnboardingError(`${name} must be at least ${least}`);
  return value;
}

/** In a browser an address may be relative to the page. */
function pageAddress(): string | undefined {
  return (globalThis as { location?: { href?: string } }).location?.href;
}

/** What is set to nothing is not set. */
function processEnvironment(name: string): string | undefined {
  return (globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } }).process?.env?.[`COMPLIANCE_${name}`] || undefined;
}
