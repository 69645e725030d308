import { run, tail } from './command.ts';
import type { Result } from './result.ts';
import { vitest } from './vitest.ts';

/** The pages in Chromium, which is installed first when it is missing. */
export async function browser(): Promise<Result> {
  const { code, output } = await run('chromium', 'sh', ['scripts/chromium.sh']);
  if (code !== 0) return { passed: 0, failed: 1, complaint: tail(output) };
  return vitest('browser', 'test/browser/vitest.config.ts');
}
