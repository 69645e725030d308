/** Test of every operation that needs a credential: its answer names the environment. */
import { beforeAll, describe, expect, it } from 'vitest';
import { paramsOf } from '../operations/records.ts';
import { success } from '../support/api.ts';
import { exampleCall, send, validCall } from '../support/calls.ts';
import { everyOperation, isPublic } from '../support/contract.ts';
import { schemesOf, scopesOf } from '../support/credentials.ts';
import { useService, type Tenant } from '../support/service.ts';
import { tally } from '../support/tally.ts';

let switched: Tenant;
const service = await useService({ directory: true });
beforeAll(async () => {
  switched = await service.tenant();
  await success(service.api.POST('/v1/sandbox/enable', { headers: await switched.key(['admin']) }));
});

const authenticated = everyOperation.filter((operation) => !isPublic(operation));

describe('the environment', () => {
  const counted = tally('operations told their environment');

  it.each(authenticated)('is named in the answer and in a refusal: $operationId', async (operation) => {
    const valid = await validCall(service, service.acme, operation);
    const refused = await send(service, { ...valid, path: `${valid.path}?colour=blue` });
    const answer = await send(service, valid);
    expect(answer.status, answer.text).toBeLessThan(300);
    for (const { headers } of [answer, refused]) expect(headers.get('x-environment')).toMatch(/^(live|sandbox)$/);
    counted();
  });

  const readByKeys = authenticated.filter(
    (operation) => operation.method === 'get' && schemesOf(operation).includes('apiKey'),
  );

  it.each(readByKeys)(
    'is the sandbox for a test key, and live for a pinned one, whatever the switch says: $operationId',
    async (operation) => {
      const { path } = exampleCall(operation, await paramsOf(service, switched, operation));
      const scopes = scopesOf(operation, 'apiKey');
      // An evidence pack may have to wait until the log can be signed again.
      service.advance(11_000);
      for (const [as, expected] of [
        [await switched.key(scopes, { environment: 'test' }), 'sandbox'],
        [await switched.key(scopes), 'sandbox'],
        [await switched.key(scopes, { pinEnvironment: true }), 'live'],
      ] as const) {
        const { headers, status } = await service.request('GET', path, { as });
        expect([200, 404]).toContain(status);
        expect(headers.get('x-environment')).toBe(expected);
      }
    },
  );
});
