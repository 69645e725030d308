import type { Prepared } from '../load/plan.ts';
import type { Row } from './rows.ts';
import type { Tenant } from './laboratory.ts';

export function reads(rows: readonly Row[], tenants: readonly Tenant[]): Prepared[] {
  const keys = new Map(tenants.map(({ id, apiKey }) => [id, apiKey]));
  return rows.flatMap(({ tenantId, id }) => {
    const apiKey = keys.get(tenantId);
    return apiKey === undefined ? [] : [request('GET', `/v1/applications/${id}`, apiKey)];
  });
}

export function creations(tenants: readonly Tenant[], create: object): Prepared[] {
  const body = JSON.stringify(create);
  const described = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return tenants.map(({ apiKey }) => ({ head: request('POST', '/v1/applications', apiKey).head + described, body }));
}

/** Without a body. */
export function request(method: string, path: string, apiKey: string): Prepared {
  return { head: `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: application/json\r\nX-API-Key: ${apiKey}\r\n`, body: '' };
}
