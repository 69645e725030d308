import type { ApiModel } from '../model.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import type { CodeSample } from './sample.ts';
import { typescriptSample } from './typescript.ts';

/**
 * Samples for every operation, by operationId. Address and credential come from the environment: `COMPLIANCE_BASE_URL` and
 * `COMPLIANCE_API_KEY`, or `COMPLIANCE_ACCESS_TOKEN`. What else a reader must replace is the contract's example of an id or a secret.
 */
export function codeSamples(model: ApiModel): Map<string, CodeSample[]> {
  return new Map(model.operations.map((operation) => [operation.operationId, [
    { lang: 'curl', label: 'curl', source: curlSample(operation) },
    { lang: 'typescript', label: 'TypeScript', source: typescriptSample(operation) },
    { lang: 'python', label: 'Python', source: pythonSample(operation, model) },
  ]]));
}
