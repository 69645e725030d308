import type { Contract } from '../generate/contract.ts';

/** A contract that is being written may lack its sections; the rules then see empty ones. */
export function inAnyState(contract: Partial<Contract>): Contract {
  return { openapi: '3.1.1', info: { title: '', version: '' }, ...contract, paths: contract.paths ?? {}, components: contract.components ?? {} };
}
