import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAtInterrupt } from '../interrupt.ts';
import { startService, type ServiceOptions } from '../service.ts';

export interface StartUp {
  /** Milliseconds to readiness in a new data directory: the database is created and migrated. */
  readonly first: number;
  /** The same directory again. */
  readonly again: number;
  /** The same, with the grown contract. */
  readonly grown: number;
}

/** Start-up with the embedded database, as an operator sees it. */
export async function measureStartUp(grown: Pick<ServiceOptions, 'env' | 'nodeOptions'>): Promise<StartUp> {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-start-'));
  const readyAfter = async (options: Pick<ServiceOptions, 'env' | 'nodeOptions'>): Promise<number> => {
    const service = await startService({ folder, ...options });
    await service.stop();
    return service.readyMilliseconds;
  };
  const remove = closeAtInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return { first: await readyAfter({}), again: await readyAfter({}), grown: await readyAfter(grown) };
  } finally {
    remove();
  }
}
