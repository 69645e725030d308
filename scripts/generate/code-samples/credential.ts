import type { OperationModel } from '../model.ts';

/** The credential that a sample uses: none for public operations, the dashboard's token where a person is needed. */
export type Credential = 'none' | 'api key' | 'access token';

export function credentialOf(operation: OperationModel): Credential {
  if (operation.security.length === 0) return 'none';
  return operation.security.some((requirement) => 'apiKey' in requirement) ? 'api key' : 'access token';
}
