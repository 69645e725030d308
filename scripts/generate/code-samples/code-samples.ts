import type { ApiModel } from '../model.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import type { CodeSample } from './sample.ts';
import { typescriptSample } from './typescript.ts';

/**
 * Samples for every operation, by operationId. They read `COMPLIANCE_BASE_URL` and `COMPLIANCE_API_KEY` from the
 * environment (dashboard operations: `COMPLIANCE_ACCESS_TOKEN`), so each runs exactly as it is printed.
 */
export function codeSamples(model: ApiModel): Map<string, CodeSample[]> {
  return new Map(model.operations.map((operation) => [operation.operationId, [
    { lang: 'curl', label: 'curl', source: curlSample(operation) },
    { lang: 'typescript', label: 'TypeScript', source: typescriptSample(operation) },
    { lang: 'python', label: 'Python', source: pythonSample(operation, model) },
  ]]));
}
