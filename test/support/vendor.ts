/**
 * A reference vendor of verifications, which speaks the protocol of connectors and misbehaves on demand. Used by tests
 * of the connector and of the settings of providers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the vendor does with the next verifications. */
export type Behaviour =
  | 'answers'
  | 'takes_two_polls'
  | 'is_busy_at_first'
  | 'breaks_off_at_first'
  | 'never_ends'
  | 'refuses'
  | 'redirects'
  | { readonly says: string };

/** A call that the vendor has received. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>> | null;
}

const PASSED = {
  status: 'passed',
  confidence: 0.97,
  checks: [{ code: 'register_asked', outcome: 'pass' }],
  extracted: { documentNumber: { value: 'AB123456', confidence: 0.9, source: 'visual' } },
};
const VERIFICATION_ID = 'v-1';

/** Starts a vendor on this machine. */
export async function startVendor() {
  let behaviour: Behaviour = 'answers';
  let result: object = PASSED;
  let calls: ReceivedCall[] = [];
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    calls.push({
      method,
      path,
      headers,
      body: body === '' ? null : (JSON.parse(body) as ReceivedCall['body']),
    });
    const send = (status: number, content: string): void =>
      void response.writeHead(status, { 'Content-Type': 'application/json' }).end(content);
    const state = (isDone: boolean): string =>
      JSON.stringify({ id: VERIFICATION_ID, ...(isDone ? { state: 'done', result } : { state: 'running' }) });
    if (typeof behaviour === 'object') return send(200, behaviour.says);
    if (behaviour === 'refuses') return send(403, '{}');
    if (behaviour === 'redirects') return void response.writeHead(302, { Location: `${url}/elsewhere` }).end();
    if (behaviour === 'is_busy_at_first' && calls.length === 1) return send(503, '{}');
    if (behaviour === 'breaks_off_at_first' && calls.length === 1) return void response.destroy();
    if (behaviour === 'never_ends') return send(200, state(false));
    send(200, state(behaviour !== 'takes_two_polls' || calls.length > 2));
  }

  return {
    url,
    /** Sets what the vendor does from now on, and forgets the calls that it has received. */
    behave(next: Behaviour, nextResult: object = PASSED): void {
      [behaviour, result, calls] = [next, nextResult, []];
    },
    calls: (): readonly ReceivedCall[] => calls,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
