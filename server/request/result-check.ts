/**
 * Checks a record that a merge patch has changed (RFC 7396) against the rules for creating it. Used by transact.ts and
 * validate.ts.
 */
import { segmentsOf } from '../base/json-pointer.ts';
import type { FieldError } from '../contract/problem.ts';
import { type ContractNode, pruneContract, responsePart, type RuntimeContract } from '../contract/pruned-contract.ts';
import type { ValidatorCache } from './cached-validators.ts';
import { bodyErrors } from './validation-errors.ts';
import { compileOnce, compileResult } from './validator-adapter.ts';

const IN_ORDER = 'x-in-order';

/** Checks the patched record, which `result` holds in the form of the body. */
export type ResultCheck = (result: object, patch: unknown) => readonly FieldError[];

/** Compiles the check for the results of one operation. It accepts everything if the operation declares no schema. */
export function resultCheckOf(
  schema: ContractNode | undefined,
  contract: RuntimeContract,
  cache: ValidatorCache,
): ResultCheck {
  if (schema === undefined) return () => [];
  const { part, document } = pruneContract(contract, responsePart({ 'application/json': { schema } }, contract));
  const name = `result ${JSON.stringify(schema)}`;
  const {
    byType: { 'application/json': compiled },
    parts,
  } = compileOnce(['result', document, part], () => compileResult(document, part, name, cache));
  cache.record(name, parts);
  return (result, patch) => {
    if (compiled === undefined || compiled({ response: result })) return [];
    const errors = (compiled.errors ?? []).map((error) => ({
      ...error,
      instancePath: error.instancePath.replace(/^\/response/, '/body'),
    }));
    // The patch may have changed either of the two members whose order is wrong.
    const disordered = new Map(
      errors
        .filter(({ keyword }) => keyword === IN_ORDER)
        .map(({ instancePath, params }) => {
          const within = instancePath.replace(/^\/body/, '');
          return [`${within}/${String((params as { readonly later: unknown }).later)}`, within];
        }),
    );
    return bodyErrors(errors, contract['x-patterns'] ?? {}).filter(
      ({ pointer = '', code }) => code === 'required' || isNamed(patch, disordered.get(pointer) ?? pointer),
    );
  };
}

/**
 * Tells whether a patch names the member. Text that was accepted before a rule became stricter does not prevent other
 * changes.
 */
function isNamed(patch: unknown, pointer: string): boolean {
  const steps = segmentsOf(pointer);
  const reached = steps.reduce<unknown>(
    (node, step) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[step] : node),
    patch,
  );
  return reached !== undefined;
}
