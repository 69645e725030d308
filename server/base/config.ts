import { type LOG_LEVELS, VARIABLES } from './config-variables.ts';

/**
 * Configuration of the service, which follows from its environment variables. No other file of the code base reads
 * `process.env`.
 */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly serviceSecret: string | null;
  readonly demo: boolean;
  readonly smtpUrl: string | null;
  readonly mailFrom: Recipient | null;
  /** Production directory of instant payments; null if none is configured, and then none is queried. */
  readonly directory: DirectoryConfig | null;
  /** Whether this process simulates the directory for the sandboxes. */
  readonly directorySimulator: boolean;
  /** File that lists where watch lists are published; null if none is configured, and then none is fetched. */
  readonly watchLists: string | null;
  /** Whether this process does periodic work. */
  readonly jobs: boolean;
  readonly logLevel: LogLevel;
  readonly trustProxyHops: number;
  readonly rateLimits: RateLimits;
  readonly maxConnections: number;
  /** Time in which a client must send or receive a minimum of bytes. */
  readonly slowClientSeconds: number;
  readonly memoryAlarmMebibytes: number;
  /** Maximum size of all request bodies in memory. */
  readonly bodyMemoryMebibytes: number;
  readonly responseValidation: 'strict' | 'report';
  readonly shutdownGraceSeconds: number;
}

/**
 * Address of the production directory of instant payments, and files with the trusted certificates, as named by the
 * operator.
 */
export interface DirectoryConfig {
  readonly url: string;
  readonly authorities: string;
  readonly signer: string;
  readonly participants: string;
}

/** Recipient or sender of a letter: an address of RFC 5322, and the display name. */
export interface Recipient {
  readonly address: string;
  readonly name: string | null;
}

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Maximum numbers of requests per minute for one credential or address. */
export interface RateLimits {
  readonly requests: number;
  readonly uploads: number;
  readonly feed: number;
  /** Limit for one address of requests that are not operations. */
  readonly pages: number;
  readonly lookups: number;
  readonly loginsPerAddress: number;
  readonly failedAuthentications: number;
}

type Name = keyof typeof VARIABLES;
type Read<N extends Name> = ReturnType<(typeof VARIABLES)[N]['read']>;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  function optional<N extends Name>(name: N): Read<N> | null {
    const text = env[name] === '' ? undefined : env[name];
    const value = text ?? VARIABLES[name].fallback;
    if (value === null) return null;
    try {
      return VARIABLES[name].read(value) as Read<N>;
    } catch (error) {
      // The value is not repeated, because it may be a password.
      faults.push(`${name} must be ${(error as Error).message} (${VARIABLES[name].meaning})`);
      return null;
    }
  }
  // Faults are thrown below, so a missing value never leaves this function.
  const required = <N extends Name>(name: N): Read<N> => optional(name) as Read<N>;

  function directory(
    url: string | null,
    authorities: string | null,
    signer: string | null,
    participants: string | null,
  ): DirectoryConfig | null {
    if (url !== null && authorities !== null && signer !== null && participants !== null)
      return {
        url,
        authorities,
        signer,
        participants,
      };
    const isPartial = [url, authorities, signer, participants].some((value) => value !== null);
    if (isPartial)
      faults.push('DIRECTORY_URL, DIRECTORY_CA, DIRECTORY_SIGNER and DIRECTORY_PARTICIPANTS must be set together');
    return null;
  }

  const config: Config = {
    port: required('PORT'),
    host: required('HOST'),
    publicUrl: optional('PUBLIC_URL'),
    dataDir: required('DATA_DIR'),
    databaseUrl: optional('DATABASE_URL'),
    databasePoolSize: required('DATABASE_POOL_SIZE'),
    serviceSecret: optional('SERVICE_SECRET'),
    demo: required('DEMO') === 'true',
    smtpUrl: optional('SMTP_URL'),
    mailFrom: optional('MAIL_FROM'),
    directorySimulator: (optional('DIRECTORY_SIMULATOR') ?? String((env['DATABASE_URL'] ?? '') === '')) === 'true',
    directory: directory(
      optional('DIRECTORY_URL'),
      optional('DIRECTORY_CA'),
      optional('DIRECTORY_SIGNER'),
      optional('DIRECTORY_PARTICIPANTS'),
    ),
    watchLists: optional('WATCH_LISTS'),
    jobs: required('JOBS') === 'true',
    logLevel: required('LOG_LEVEL'),
    trustProxyHops: required('TRUST_PROXY'),
    rateLimits: {
      requests: required('RATE_LIMIT_REQUESTS'),
      uploads: required('RATE_LIMIT_UPLOADS'),
      feed: required('RATE_LIMIT_FEED'),
      pages: required('RATE_LIMIT_PAGES'),
      lookups: required('RATE_LIMIT_LOOKUPS'),
      loginsPerAddress: required('RATE_LIMIT_LOGINS_PER_ADDRESS'),
      failedAuthentications: required('RATE_LIMIT_FAILED_AUTHENTICATIONS'),
    },
    maxConnections: required('MAX_CONNECTIONS'),
    slowClientSeconds: required('SLOW_CLIENT_SECONDS'),
    memoryAlarmMebibytes: required('MEMORY_ALARM_MIB'),
    bodyMemoryMebibytes: required('BODY_MEMORY_MIB'),
    responseValidation: required('RESPONSE_VALIDATION'),
    shutdownGraceSeconds: required('SHUTDOWN_GRACE_SECONDS'),
  };
  if (config.smtpUrl !== null && config.mailFrom === null)
    faults.push(`MAIL_FROM must be set with SMTP_URL (${VARIABLES.MAIL_FROM.meaning})`);
  if (faults.length > 0) throw new ConfigError(`The environment is not usable:\n  ${faults.join('\n  ')}`);
  return config;
}

/** One line per variable, for `--help` and the operator's guide. */
export function describeConfig(): string {
  return Object.entries(VARIABLES)
    .map(
      ([name, { meaning, fallback }]) =>
        `${name.padEnd(30)} ${meaning}${fallback === null ? '' : ` (default ${fallback})`}`,
    )
    .join('\n');
}
