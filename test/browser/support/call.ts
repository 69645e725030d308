import { baseUrl } from './service.ts';

/** A call as a customer's server makes it; its status. */
export async function callWith(key: string, path = '/v1/applications', init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers: { 'X-API-Key': key, ...init.headers } });
  await response.body?.cancel();
  return response.status;
}
