/** Words the steps of calls for a logger. Loaded by log.ts. Shows no secret, no personal value and no identifier. */
import { Deprecations } from './deprecation.ts';
import { detail } from './detail.ts';
import type { LogEvent, Logger, Raw } from './log.ts';

/**
 * Words the steps of calls, and shows of them neither a secret, nor a personal value, nor an identifier. It imports
 * nothing that is loaded before it: what two parts of a program share makes a third.
 */
export class Report {
  readonly #logger: Logger;
  readonly #deprecations = new Deprecations();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Returns the result of the logger, which may be a promise. */
  write(level: keyof Logger, step: LogEvent, raw: Raw): unknown {
    const notice = step.type === 'deprecation' ? this.#deprecations.notice(step.route, raw.headers!) : step.notice;
    if (notice === null) return undefined;
    const event = { ...step, ...(notice !== undefined && { notice }), ...(level === 'debug' && detail(raw)) };
    return this.#logger[level](sentence(event), event);
  }
}

function sentence({ route, type, notice, status, error, durationMs, delayMs }: LogEvent): string {
  const wait = durationMs ?? delayMs;
  return [route, notice ?? type, status, error, wait !== undefined && `after ${wait} ms`].filter(Boolean).join(' ');
}
