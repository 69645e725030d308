import { run, tail } from './command.ts';
import { verdict } from './result.ts';
import type { Result } from './result.ts';

/** Changes whose verdict is known, applied to the contract. The full run also has Redocly read the whole contract each time. */
export async function mutations(soak: boolean): Promise<Result> {
  const extent = soak ? ['--places', '8', '--whole'] : [];
  const { code, output } = await run('mutations', process.execPath, ['scripts/contract-diff/mutations/main.ts', ...extent]);
  return verdict(code === 0, tail(output), output.trimEnd().split('\n').slice(-5));
}
