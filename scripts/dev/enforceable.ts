/**
 * Generates into a staging folder what the service reads of the contract, and replaces the tables of a loaded service.
 * Used by `make dev`. Safe only as long as no module reads a table while it loads, which a test checks.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildModel } from '../generate/build-model.ts';
import type { Contract } from '../contract/contract.ts';
import type { ApiModel } from '../generate/model.ts';
import { serverFiles } from '../generate/server-tables.ts';
import { readContract } from '../contract/read.ts';
import { apply, differences, stage } from '../generate/staging.ts';

export const GENERATED = 'server/contract/generated';

/** Generated modules whose tables the service keeps in memory. */
export const TABLES = ['operations', 'audit-actions', 'body-limits', 'masks', 'problems', 'record-bounds'] as const;

/**
 * What the service reads of the contract. The types of its source are generated later, because nothing needs them at
 * run time.
 */
export interface Enforceable {
  readonly contract: Contract;
  readonly model: ApiModel;
  /** Staging folder. */
  readonly folder: string;
  /** Whether it differs from the files in the repository. */
  readonly isNew: boolean;
  /** Writes the files to the repository. */
  keep(): void;
}

/**
 * Generates into a staging folder what the service can enforce; throws if the contract cannot be read, or if a limit
 * that the service needs does not follow from it.
 */
export function enforceable(root: string, staging: string): Enforceable {
  const contract = readContract(join(root, 'openapi.yaml'));
  const model = buildModel(contract);
  for (const [name, text] of Object.entries(serverFiles(contract, model))) stage(staging, `${GENERATED}/${name}`, text);
  const changes = differences(staging, root).filter(({ kind }) => kind !== 'left over');
  return {
    contract,
    model,
    folder: join(staging, GENERATED),
    isNew: changes.length > 0,
    keep: () => {
      apply(staging, root, changes);
    },
  };
}

/** Returns the folder of the last enforced tables, or null if the repository has no generated files yet. */
export function lastEnforceable(root: string): string | null {
  const folder = join(root, GENERATED);
  return existsSync(join(folder, 'contract.runtime.json')) ? folder : null;
}

type Tables = Record<string, Record<string, unknown>>;

/**
 * Makes the tables of a loaded module equal to those of the generated module in another folder. It changes them in
 * place, because other modules hold references to the objects. This is safe as long as no module reads a table while it
 * loads, which enforceable.test.ts checks.
 */
export async function replaceTables(loaded: Tables, folder: string, name: (typeof TABLES)[number]): Promise<void> {
  const generated = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as Tables;
  for (const [table, rows] of Object.entries(loaded)) {
    for (const key of Object.keys(rows)) delete rows[key];
    Object.assign(rows, generated[table]);
  }
}
