/** Makes a call with an API key beside the browser. Used by browser tests. */
import { baseUrl } from './service.ts';

/** Makes a call as a customer's server does, and returns the status. */
export async function callWith(key: string, path = '/v1/applications', init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers: { 'X-API-Key': key, ...init.headers } });
  await response.body?.cancel();
  return response.status;
}
