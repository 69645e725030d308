import { readContract } from '../../contract/read.ts';
import { resolve } from '../../contract/contract.ts';
import type { Contract, Example, MediaType, RequestBody, Response } from '../../contract/contract.ts';

/** A request and an answer of realistic size: the examples of the published contract. */
export interface Samples {
  readonly create: Record<string, unknown>;
  readonly application: Record<string, unknown>;
}

export function readSamples(contractFile: string): Samples {
  const contract = readContract(contractFile);
  const create = contract.paths['/v1/applications']?.post?.requestBody;
  const read = contract.paths['/v1/applications/{applicationId}']?.get?.responses['200'];
  if (create === undefined || read === undefined) throw new Error('the contract lacks createApplication or getApplication');
  return {
    create: firstExample(contract, resolve<RequestBody>(contract, create).content['application/json']),
    application: firstExample(contract, resolve<Response>(contract, read).content?.['application/json']),
  };
}

function firstExample(contract: Contract, media: MediaType | undefined): Record<string, unknown> {
  const [example] = Object.values(media?.examples ?? {});
  if (example === undefined) throw new Error('the contract has no example to measure with');
  return resolve<Example>(contract, example).value as Record<string, unknown>;
}
