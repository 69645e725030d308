import { ComplianceError } from './errors.ts';
import type { Logger } from './log.ts';

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
  /** The token of a signed-in person (`client.auth.login`), or a function that returns the current one. */
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
  /** Called on every request, answer, retry and failure; never with a secret, a body, or an identifier. */
  readonly logger?: Logger | undefined;
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
}

export interface Settings extends ClientOptions {
  readonly baseUrl: string;
  readonly timeout: number;
  readonly deadline: number;
  readonly maxRetries: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Explicit options win; a credential from the environment is used only if none is given. */
export function settings(options: ClientOptions, defaultBaseUrl: string, environment: Environment = processEnvironment()): Settings {
  const given = options.apiKey ?? options.clientId ?? options.clientSecret ?? options.accessToken;
  const credentials = given !== undefined ? options : {
    apiKey: environment['COMPLIANCE_API_KEY'],
    clientId: environment['COMPLIANCE_CLIENT_ID'],
    clientSecret: environment['COMPLIANCE_CLIENT_SECRET'],
  };
  if ((credentials.clientId === undefined) !== (credentials.clientSecret === undefined)) {
    throw new ComplianceError('clientId and clientSecret belong together: give both or neither');
  }
  return {
    ...options,
    apiKey: credentials.apiKey,
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    baseUrl: address(options.baseUrl ?? environment['COMPLIANCE_BASE_URL'] ?? defaultBaseUrl),
    timeout: positive('timeout', options.timeout ?? 30_000),
    deadline: positive('deadline', options.deadline ?? 120_000),
    maxRetries: Math.max(0, Math.trunc(options.maxRetries ?? 2)),
  };
}

function address(baseUrl: string): string {
  const url = URL.canParse(baseUrl, pageAddress()) ? new URL(baseUrl, pageAddress()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new ComplianceError(`baseUrl is not an http(s) address: ${baseUrl}`);
  if (url.username !== '' || url.password !== '') throw new ComplianceError('baseUrl must not carry a user name or password');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function positive(name: string, value: number): number {
  if (!(value > 0)) throw new ComplianceError(`${name} must be a positive number of milliseconds`);
  return value;
}

/** In a browser an address may be relative to the page. */
function pageAddress(): string | undefined {
  return (globalThis as { location?: { href?: string } }).location?.href;
}

function processEnvironment(): Environment {
  return (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
}
