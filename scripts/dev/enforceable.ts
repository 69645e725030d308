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

/** The generated modules that the service holds on to while it runs. */
export const TABLES = ['operations', 'audit-actions', 'body-limits', 'masks', 'problems', 'record-bounds'] as const;

/** What the service reads of the contract; the types of its source follow later, because nothing runs by them. */
export interface Enforceable {
  readonly contract: Contract;
  readonly model: ApiModel;
  /** Where it is staged. */
  readonly folder: string;
  /** Whether it differs from what the repository has. */
  readonly isNew: boolean;
  /** Writes it to the repository. */
  keep(): void;
}

/** Derives what can be enforced, into a folder of its own; throws when the contract cannot be read, or a limit that the service needs does not follow from it. */
export function enforceable(root: string, staging: string): Enforceable {
  const contract = readContract(join(root, 'openapi.yaml'));
  const model = buildModel(contract);
  for (const [name, text] of Object.entries(serverFiles(contract, model))) stage(staging, `${GENERATED}/${name}`, text);
  const changes = differences(staging, root).filter(({ kind }) => kind !== 'left over');
  return { contract, model, folder: join(staging, GENERATED), isNew: changes.length > 0, keep: () => { apply(staging, root, changes); } };
}

/** The folder of what was enforced last, or null in a repository where nothing is generated yet. */
export function lastEnforceable(root: string): string | null {
  const folder = join(root, GENERATED);
  return existsSync(join(folder, 'contract.runtime.json')) ? folder : null;
}

type Tables = Record<string, Record<string, unknown>>;

/**
 * Makes the tables of a loaded module equal to those of the generated one in another folder, in place, because other modules hold on to
 * the objects. This is sound as long as no module reads a table while it loads: enforceable.test.ts holds the service to that.
 */
export async function replaceTables(loaded: Tables, folder: string, name: (typeof TABLES)[number]): Promise<void> {
  const generated = await import(pathToFileURL(join(folder, `${name}.ts`)).href) as Tables;
  for (const [table, rows] of Object.entries(loaded)) {
    for (const key of Object.keys(rows)) delete rows[key];
    Object.assign(rows, generated[table]);
  }
}
