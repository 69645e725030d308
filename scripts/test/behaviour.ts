import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOGS } from './command.ts';
import type { Result } from './result.ts';
import { vitest } from './vitest.ts';

/** The behaviour that both SDKs share, against recording and faulty servers and the service with its PostgreSQL. */
export async function behaviour(soak: boolean): Promise<Result> {
  const figures = join(LOGS, 'behaviour.figures');
  mkdirSync(LOGS, { recursive: true });
  rmSync(figures, { force: true });
  const result = await vitest('behaviour', 'test/sdk/vitest.config.ts', { BEHAVIOUR_FIGURES: figures, ...(soak && { SOAK: 'true' }) });
  return { ...result, figures: lines(figures) };
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}
