/** Client options that hear every step. Used by tests of logging. */
import type { ClientOptions, LogEvent } from '../../src/index.ts';

/** The options of a client whose every step is heard. */
export function listener(
  hear: (event: LogEvent, message: string, level: string) => unknown,
): Pick<ClientOptions, 'logger' | 'logLevel'> {
  const at =
    (level: string) =>
    (message: string, event: LogEvent): void => {
      hear(event, message, level);
    };
  return { logLevel: 'debug', logger: { debug: at('debug'), info: at('info'), warn: at('warn') } };
}
