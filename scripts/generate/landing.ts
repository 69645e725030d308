/** Facts that the landing page takes from the contract. Used by the pipeline. */
import type { ContractSummary } from '../../server/pages/landing.ts';
import { plainMembers } from './model-body.ts';
import { codeSamples } from './code-samples/code-samples.ts';
import type { CodeSample } from './code-samples/sample.ts';
import type { Contract, Schema } from '../contract/contract.ts';
import type { ApiModel } from './model.ts';

/** Returns the facts that the landing page takes from the contract, so that the two cannot contradict each other. */
export function landingFacts(
  contract: Contract & { readonly info: { readonly summary?: string } },
  model: ApiModel,
): ContractSummary {
  return {
    version: model.version,
    summary: contract.info.summary ?? '',
    operations: model.operations.length,
    samples: firstCall(contract, model),
  };
}

const FIRST_CALL = 'createApplication';

/** Returns the samples of the first call, with only the required members in its body, so that they are easy to read. */
export function firstCall(contract: Contract, model: ApiModel): readonly CodeSample[] {
  const operations = model.operations
    .filter(({ operationId }) => operationId === FIRST_CALL)
    .map((operation) => {
      if (operation.body === null) return operation;
      const schema = { $ref: `#/components/schemas/${operation.body.schemaName}` };
      return { ...operation, body: { ...operation.body, example: needed(contract, schema, operation.body.example) } };
    });
  return codeSamples({ ...model, operations }).get(FIRST_CALL) ?? [];
}

/** Returns an example without its optional members. */
function needed(contract: Contract, schema: Schema, example: unknown): unknown {
  const members = plainMembers(contract, schema);
  if (members === null) return example;
  const given = example as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    members
      .filter(({ required }) => required)
      .map((member) => [member.name, needed(contract, member.schema, given[member.name])]),
  );
}
