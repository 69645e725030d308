import { destination, pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';
import { API_KEY_SECRETS } from './api-key.ts';

export type { Logger } from 'pino';

/** Three base64url parts of which the first begins like a JSON object: a JWT (RFC 7519). */
const TOKENS = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g;
const REFRESH_TOKENS = /\brt_[\w-]{20,}/g;

/** Members that never reach the log, wherever an object with them is logged. */
const SECRET_MEMBERS = ['authorization', 'password', 'secret', 'client_secret', 'clientSecret', 'accessToken', 'access_token', 'refreshToken', 'x-api-key'];

/** Lines are written in batches, so that a request does not wait for the terminal or the disk. */
const BATCH_BYTES = 4096;
const LONGEST_WAIT_MILLISECONDS = 250;

let output: ReturnType<typeof destination> | null = null;

/**
 * Structured lines on standard output. Code logs codes, ids and counts, never bodies, query values or personal data.
 * In case something slips through, well-known members are removed and every line is searched for credentials.
 */
export function createLog(level: LogLevel, sink: DestinationStream = (output ??= standardOutput())): Logger {
  return pino({
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_MEMBERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), remove: true },
  }, { write: (line: string) => void sink.write(withoutCredentials(line)) });
}

/** Writes what still waits; for the end of the process. */
export function flushLog(): void {
  output?.flushSync();
}

function standardOutput(): ReturnType<typeof destination> {
  return destination({ dest: 1, sync: false, minLength: BATCH_BYTES, periodicFlush: LONGEST_WAIT_MILLISECONDS });
}

export function withoutCredentials(line: string): string {
  if (!line.includes('kyc_') && !line.includes('eyJ') && !line.includes('rt_')) return line;
  return line.replace(API_KEY_SECRETS, '$1_[redacted]').replace(TOKENS, '[redacted token]').replace(REFRESH_TOKENS, '[redacted token]');
}
