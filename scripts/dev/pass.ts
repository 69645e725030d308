/**
 * Puts a saved contract into force: lint, generate, prepare the standby, hand over. Called by `make dev` after every
 * change. An invalid contract changes nothing; the last valid one stays in force.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeSamples } from '../generate/code-samples/code-samples.ts';
import { publishedDocuments } from '../generate/documents.ts';
import { docsContract, referenceContract } from '../generate/reader-contract.ts';
import { lint } from '../generate/tools.ts';
import { unformatted } from '../contract/format/index.ts';
import { ContractError } from '../contract/read.ts';
import { enforceable, type Enforceable, lastEnforceable } from './enforceable.ts';
import type { Linter } from './linter.ts';
import type { Service } from './service.ts';

interface PassContext {
  readonly root: string;
  readonly staging: string;
  readonly linter: Linter;
  readonly service: Service;
}

/**
 * Rules left to the background run: compiling a validator for every schema that has an example takes half of the
 * linter's time.
 */
const LATER = ['no-invalid-media-type-examples', 'no-invalid-parameter-examples', 'no-invalid-schema-examples'].map(
  (rule) => `--skip-rule=${rule}`,
);

/**
 * Puts the saved contract into force: the linter checks it while the standby service prepares for it. Returns the
 * contract if it is valid, even if the service cannot enforce it; null for an invalid contract, which changes nothing.
 */
export async function pass(
  { root, staging, linter, service }: PassContext,
  isSourceNew: boolean,
): Promise<Enforceable | null> {
  const start = performance.now();
  if (isSourceNew) await service.forget();
  const findings = lint(root, ['openapi.yaml'], undefined, (args, cwd) => linter.run([...args, ...LATER], cwd));
  const derived = attempt(root, () => enforceable(root, staging));
  const isDue = isSourceNew || !service.running;
  let preparing = derived !== null && (derived.isNew || isDue) ? service.prepare(derived.folder) : null;

  const refusal = await refusalOf(root, findings, derived !== null);
  const sound = refusal === null ? derived : null;
  if (sound === null) {
    const last = lastEnforceable(root);
    if (preparing !== null) await service.forget();
    preparing = isDue && last !== null ? service.prepare(last) : null;
    console.error(
      `dev: ${refusal}; ${last === null ? 'nothing is served yet' : 'the service goes on with the last sound one'}`,
    );
  }
  if (sound !== null) {
    sound.keep();
    // Written while the service is still compiling.
    quickPages(root, sound);
  }
  if (preparing === null) return sound;
  if (!(await preparing))
    console.error(
      'dev: the service cannot be run like this; ' +
        `${service.running ? 'the one before goes on' : 'the next change tries again'}`,
    );
  else if (await service.takeOver())
    console.log(
      `dev: ${sound === null ? 'running' : 'contract enforced'}, ${Math.round(performance.now() - start)} ms`,
    );
  return sound;
}

function attempt(root: string, derive: () => Enforceable): Enforceable | null {
  try {
    return derive();
  } catch (error) {
    if (incompleteness(root) === null) console.error(error instanceof ContractError ? error.message : error);
    return null;
  }
}

/**
 * Returns what `make format` would add to the contract, or why it cannot complete it; null for a complete contract.
 * Called only if the contract has an error.
 */
function incompleteness(root: string): string | null {
  const found = unformatted(readFileSync(join(root, 'openapi.yaml'), 'utf8'));
  return found?.isIncomplete === true ? `openapi.yaml:${found.line}:${found.column} ${found.message}` : null;
}

/**
 * Returns why the contract is not enforced, after printing its errors; null if it has none. An unreadable contract has
 * been reported with its place already.
 */
async function refusalOf(root: string, linting: ReturnType<typeof lint>, isReadable: boolean): Promise<string | null> {
  const unreadable = isReadable ? null : 'the contract cannot be enforced';
  try {
    const findings = (await linting).filter(({ rule }) => isReadable || rule !== 'no-unresolved-refs');
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const incomplete = errors > 0 || !isReadable ? incompleteness(root) : null;
    if (incomplete !== null) {
      console.error(incomplete);
      return 'not enforced: the contract is not complete';
    }
    for (const { place, rule, message } of findings) console.error(`${place} ${rule}: ${message}`);
    return (
      unreadable ??
      (errors === 0
        ? null
        : 'not enforced: the linter refuses the contract for ' +
          `${errors === 1 ? 'the finding' : `the ${errors} errors`} above`)
    );
  } catch (error) {
    if (isReadable) console.error(error);
    return unreadable ?? 'not enforced: the linter did not run';
  }
}

const DOCS = 'docs/dist';

/**
 * Updates at once what readers see: the published contract, and the last reference page with the new contract in it,
 * which the browser then renders. The prerendered page replaces it when it has been built.
 */
function quickPages(root: string, { contract, model }: Enforceable): void {
  const readers = docsContract(contract, codeSamples(model));
  const place = (name: string, text: string | Uint8Array): void => {
    replace(join(root, DOCS, name), text);
  };
  place('contract.docs.json', JSON.stringify(readers));
  for (const [name, text] of Object.entries(publishedDocuments(contract))) place(name, text);
  place('openapi.yaml', readFileSync(join(root, 'openapi.yaml')));
  const page = join(root, DOCS, 'reference.html');
  const redrawn = existsSync(page)
    ? undrawn(readFileSync(page, 'utf8'), JSON.stringify(referenceContract(readers)))
    : null;
  if (redrawn !== null) place('reference.html', redrawn);
}

/** Replaces a file atomically, because the running service may read it at any moment. */
function replace(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/**
 * Returns the page without its prerendered part and with another contract; null if it does not have the form of a
 * generated page.
 */
export function undrawn(page: string, contract: string): string | null {
  const root = '<div id="redoc">';
  const [definition, next] = ['const __redoc_definition = ', '\n      const __redoc_options'];
  const drawing = page.indexOf(root) + root.length;
  const script = page.indexOf('<script type="module">', drawing);
  const start = page.lastIndexOf(definition) + definition.length;
  const end = page.indexOf(next, start);
  if (drawing < root.length || script < 0 || start < definition.length || end < 0) return null;
  // No text within a script may look like its end tag.
  const safe = contract.replaceAll('<', String.raw`\u003c`);
  return `${page.slice(0, drawing)}</div>\n${page.slice(script, start)}${safe};${page.slice(end)}`;
}
