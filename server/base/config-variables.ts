/**
 * Environment variables of the service, as one JSON Schema. `config.ts` validates by it, and the guides list it. A
 * variable that is missing here cannot be set.
 */

interface Described {
  /** Meaning of the variable, which `--help`, the guide and every error message quote. */
  readonly description: string;
}

interface IntegerSchema extends Described {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
}

interface BooleanSchema extends Described {
  readonly type: 'boolean';
  readonly default?: boolean;
}

interface ChoiceSchema extends Described {
  readonly type: 'string';
  readonly enum: readonly string[];
  readonly default?: string;
}

interface UrlSchema extends Described {
  readonly type: 'string';
  /** Allowed schemes of the URL. */
  readonly 'x-schemes': readonly string[];
}

interface TextSchema extends Described {
  readonly type: 'string';
  readonly pattern?: string;
  readonly format?: 'mailbox';
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Allowed values in words, as in the dialect of the contract. */
  readonly 'x-must-be': string;
  readonly default?: string;
}

type VariableSchema = IntegerSchema | BooleanSchema | ChoiceSchema | UrlSchema | TextSchema;

export const VARIABLES = {
  PORT: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 8080,
    description: 'TCP port of the service; 0 takes a free one',
  },
  HOST: {
    type: 'string',
    pattern: '^[\\w.:-]{1,253}$',
    'x-must-be': 'a host name or an IP address',
    default: '127.0.0.1',
    description: 'address to listen on',
  },
  PUBLIC_URL: {
    type: 'string',
    'x-schemes': ['http', 'https'],
    description: 'address that clients use, when it differs from HOST and PORT',
  },
  DATA_DIR: {
    type: 'string',
    'x-must-be': 'a path',
    default: '.data',
    description: 'folder of the embedded database, uploaded files and the generated secret',
  },
  DATABASE_URL: {
    type: 'string',
    'x-schemes': ['postgres', 'postgresql'],
    description: 'external PostgreSQL, version 15 or later; without it an embedded one is started',
  },
  DATABASE_POOL_SIZE: {
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: 10,
    description: 'connections of the request pool',
  },
  SERVICE_SECRET: {
    type: 'string',
    minLength: 32,
    maxLength: 1024,
    'x-must-be': '32 to 1024 characters',
    description: 'root of all keys; generated into DATA_DIR/secret when absent, needed when replicas share a database',
  },
  DEMO: {
    type: 'boolean',
    default: false,
    description: 'create the demo tenant at the first start and print its credentials',
  },
  SMTP_URL: {
    type: 'string',
    'x-schemes': ['smtp', 'smtps'],
    description:
      'mail server, smtp://user:password@host:587 (STARTTLS) or smtps://…:465; without it mail stays in the database',
  },
  MAIL_FROM: {
    type: 'string',
    format: 'mailbox',
    'x-must-be': 'an e-mail address, or a name followed by one in angle brackets',
    description: 'sender of mail, an address or Name <address>; needed with SMTP_URL',
  },
  DIRECTORY_URL: {
    type: 'string',
    'x-schemes': ['https'],
    description:
      'address of the instant-payment directory, https://…/api/v2/; without it recoveries are ' +
      'followed in the sandbox only',
  },
  DIRECTORY_CA: {
    type: 'string',
    'x-must-be': 'a path',
    description: 'PEM file of the authorities of its server certificate; needed with DIRECTORY_URL, like the next two',
  },
  DIRECTORY_SIGNER: {
    type: 'string',
    'x-must-be': 'a path',
    description: 'PEM file of the certificates that it signs answers with',
  },
  DIRECTORY_PARTICIPANTS: {
    type: 'string',
    'x-must-be': 'a path',
    description: 'JSON file of the participants to follow: ispb, tenant, certificate, key or pkcs11, includeIndirect',
  },
  DIRECTORY_SIMULATOR: {
    type: 'boolean',
    description: 'run a directory for the sandboxes in this process; by default with the embedded database only',
  },
  WATCH_LISTS: {
    type: 'string',
    'x-must-be': 'a path',
    description:
      'JSON file of the watch lists to fetch: list, url, format, with, everyMinutes; without it ' +
      'they are imported by hand',
  },
  VERIFICATION: {
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: 'on reads documents and faces once `make verification` has installed what that needs',
  },
  VERIFICATION_CONNECTOR: {
    type: 'string',
    'x-must-be': 'a path',
    description: 'JSON file of the connections to vendors of verifications: name, version, url, token, types',
  },
  VERIFICATION_ROOTS: {
    type: 'string',
    'x-must-be': 'a path',
    description: 'folder of the certificates of authorities by which signatures of PDF documents are trusted',
  },
  JOBS: {
    type: 'boolean',
    default: true,
    description: 'do periodic work, such as delivering mail, in this process; one replica at a time does each job',
  },
  LOG_LEVEL: {
    type: 'string',
    enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    description: 'least severe log line that is written',
  },
  TRUST_PROXY: {
    type: 'integer',
    minimum: 0,
    maximum: 10,
    default: 0,
    description: 'number of reverse proxies whose X-Forwarded-For entry is believed',
  },
  RATE_LIMIT_REQUESTS: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 600,
    description: 'requests per minute of one credential',
  },
  RATE_LIMIT_UPLOADS: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 60,
    description: 'uploads per minute of one credential',
  },
  RATE_LIMIT_FEED: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 60,
    description: 'feed requests per minute of one consumer',
  },
  RATE_LIMIT_PAGES: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 3000,
    description: 'pages and files per minute for one address; as many calls of health and metrics',
  },
  RATE_LIMIT_LOOKUPS: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 30,
    description: 'searches by what identifies a person, per minute of one credential',
  },
  RATE_LIMIT_LOGINS_PER_ADDRESS: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 10,
    description: 'logins per minute from one address',
  },
  RATE_LIMIT_FAILED_AUTHENTICATIONS: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 100,
    description: 'credentials that nobody issued, per minute from one address',
  },
  MAX_CONNECTIONS: {
    type: 'integer',
    minimum: 10,
    maximum: 1_000_000,
    default: 4000,
    description: 'open connections; beyond, the address with the most of them loses the one that idles longest',
  },
  SLOW_CLIENT_SECONDS: {
    type: 'integer',
    minimum: 1,
    maximum: 600,
    default: 10,
    description: 'time in which a client must send 5 KiB of a body, or take 16 KiB of an answer',
  },
  MEMORY_ALARM_MIB: {
    type: 'integer',
    minimum: 64,
    maximum: 1_048_576,
    default: 1024,
    description: 'mebibytes of resident memory from which an alarm is raised',
  },
  BODY_MEMORY_MIB: {
    type: 'integer',
    minimum: 1,
    maximum: 65_536,
    default: 256,
    description: 'mebibytes of request bodies, uploads included, in memory at once; more are answered 503',
  },
  RESPONSE_VALIDATION: {
    type: 'string',
    enum: ['strict', 'report'],
    default: 'strict',
    description: 'strict answers 500 to a response that breaks the contract, report only logs it',
  },
  SHUTDOWN_GRACE_SECONDS: {
    type: 'integer',
    minimum: 0,
    maximum: 300,
    default: 10,
    description: 'time that running requests get to finish after SIGTERM',
  },
} as const satisfies Readonly<Record<string, VariableSchema>>;

export type VariableName = keyof typeof VARIABLES;

type ValueOf<S> = S extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly type: 'integer' }
    ? number
    : S extends { readonly type: 'boolean' }
      ? boolean
      : string;

type WithDefault = {
  [Name in VariableName]: (typeof VARIABLES)[Name] extends { readonly default: unknown } ? Name : never;
}[VariableName];

/** Values of the variables. Those without a default may be absent. */
export type Variables = {
  readonly [Name in WithDefault]: ValueOf<(typeof VARIABLES)[Name]>;
} & {
  readonly [Name in Exclude<VariableName, WithDefault>]?: ValueOf<(typeof VARIABLES)[Name]>;
};

/** Describes the allowed values of a variable, as the end of a sentence: "PORT must be …". */
export function allowedValues(name: VariableName): string {
  const schema: VariableSchema = VARIABLES[name];
  if (schema.type === 'integer') return `an integer from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'boolean') return 'one of true, false';
  if ('enum' in schema) return `one of ${schema.enum.join(', ')}`;
  if ('x-schemes' in schema)
    return `a URL that starts with ${schema['x-schemes'].map((scheme) => `${scheme}://`).join(' or ')}`;
  return schema['x-must-be'];
}
