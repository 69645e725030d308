/** All SDKs under test, and the model of their operations. Used by the tests of shared behaviour. */
import { afterAll } from 'vitest';
import { buildModel } from '../../../scripts/generate/build-model.ts';
import type { OperationModel } from '../../../scripts/generate/model.ts';
import { sdkContract } from '../../../scripts/generate/sdk-contract.ts';
import { projectContract } from '../../../scripts/contract/project.ts';
import type { OperationId } from '../../../server/contract/operation.ts';
import { pythonSdk } from './python.ts';
import type { Sdk } from './sdk.ts';
import { typescriptSdk } from './typescript.ts';

export const model = buildModel(sdkContract(projectContract()));

export function operation(id: OperationId): OperationModel {
  return model.operations.find(({ operationId }) => operationId === id)!;
}

/** Starts every kind of client; they end with the test file. */
export function everySdk(): readonly Sdk[] {
  const all = [typescriptSdk(), pythonSdk(model, 'sync'), pythonSdk(model, 'async')];
  afterAll(() => Promise.all(all.map((sdk) => sdk.stop())));
  return all;
}
