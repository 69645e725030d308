/** One step of a call. `route` is the template of the path, so that no identifier reaches a log. */
export interface LogEvent {
  readonly type: 'request' | 'response' | 'failure' | 'retry' | 'deprecation';
  /** `POST /v1/applications/{applicationId}/submit` */
  readonly route: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly status?: number;
  readonly requestId?: string | null;
  readonly durationMs?: number;
  /** Pause before the next attempt. */
  readonly delayMs?: number;
  /** Name of the error. */
  readonly error?: string;
  /** What a deprecation says: since when, until when, and where to read on. */
  readonly notice?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The names of the members; values only of enumerations and flags that the contract does not mark as personal. */
  readonly body?: unknown;
}

/** `console` is one, and so are the loggers that take a message and an object. */
export interface Logger {
  debug(message: string, event: LogEvent): void;
  info(message: string, event: LogEvent): void;
  warn(message: string, event: LogEvent): void;
}

/** `warn`: deprecations. `info`: also what failed and is tried again. `debug`: also every request and answer. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

const LEVELS: readonly string[] = ['off', 'error', 'warn', 'info', 'debug'] satisfies LogLevel[];
const LEVEL_OF = { request: 'debug', response: 'debug', failure: 'info', retry: 'info', deprecation: 'warn' } as const;

export function isLogLevel(level: string): level is LogLevel {
  return LEVELS.includes(level);
}

/** What travelled, secrets and all. */
export interface Raw {
  readonly headers?: Headers;
  readonly body?: unknown;
}

/** Makes of it what may be shown. */
export type Detail = (raw: Raw) => Pick<LogEvent, 'headers' | 'body'>;

/** Writes the steps of calls, each at its level, and never a secret, a personal value or an identifier. */
export class Log {
  readonly #logger: Logger;
  readonly #level: number;
  readonly #detail: Detail | undefined;

  /** Without `detail` neither headers nor bodies are shown. */
  constructor(logger: Logger, level: LogLevel, detail: Detail | undefined) {
    this.#logger = logger;
    this.#level = LEVELS.indexOf(level);
    this.#detail = detail;
  }

  write(step: LogEvent, raw: Raw = {}): void {
    const level = LEVEL_OF[step.type];
    if (LEVELS.indexOf(level) > this.#level) return;
    const event = { ...step, ...this.#detail?.(raw) };
    try {
      this.#logger[level](sentence(event), event);
    } catch { /* A call must not fail because its log did. */ }
  }
}

function sentence({ route, type, notice, status, error, durationMs, delayMs }: LogEvent): string {
  const wait = durationMs ?? delayMs;
  return [route, notice ?? type, status, error, wait !== undefined && `after ${wait} ms`].filter(Boolean).join(' ');
}
