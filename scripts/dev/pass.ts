import { lint } from '../generate/lint.ts';
import { ContractError } from '../generate/read-contract.ts';
import { enforceable, lastEnforceable } from './enforceable.ts';
import type { Enforceable } from './enforceable.ts';
import type { Linter } from './linter.ts';
import { quickPages } from './quick-pages.ts';
import type { Service } from './service.ts';

export interface Surroundings {
  readonly root: string;
  readonly staging: string;
  readonly linter: Linter;
  readonly service: Service;
}

/**
 * Brings what is saved into force: the linter judges the contract while the next service prepares for it. Returns the
 * contract if it is sound, whether or not the service can enforce it; null for a broken one, which changes nothing.
 */
export async function pass({ root, staging, linter, service }: Surroundings, isSourceNew: boolean): Promise<Enforceable | null> {
  const start = performance.now();
  if (isSourceNew) await service.forget();
  const findings = lint(root, ['openapi.yaml'], undefined, linter.run);
  const derived = attempt(() => enforceable(root, staging));
  const isDue = isSourceNew || !service.running;
  let preparing = derived !== null && (derived.isNew || isDue) ? service.prepare(derived.folder) : null;

  const refusal = await refusalOf(findings, derived !== null);
  const sound = refusal === null ? derived : null;
  if (sound === null) {
    const last = lastEnforceable(root);
    if (preparing !== null) await service.forget();
    preparing = isDue && last !== null ? service.prepare(last) : null;
    console.error(`dev: ${refusal}; ${last === null ? 'nothing is served yet' : 'the service goes on with the last sound one'}`);
  }
  if (sound !== null) {
    sound.keep();
    // While the service still compiles.
    quickPages(root, sound);
  }
  if (preparing === null) return sound;
  if (!(await preparing)) console.error(`dev: the service cannot be run like this; ${service.running ? 'the one before goes on' : 'the next change tries again'}`);
  else if (await service.takeOver()) console.log(`dev: ${sound === null ? 'running' : 'contract enforced'}, ${Math.round(performance.now() - start)} ms`);
  return sound;
}

function attempt(derive: () => Enforceable): Enforceable | null {
  try {
    return derive();
  } catch (error) {
    console.error(error instanceof ContractError ? error.message : error);
    return null;
  }
}

/** Why the contract is not enforced, with what is wrong told before; null if nothing is. What cannot be read has been reported with its place. */
async function refusalOf(linting: ReturnType<typeof lint>, isReadable: boolean): Promise<string | null> {
  const unreadable = isReadable ? null : 'the contract cannot be read';
  try {
    const findings = (await linting).filter(({ rule }) => isReadable || rule !== 'no-unresolved-refs');
    for (const { place, rule, message } of findings) console.error(`${place} ${rule}: ${message}`);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    return unreadable ?? (errors === 0 ? null : `not enforced: the linter refuses the contract for ${errors === 1 ? 'the finding' : `the ${errors} errors`} above`);
  } catch (error) {
    if (isReadable) console.error(error);
    return unreadable ?? 'not enforced: the linter did not run';
  }
}
