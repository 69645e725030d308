/**
 * The log of the process. Created at the start; all layers write to it. It removes secrets by member name and by their
 * form, as a safeguard only: callers must not log bodies, queries or personal data.
 */
import { destination, type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

/** Part of a pino logger that the database uses; tests pass a simpler one. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type { Logger } from 'pino';

/** Form of an API key (server/identity/api-key.ts); the first group is its public prefix, which may be logged. */
const API_KEY_SECRETS = /(kyc_(?:live|test)_[0-9A-Za-z]{8})_[0-9A-Za-z]{38}/g;
/** Form of a JWT (RFC 7519): three base64url parts, the first of which begins like a JSON object. */
const TOKENS = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g;
/** Form of the refresh tokens of programs and browsers, and of the CSRF proofs of browsers. */
const SESSION_TOKENS = /\b(?:rtb?|csrf)_[\w-]{20,}/g;

/** Members that are removed from logged objects, at the top and one level below. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-csrf-token',
  'csrfToken',
  'password',
  'secret',
  'client_secret',
  'clientSecret',
  'accessToken',
  'access_token',
  'refreshToken',
  'x-api-key',
  // PostgreSQL quotes the values of the refused row in these members of an error.
  'detail',
  'where',
  'internalQuery',
]);

/** Batch size. Lines are written in batches, so that a request does not wait for the terminal or the disk. */
const BATCH_BYTES = 16_000;
const FLUSH_MILLISECONDS = 250;

let output: ReturnType<typeof destination> | null = null;

/**
 * Creates the log: structured lines on standard output. Code logs codes, ids and counts, never bodies, query values or
 * personal data. As a safeguard, well-known members are removed and every line is searched for credentials.
 */
export function createLog(level: LogLevel, sink: DestinationStream = (output ??= standardOutput())): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields, 2) },
      serializers: { err: (error: Error) => withoutSecrets(pino.stdSerializers.err(error), 1) },
    },
    { write: (line: string) => void sink.write(withoutCredentials(line)) },
  );
}

/** Copies the fields only if a member must be removed, which is never the case for the line of a request. */
function withoutSecrets(fields: object, levels: number): Record<string, unknown> {
  const original = fields as Record<string, unknown>;
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(original)) {
    const value = original[name];
    const replacement = SECRET_MEMBERS.has(name) ? undefined : loggable(value, levels);
    if (replacement !== value) (copy ??= { ...original })[name] = replacement;
  }
  return copy ?? original;
}

function loggable(value: unknown, levels: number): unknown {
  const isNested = levels > 1 && typeof value === 'object' && value !== null && !(value instanceof Error);
  return isNested ? withoutSecrets(value, levels - 1) : value;
}

/** Writes the lines that are still in memory; called before the process ends. */
export function flushLog(): void {
  output?.flushSync();
}

function standardOutput(): ReturnType<typeof destination> {
  return destination({
    dest: 1,
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: FLUSH_MILLISECONDS,
  });
}

function withoutCredentials(line: string): string {
  let clean = line;
  if (clean.includes('kyc_')) clean = clean.replace(API_KEY_SECRETS, '$1_[redacted]');
  if (clean.includes('eyJ')) clean = clean.replace(TOKENS, '[redacted token]');
  if (clean.includes('rt_') || clean.includes('rtb_') || clean.includes('csrf_'))
    clean = clean.replace(SESSION_TOKENS, '[redacted token]');
  return clean;
}
