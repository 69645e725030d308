/** Test of every operation with an idempotency key: a repeated call has the first answer and does nothing twice. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { expectDocumented, send, validCall, validCalls } from '../support/calls.ts';
import { everyOperation, parametersOf, takesBody } from '../support/contract.ts';
import { whileChangesWait } from '../support/locks.ts';
import { useService, type Problem } from '../support/service.ts';

const service = await useService({ directory: true });

const key = (value: string = randomUUID()) => ({ headers: { 'Idempotency-Key': value } });

const idempotent = everyOperation.filter((operation) => operation.idempotent);

describe.each(idempotent)('$operationId', (operation) => {
  it('repeats its first answer and does nothing twice', async () => {
    const valid = await validCall(service, service.acme, operation);
    const repeated = key();
    const first = await send(service, valid, repeated);
    const events = (await service.acme.audit()).length;
    const second = await send(service, valid, repeated);
    expect(first.status, first.text).toBeLessThan(300);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    for (const name of ['etag', 'location', 'content-type'])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    expectDocumented(operation, second);
    expect(await service.acme.audit()).toHaveLength(events);
  });

  it('asks for a later retry while the first call runs', async () => {
    const valid = await validCall(service, service.other, operation);
    const repeated = key();
    const { first } = await whileChangesWait(service.database, async (isWaitedFor) => {
      const first = send(service, valid, repeated);
      await isWaitedFor();
      const second = await send<Problem>(service, valid, repeated);
      expect([second.status, second.body.code, second.headers.get('retry-after')]).toEqual([
        409,
        'idempotency_in_progress',
        '1',
      ]);
      expectDocumented(operation, second);
      return { first };
    });
    expect((await first).status).toBeLessThan(300);
    const third = await send(service, valid, repeated);
    expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([(await first).text, 'true']);
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['with a space', 'a b'],
    ['beyond ASCII', 'ção'],
  ])('refuses a key that is %s', async (_, value) => {
    const answer = await send<Problem>(service, await validCall(service, service.acme, operation), key(value));
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.parameter]).toEqual([
      400,
      'invalid_parameter',
      'Idempotency-Key',
    ]);
  });

  it('declares the header', () => {
    expect(parametersOf(operation).map(({ name }) => name)).toContain('Idempotency-Key');
  });
});

describe('an idempotency key', () => {
  it.each(idempotent.filter(takesBody))('is valid for one body: $operationId', async (operation) => {
    const [first, other] = await validCalls(service, service.acme, operation);
    const repeated = key();
    expect((await send(service, first, repeated)).status).toBeLessThan(300);
    const answer = await send<Problem>(service, other, repeated);
    expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
    expectDocumented(operation, answer);
  });

  it('means the same call after the sandbox switch was turned: nothing is created a second time in the other environment', async () => {
    const as = await service.acme.key(['admin']);
    const switchSandbox = (direction: string) => service.request('POST', `/v1/sandbox/${direction}`, { as });
    const create = (headers: Record<string, string>) =>
      success(
        service.api.POST('/v1/applications', {
          headers: { ...as, ...headers },
          body: { purpose: 'other', applicant: { fullName: 'Maria da Silva' } },
        }),
      );
    await switchSandbox('disable');
    const { headers } = key();
    const first = await create(headers);
    await switchSandbox('enable');
    const second = await create(headers);
    expect(second.body.id).toBe(first.body.id);
    expect([first, second].map((answer) => answer.headers.get('x-environment'))).toEqual(['live', 'live']);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});
