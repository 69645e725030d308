/**
 * Which problem codes each operation documents in the SDKs. Used by both SDK generators. Codes of nearly all operations
 * are left out.
 */
import { METHODS, resolve } from '../contract/contract.ts';
import type { Contract, Example, Response } from '../contract/contract.ts';

/** Specific problem codes of each operation, as its examples show them, in the order of their status. */
export type ProblemCodes = ReadonlyMap<string, readonly string[]>;

/**
 * Codes of more than this share of the operations (a missing credential, an exhausted quota) are omitted, because they
 * would hide the others.
 */
const SHARE_OF_THE_USUAL = 1 / 3;
const ALWAYS_LISTED = new Set([404, 422]);

export function problemCodes(contract: Contract): ProblemCodes {
  const found = new Map<string, Map<string, number>>();
  for (const item of Object.values(contract.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation !== undefined)
        found.set(
          operation.operationId,
          codesOf(
            Object.values(operation.responses).map((response) => resolve<Response>(contract, response)),
            contract,
          ),
        );
    }
  }
  const uses = new Map<string, number>();
  for (const codes of found.values()) for (const code of codes.keys()) uses.set(code, (uses.get(code) ?? 0) + 1);
  const isShown = ([code, status]: readonly [string, number]): boolean =>
    ALWAYS_LISTED.has(status) || (uses.get(code) ?? 0) <= found.size * SHARE_OF_THE_USUAL;
  return new Map(
    [...found].map(([operationId, codes]) => [operationId, [...codes].filter(isShown).map(([code]) => code)]),
  );
}

function codesOf(responses: readonly Response[], contract: Contract): Map<string, number> {
  const examples = responses.flatMap(({ content }) =>
    Object.values(content?.['application/problem+json']?.examples ?? {}),
  );
  const problems = examples.map(
    (example) => resolve<Example>(contract, example).value as { readonly code?: string; readonly status?: number },
  );
  return new Map(
    problems.flatMap(({ code, status }) => (code === undefined || status === undefined ? [] : [[code, status]])),
  );
}
