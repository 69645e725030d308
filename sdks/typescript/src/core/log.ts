/**
 * Passes the steps of calls to the logger of the program. Used by the transport and feeds. The code that words and
 * masks them is loaded only if something is logged.
 */
import { ComplianceOnboardingError } from './errors.ts';
import type { Report } from './report.ts';

/** One step of a call. `route` is the template of the path, so that no identifier reaches a log. */
export interface LogEvent {
  readonly type: 'request' | 'response' | 'failure' | 'retry' | 'deprecation' | 'poison';
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
  /** Deprecation: since when, until when, and where to read more. Invalid item of a list: the reason. */
  readonly notice?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the members; values only of enumerations and flags that the contract does not mark as personal. */
  readonly body?: unknown;
}

/** A logger that takes a message and an object, such as `console`. */
export interface Logger {
  debug(message: string, event: LogEvent): void;
  info(message: string, event: LogEvent): void;
  warn(message: string, event: LogEvent): void;
}

/**
 * `warn`: deprecations, and invalid items of lists. `info`: also failures that are retried. `debug`: also every request
 * and response.
 */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

const LEVELS: readonly string[] = ['off', 'error', 'warn', 'info', 'debug'] satisfies LogLevel[];
/** Levels of the steps; requests and responses have the last level. */
const LEVEL_OF: Partial<Record<LogEvent['type'], number>> = {
  deprecation: 2,
  poison: 2,
  failure: 3,
  retry: 3,
};

/** Rejects a text that is not a log level. */
export function asLogLevel(level: string): LogLevel {
  if (!LEVELS.includes(level)) throw new ComplianceOnboardingError(`There is no log level ${level}`);
  return level as LogLevel;
}

/** Headers and bodies as sent or received, including secrets. */
export interface Raw {
  readonly headers?: Headers;
  readonly body?: unknown;
}

/**
 * Passes the steps of calls to the logger, each at its level. The code that words and masks them is loaded when there
 * is something to log.
 */
export class Log {
  readonly #logger: Logger;
  readonly #level: number;
  #report: Promise<Report> | undefined;

  constructor(logger: Logger, level: LogLevel) {
    this.#logger = logger;
    this.#level = LEVELS.indexOf(level);
  }

  /**
   * Calls wait for this promise, so that their log entries are written before they end; not at `warn`, where nearly all
   * calls log nothing.
   */
  get ready(): Promise<unknown> | undefined {
    return this.#level > 2 ? this.#loaded().catch(() => undefined) : undefined;
  }

  write(step: LogEvent, raw: Raw = {}): void {
    const level = LEVEL_OF[step.type] ?? 4;
    if (level <= this.#level) tell(async () => (await this.#loaded()).write(LEVELS[level] as keyof Logger, step, raw));
  }

  #loaded(): Promise<Report> {
    return (this.#report ??= import('./report.ts').then(({ Report }) => new Report(this.#logger)));
  }
}

/**
 * Calls a hook of the program. A call must not fail because its logger did, and no rejected promise may end the
 * program.
 */
export function tell(hook: () => unknown): void {
  (async () => hook())().catch(() => undefined);
}
