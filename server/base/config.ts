/**
 * Reads the configuration from environment variables. Used at the start of the service and of every command. All
 * mistakes are reported at once, without their values, because values may be secrets. No other file may read the
 * environment.
 */
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { allowedValues, VARIABLES, type VariableName, type Variables } from './config-variables.ts';

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
  /** Whether documents and faces are read, if the packages for it are installed. */
  readonly verification: Variables['VERIFICATION'];
  /** File that lists the connections to vendors of verifications; null if there are none. */
  readonly verificationConnector: string | null;
  /** Folder of the roots by which signatures of documents are trusted; null if none is. */
  readonly verificationRoots: string | null;
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

export type LogLevel = Variables['LOG_LEVEL'];

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

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration, or throws one error that names every fault of the environment and repeats no value. */
export function readConfig(env: Environment): Config {
  const { values, faults } = readVariables(env);
  const isSet = (name: VariableName): boolean => (env[name] ?? '') !== '';
  faults.push(...RULES.flatMap((rule) => rule(isSet) ?? []));
  if (values === null || faults.length > 0)
    throw new ConfigError(`The environment is not usable:\n  ${faults.join('\n  ')}`);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? null,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    serviceSecret: values.SERVICE_SECRET ?? null,
    demo: values.DEMO,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM === undefined ? null : mailbox(values.MAIL_FROM),
    directory: directory(values),
    directorySimulator: values.DIRECTORY_SIMULATOR ?? values.DATABASE_URL === undefined,
    watchLists: values.WATCH_LISTS === undefined ? null : resolve(values.WATCH_LISTS),
    verification: values.VERIFICATION,
    verificationConnector: values.VERIFICATION_CONNECTOR === undefined ? null : resolve(values.VERIFICATION_CONNECTOR),
    verificationRoots: values.VERIFICATION_ROOTS === undefined ? null : resolve(values.VERIFICATION_ROOTS),
    jobs: values.JOBS,
    logLevel: values.LOG_LEVEL,
    trustProxyHops: values.TRUST_PROXY,
    rateLimits: {
      requests: values.RATE_LIMIT_REQUESTS,
      uploads: values.RATE_LIMIT_UPLOADS,
      feed: values.RATE_LIMIT_FEED,
      pages: values.RATE_LIMIT_PAGES,
      lookups: values.RATE_LIMIT_LOOKUPS,
      loginsPerAddress: values.RATE_LIMIT_LOGINS_PER_ADDRESS,
      failedAuthentications: values.RATE_LIMIT_FAILED_AUTHENTICATIONS,
    },
    maxConnections: values.MAX_CONNECTIONS,
    slowClientSeconds: values.SLOW_CLIENT_SECONDS,
    memoryAlarmMebibytes: values.MEMORY_ALARM_MIB,
    bodyMemoryMebibytes: values.BODY_MEMORY_MIB,
    responseValidation: values.RESPONSE_VALIDATION,
    shutdownGraceSeconds: values.SHUTDOWN_GRACE_SECONDS,
  };
}

const NAMES = Object.keys(VARIABLES) as VariableName[];

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  // TypeScript checks the schema. Compiling the meta-schema, too, would slow the start of every command.
  meta: false,
  validateSchema: false,
});
ajv.addVocabulary(['x-must-be']);
ajv.addKeyword({
  keyword: 'x-schemes',
  type: 'string',
  schemaType: 'array',
  // The rule of the WHATWG, by which the clients of these addresses parse them, and not that of RFC 3986, which
  // refuses passwords that they accept.
  validate: (schemes: readonly string[], text: string) =>
    URL.canParse(text) && schemes.some((scheme) => new URL(text).protocol === `${scheme}:`),
});
ajv.addFormat('mailbox', (text) => mailbox(text) !== null);
const validate = ajv.compile<Variables>({ type: 'object', properties: VARIABLES });

/** Validates the variables and fills in defaults. An empty variable counts as absent. */
function readVariables(env: Environment): { readonly values: Variables | null; readonly faults: string[] } {
  const values: object = Object.fromEntries(
    NAMES.map((name) => [name, env[name]]).filter(([, text]) => text !== undefined && text !== ''),
  );
  // Ajv reads 1e3 and 0x10 as integers, too, but such a text is more likely a mistake.
  const wrong = new Set(
    NAMES.filter((name) => VARIABLES[name].type === 'integer' && !/^\d{0,9}$/.test(env[name] ?? '')).map(String),
  );
  const isValid = validate(values);
  for (const { instancePath } of validate.errors ?? []) wrong.add(instancePath.slice(1));
  return {
    values: isValid ? values : null,
    faults: NAMES.filter((name) => wrong.has(name)).map(
      (name) => `${name} must be ${allowedValues(name)} (${VARIABLES[name].description})`,
    ),
  };
}

/** Rules about several variables; each returns its fault, or null. */
const RULES: readonly ((isSet: (name: VariableName) => boolean) => string | null)[] = [
  function directoryIsComplete(isSet) {
    const names = ['DIRECTORY_URL', 'DIRECTORY_CA', 'DIRECTORY_SIGNER', 'DIRECTORY_PARTICIPANTS'] as const;
    return names.some(isSet) && !names.every(isSet)
      ? 'DIRECTORY_URL, DIRECTORY_CA, DIRECTORY_SIGNER and DIRECTORY_PARTICIPANTS must be set together'
      : null;
  },
  function mailHasSender(isSet) {
    return isSet('SMTP_URL') && !isSet('MAIL_FROM')
      ? `MAIL_FROM must be set with SMTP_URL (${VARIABLES.MAIL_FROM.description})`
      : null;
  },
];

function directory(values: Variables): DirectoryConfig | null {
  const { DIRECTORY_URL, DIRECTORY_CA, DIRECTORY_SIGNER, DIRECTORY_PARTICIPANTS } = values;
  return DIRECTORY_URL === undefined ||
    DIRECTORY_CA === undefined ||
    DIRECTORY_SIGNER === undefined ||
    DIRECTORY_PARTICIPANTS === undefined
    ? null
    : {
        url: DIRECTORY_URL,
        authorities: resolve(DIRECTORY_CA),
        signer: resolve(DIRECTORY_SIGNER),
        participants: resolve(DIRECTORY_PARTICIPANTS),
      };
}

/** Parses a sender, an address or `Name <address>`; returns null for any other text. */
function mailbox(text: string): Recipient | null {
  const [, name = null, bracketed] = /^([^<>\p{C}]{1,100}?) *<([^<>]+)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  return /^[^\s\p{C}@<>(),;:\\"[\]]{1,64}@[a-zA-Z0-9.-]{1,253}$/u.test(address) ? { address, name } : null;
}

/** One line per variable, for `--help`. */
export function describeConfig(): string {
  return NAMES.map((name) => {
    const schema = VARIABLES[name];
    return `${name.padEnd(33)} ${schema.description}${'default' in schema ? ` (default ${schema.default})` : ''}`;
  }).join('\n');
}
