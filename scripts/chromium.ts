/**
 * Path of the browser for tests and screenshots. Used by those. If no browser is installed the path does not exist, and
 * starting it fails with that path.
 */
import { existsSync } from 'node:fs';

/**
 * Debian's headless Chromium, which takes two thirds of the processor time of the full browser, and the full browser as
 * a fallback.
 */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** The browser that tests and screenshots drive, as `scripts/chromium.sh` has found or installed it. */
export const CHROMIUM: string =
  process.env['CHROMIUM'] ?? PROGRAMS.find((program) => existsSync(program)) ?? PROGRAMS[0];
