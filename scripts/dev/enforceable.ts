import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildModel } from '../generate/build-model.ts';
import type { Contract } from '../contract/contract.ts';
import type { ApiModel } from '../generate/model.ts';
import { operationsTable, problemsTable } from '../generate/server-tables.ts';
import { readContract } from '../contract/read.ts';
import { runtimeContract } from '../generate/runtime-contract.ts';
import { apply, differences, stage } from '../generate/staging.ts';

export const GENERATED = 'server/contract/generated';

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

/** Derives what can be enforced, into a folder of its own; throws when the contract cannot even be read. */
export function enforceable(root: string, staging: string): Enforceable {
  const contract = readContract(join(root, 'openapi.yaml'));
  const model = buildModel(contract);
  stage(staging, `${GENERATED}/contract.runtime.json`, runtimeContract(contract));
  stage(staging, `${GENERATED}/operations.ts`, operationsTable(model));
  stage(staging, `${GENERATED}/problems.ts`, problemsTable(model));
  const changes = differences(staging, root).filter(({ kind }) => kind !== 'left over');
  return { contract, model, folder: join(staging, GENERATED), isNew: changes.length > 0, keep: () => { apply(staging, root, changes); } };
}

/** The folder of what was enforced last, or null in a repository where nothing is generated yet. */
export function lastEnforceable(root: string): string | null {
  const folder = join(root, GENERATED);
  return existsSync(join(folder, 'contract.runtime.json')) ? folder : null;
}

type Table = Record<string, unknown>;

/**
 * Makes a loaded table equal to the generated one of another folder, in place, because modules hold on to the object. This
 * is sound as long as no module reads a table while it loads: enforceable.test.ts holds the service to that.
 */
export async function replaceTable(table: object, folder: string, name: 'operations' | 'problems'): Promise<void> {
  const generated = await import(pathToFileURL(join(folder, `${name}.ts`)).href) as Record<string, Table>;
  for (const key of Object.keys(table)) delete (table as Table)[key];
  Object.assign(table, generated[name]);
}
