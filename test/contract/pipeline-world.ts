/** A service whose log is recorded, with raw requests. Used by the tests of the request pipeline. */
import { request as rawRequest } from 'node:http';
import { useService, type TestService } from '../support/service.ts';

export const APPLICATION = { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } } as const;

/** Starts a service whose log is recorded, and returns calls with unusual requests. */
export async function startPipelineWorld() {
  const lines: string[] = [];
  const service = await useService({ log: (line) => void lines.push(line) });
  const key = await service.acme.key(['read', 'write', 'admin']);
  const code = async (...call: Parameters<TestService['request']>) => {
    const { status, body } = await service.request(...call);
    return [status, body?.code];
  };
  /** Sends exactly these bytes, which fetch would correct. */
  function raw(
    path: string,
    options: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
  ): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number;
      headers: Record<string, unknown>;
      text: string;
    }>();
    const { hostname, port } = new URL(service.url);
    const request = rawRequest(
      {
        hostname,
        port,
        path,
        method: options.method ?? 'GET',
        headers: { ...key, ...options.headers },
        agent: false,
      },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk;
          })
          .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    request.on('error', reject).end(options.body);
    return promise;
  }
  return {
    lines,
    service,
    key,
    code,
    raw,
  };
}
