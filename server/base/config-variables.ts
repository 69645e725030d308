/** Environment variables of the service: name, meaning, default and reader. */
import { resolve } from 'node:path';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

interface Variable<T> {
  readonly meaning: string;
  readonly fallback: string | null;
  readonly read: (text: string) => T;
}

export const VARIABLES = {
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

function sender(value: string): { readonly address: string; readonly name: string | null } {
  const [, name = null, bracketed] = /^([^<>\p{C}]{1,100}?) *<([^<>]+)>$/u.exec(value) ?? [];
  const address = bracketed ?? value;
  if (!/^[^\s\p{C}@<>(),;:\\"[\]]{1,64}@[a-zA-Z0-9.-]{1,253}$/u.test(address))
    throw new Error('an e-mail address, or a name followed by one in angle brackets');
  return { address, name };
}
