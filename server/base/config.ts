import { resolve } from 'node:path';

/**
 * Every environment variable of the service: name, meaning, default and reader. No other file of the code base reads
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

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

interface Variable<T> {
  readonly meaning: string;
  readonly fallback: string | null;
  readonly read: (text: string) => T;
}

const VARIABLES = {
  PORT: { meaning: 'TCP port of the service; 0 takes a free one', fallback: '8080', read: integer(0, 65_535) },
  HOST: {
    meaning: 'address to listen on',
    fallback: '127.0.0.1',
    read: text(/^[\w.:-]{1,253}$/, 'a host name or an IP address'),
  },
  PUBLIC_URL: {
    meaning: 'address that clients use, when it differs from HOST and PORT',
    fallback: null,
    read: url(['http:', 'https:']),
  },
  DATA_DIR: {
    meaning: 'folder of the embedded database, uploaded files and the generated secret',
    fallback: '.data',
    read: (value: string) => resolve(value),
  },
  DATABASE_URL: {
    meaning: 'external PostgreSQL, version 15 or later; without it an embedded one is started',
    fallback: null,
    read: url(['postgres:', 'postgresql:']),
  },
  DATABASE_POOL_SIZE: { meaning: 'connections of the request pool', fallback: '10', read: integer(1, 200) },
  SERVICE_SECRET: {
    meaning: 'root of all keys; generated into DATA_DIR/secret when absent, needed when replicas share a database',
    fallback: null,
    read: text(/^.{32,1024}$/su, '32 to 1024 characters'),
  },
  DEMO: {
    meaning: 'create the demo tenant at the first start and print its credentials',
    fallback: 'false',
    read: choice(['true', 'false']),
  },
  SMTP_URL: {
    meaning:
      'mail server, smtp://user:password@host:587 (STARTTLS) or smtps://…:465; without it mail stays in the database',
    fallback: null,
    read: url(['smtp:', 'smtps:']),
  },
  MAIL_FROM: {
    meaning: 'sender of mail, an address or Name <address>; needed with SMTP_URL',
    fallback: null,
    read: sender,
  },
  DIRECTORY_URL: {
    meaning:
      'address of the instant-payment directory, https://…/api/v2/; without it recoveries are ' +
      'followed in the sandbox only',
    fallback: null,
    read: url(['https:']),
  },
  DIRECTORY_CA: {
    meaning: 'PEM file of the authorities of its server certificate; needed with DIRECTORY_URL, like the next two',
    fallback: null,
    read: (value: string) => resolve(value),
  },
  DIRECTORY_SIGNER: {
    meaning: 'PEM file of the certificates that it signs answers with',
    fallback: null,
    read: (value: string) => resolve(value),
  },
  DIRECTORY_PARTICIPANTS: {
    meaning: 'JSON file of the participants to follow: ispb, tenant, certificate, key or pkcs11, includeIndirect',
    fallback: null,
    read: (value: string) => resolve(value),
  },
  DIRECTORY_SIMULATOR: {
    meaning: 'run a directory for the sandboxes in this process; by default with the embedded database only',
    fallback: null,
    read: choice(['true', 'false']),
  },
  WATCH_LISTS: {
    meaning:
      'JSON file of the watch lists to fetch: list, url, format, with, everyMinutes; without it ' +
      'they are imported by hand',
    fallback: null,
    read: (value: string) => resolve(value),
  },
  JOBS: {
    meaning: 'do periodic work, such as delivering mail, in this process; one replica at a time does each job',
    fallback: 'true',
    read: choice(['true', 'false']),
  },
  LOG_LEVEL: { meaning: 'least severe log line that is written', fallback: 'info', read: choice(LOG_LEVELS) },
  TRUST_PROXY: {
    meaning: 'number of reverse proxies whose X-Forwarded-For entry is believed',
    fallback: '0',
    read: integer(0, 10),
  },
  RATE_LIMIT_REQUESTS: {
    meaning: 'requests per minute of one credential',
    fallback: '600',
    read: integer(1, 1_000_000),
  },
  RATE_LIMIT_UPLOADS: { meaning: 'uploads per minute of one credential', fallback: '60', read: integer(1, 1_000_000) },
  RATE_LIMIT_FEED: { meaning: 'feed requests per minute of one consumer', fallback: '60', read: integer(1, 1_000_000) },
  RATE_LIMIT_PAGES: {
    meaning: 'pages and files per minute for one address; as many calls of health and metrics',
    fallback: '3000',
    read: integer(1, 1_000_000),
  },
  RATE_LIMIT_LOOKUPS: {
    meaning: 'searches by what identifies a person, per minute of one credential',
    fallback: '30',
    read: integer(1, 1_000_000),
  },
  RATE_LIMIT_LOGINS_PER_ADDRESS: {
    meaning: 'logins per minute from one address',
    fallback: '10',
    read: integer(1, 1_000_000),
  },
  RATE_LIMIT_FAILED_AUTHENTICATIONS: {
    meaning: 'credentials that nobody issued, per minute from one address',
    fallback: '100',
    read: integer(1, 1_000_000),
  },
  MAX_CONNECTIONS: {
    meaning: 'open connections; beyond, the address with the most of them loses the one that idles longest',
    fallback: '4000',
    read: integer(10, 1_000_000),
  },
  SLOW_CLIENT_SECONDS: {
    meaning: 'time in which a client must send 5 KiB of a body, or take 16 KiB of an answer',
    fallback: '10',
    read: integer(1, 600),
  },
  MEMORY_ALARM_MIB: {
    meaning: 'mebibytes of resident memory from which an alarm is raised',
    fallback: '1024',
    read: integer(64, 1_048_576),
  },
  BODY_MEMORY_MIB: {
    meaning: 'mebibytes of request bodies, uploads included, in memory at once; more are answered 503',
    fallback: '256',
    read: integer(1, 65_536),
  },
  RESPONSE_VALIDATION: {
    meaning: 'strict answers 500 to a response that breaks the contract, report only logs it',
    fallback: 'strict',
    read: choice(['strict', 'report']),
  },
  SHUTDOWN_GRACE_SECONDS: {
    meaning: 'time that running requests get to finish after SIGTERM',
    fallback: '10',
    read: integer(0, 300),
  },
} satisfies Record<string, Variable<unknown>>;

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

function integer(min: number, max: number) {
  return (value: string): number => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new Error(`an integer from ${min} to ${max}`);
    return number;
  };
}

function text(shape: RegExp, description: string) {
  return (value: string): string => {
    if (!shape.test(value)) throw new Error(description);
    return value;
  };
}

function choice<const T extends readonly string[]>(allowed: T) {
  return (value: string): T[number] => {
    if (!allowed.includes(value)) throw new Error(`one of ${allowed.join(', ')}`);
    return value;
  };
}

function url(schemes: readonly string[]) {
  return (value: string): string => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol)) {
      throw new Error(`a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
    }
    return value;
  };
}

function sender(value: string): Recipient {
  const [, name = null, bracketed] = /^([^<>\p{C}]{1,100}?) *<([^<>]+)>$/u.exec(value) ?? [];
  const address = bracketed ?? value;
  if (!/^[^\s\p{C}@<>(),;:\\"[\]]{1,64}@[a-zA-Z0-9.-]{1,253}$/u.test(address))
    throw new Error('an e-mail address, or a name followed by one in angle brackets');
  return { address, name };
}
