/** One step of a call. `route` is the template of the path, so that no identifier reaches a log. */
export interface LogEvent {
  readonly type: 'request' | 'response' | 'retry' | 'failure';
  /** `POST /v1/applications/{applicationId}/submit` */
  readonly route: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly status?: number;
  readonly requestId?: string | null;
  readonly durationMs?: number;
  /** Pause before the next attempt. */
  readonly delayMs?: number;
  readonly error?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Logger = (event: LogEvent) => void;

/** Headers known to be harmless. Whatever is not listed is masked: a secret in an unknown header must not slip through. */
const PLAIN = new Set([
  'accept', 'content-length', 'content-type', 'date', 'etag', 'if-match', 'idempotent-replayed', 'ratelimit', 'ratelimit-policy',
  'retry-after', 'user-agent', 'x-environment', 'x-next-poll-at', 'x-poll-interval', 'x-request-id',
]);

export function redact(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), PLAIN.has(name.toLowerCase()) ? value : '***']));
}
