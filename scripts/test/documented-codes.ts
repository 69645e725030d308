import { join } from 'node:path';
import { METHODS, resolve, type Contract, type Example, type Reference } from '../generate/contract.ts';
import { readContract } from '../generate/read-contract.ts';

const PROBLEM = 'application/problem+json';

/**
 * The problems that an operation itself shows as examples, as `goLive 409 already_live`. Those of shared responses are
 * left out: they say what any operation may answer, and some cannot answer all of them.
 */
export function documentedCodes(): ReadonlySet<string> {
  const contract = readContract(join(import.meta.dirname, '../../openapi.yaml'));
  return new Set(Object.values(contract.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []))
    .flatMap(({ operationId, responses }) => Object.entries(responses)
      .flatMap(([status, response]) => ('$ref' in response ? [] : Object.values(response.content?.[PROBLEM]?.examples ?? {}))
        .map((example) => `${operationId} ${status} ${codeOf(contract, example)}`))));
}

function codeOf(contract: Contract, example: Example | Reference): string {
  return (resolve(contract, example).value as { code: string }).code;
}
