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
  /** What a deprecation says: since when, until when, and where to read on. Or what is wrong with an item of a list. */
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

/** `warn`: deprecations, and items of lists that are none. `info`: also what failed and is tried again. `debug`: also every request and answer. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

const LEVELS: readonly string[] = ['off', 'error', 'warn', 'info', 'debug'] satisfies LogLevel[];
/** Where they stand among the levels; requests and answers stand at the last one. */
const LEVEL_OF: Partial<Record<LogEvent['type'], number>> = { deprecation: 2, poison: 2, failure: 3, retry: 3 };

/** Refuses what is none. */
export function asLogLevel(level: string): LogLevel {
  if (!LEVELS.includes(level)) throw new ComplianceOnboardingError(`There is no log level ${level}`);
  return level as LogLevel;
}

/** What travelled, secrets and all. */
export interface Raw {
  readonly headers?: Headers;
  readonly body?: unknown;
}

/** Hands the steps of calls to the logger, each at its level. What words and masks them is loaded when there is something to tell. */
export class Log {
  readonly #logger: Logger;
  readonly #level: number;
  #report: Promise<Report> | undefined;

  constructor(logger: Logger, level: LogLevel) {
    this.#logger = logger;
    this.#level = LEVELS.indexOf(level);
  }

  /** Calls wait for it, so that what they tell stands in the log once they have ended; not at `warn`, where nearly all tell nothing. */
  get ready(): Promise<unknown> | undefined {
    return this.#level > 2 ? this.#loaded().catch(() => undefined) : undefined;
  }

  write(step: LogEvent, raw: Raw = {}): void {
    const level = LEVEL_OF[step.type] ?? 4;
    if (level <= this.#level) tell(async () => (await this.#loaded()).write(LEVELS[level] as keyof Logger, step, raw));
  }

  #loaded(): Promise<Report> {
    return this.#report ??= import('./report.ts').then(({ Report }) => new Report(this.#logger));
  }
}

/** Calls a hook of the program. A call must not fail because its log did, and no rejected promise may end the program. */
export function tell(hook: () => unknown): void {
  (async () => hook())().catch(() => undefined);
}
