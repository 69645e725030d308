/** Test of every operation with machines: closed without the scope, or if it is for people only. */
import { describe, expect, it } from 'vitest';
import { type Operation, type SchemeName, type Scope, SCOPES } from '../../server/contract/operation.ts';
import { refusal } from '../support/api.ts';
import { callExample, expectDocumented } from '../support/calls.ts';
import { everyOperation, isPublic } from '../support/contract.ts';
import { covering } from '../support/covering.ts';
import { credentialOf, schemesOf, scopesOf } from '../support/credentials.ts';
import { accessCheck } from '../support/access-check.ts';
import { useService, type Credential } from '../support/service.ts';
import { tally } from '../support/tally.ts';

const MACHINES = ['apiKey', 'oauth2'] as const;
/** Sets of scopes without `admin`, which includes all others. */
const SETS = SCOPES.filter((scope) => scope !== 'admin')
  .reduce<readonly (readonly Scope[])[]>((sets, scope) => sets.flatMap((set) => [set, [...set, scope]]), [[]])
  .filter((set) => set.length > 0);

const service = await useService();

const checkAccess = accessCheck(service);
const machine = (kind: SchemeName, scopes: readonly Scope[]): Promise<Credential> =>
  kind === 'apiKey' ? service.acme.key(scopes) : service.acme.client(scopes);

const secured = everyOperation.filter((operation) => !isPublic(operation));
const takes = (operation: Operation): readonly SchemeName[] =>
  MACHINES.filter((kind) => schemesOf(operation).includes(kind));

describe('a machine', () => {
  const byHttp = covering('insufficient sets of scopes were refused');

  it.each(
    secured.flatMap((operation) => takes(operation).map((kind) => ({ name: operation.operationId, kind, operation }))),
  )('needs a scope that the contract names, whatever others it has: $name by $kind', async ({ kind, operation }) => {
    const named = scopesOf(operation, kind);
    expect(named.length).toBeGreaterThan(0);
    for (const set of SETS.filter((scopes) => !scopes.some((scope) => named.includes(scope)))) {
      const as = await machine(kind, set);
      expect(await checkAccess(operation, as), set.join(' ')).toMatchObject({
        status: 403,
        code: 'insufficient_scope',
        members: { requiredScopes: named },
      });
      if (!byHttp({ [`${operation.operationId} ${kind}`]: 1, [`${kind} ${set.join(' ')}`]: 10 })) continue;
      const answer = await callExample(service, operation, { as });
      expect([answer.status, answer.body.code, answer.body.requiredScopes], set.join(' ')).toEqual([
        403,
        'insufficient_scope',
        named,
      ]);
      expectDocumented(operation, answer);
      if (kind === 'oauth2')
        expect(answer.headers.get('www-authenticate')).toContain(
          `error="insufficient_scope", scope="${named.join(' ')}"`,
        );
    }
  });

  it.each(
    secured.flatMap((operation) => takes(operation).map((kind) => ({ name: operation.operationId, kind, operation }))),
  )('is admitted with the scope alone: $name by $kind', async ({ kind, operation }) => {
    const answer = await callExample(service, operation, { as: await credentialOf(service.acme, operation, kind) });
    // The sandbox may be off, which is independent of permissions.
    if (answer.body?.code !== 'sandbox_disabled') expect([401, 403], answer.text).not.toContain(answer.status);
    expectDocumented(operation, answer);
  });

  it('whose token names more scopes than its key now has, has only the scopes of the key', async () => {
    const prefix = (await service.acme.key(['read'], { name: 'Narrow' }))['X-API-Key']!.slice(
      0,
      'kyc_live_00000000'.length,
    );
    const token = service.running.services.tokens.forClient(
      {
        prefix,
        tenantId: service.acme.id,
        scopes: ['read', 'write', 'admin'],
        environment: 'live',
      },
      3600,
    );
    const as = { Authorization: `Bearer ${token}` };
    expect((await service.api.GET('/v1/applications', { headers: as })).response.status).toBe(200);
    expect((await refusal(service.api.POST('/v1/sandbox/enable', { headers: as }))).body).toMatchObject({
      code: 'insufficient_scope',
      requiredScopes: ['admin'],
    });
  });
});

describe('an operation for people only', () => {
  const human = secured.filter(({ humanOnly }) => humanOnly);
  const counted = tally('machines with every scope were told that a person is required');

  it.each(human.flatMap((operation) => MACHINES.map((kind) => ({ name: operation.operationId, kind, operation }))))(
    'is refused to a machine with every scope: $name by $kind',
    async ({ kind, operation }) => {
      const answer = await callExample(service, operation, { as: await machine(kind, SCOPES) });
      // A sealed operation does not exist for machines.
      const refused = operation.sealed.length > 0 ? [404, 'not_found'] : [403, 'human_required'];
      expect([answer.status, answer.body.code]).toEqual(refused);
      expectDocumented(operation, answer);
      counted();
    },
  );

  it.each(
    secured
      .filter(({ humanOnly }) => !humanOnly)
      .flatMap((operation) =>
        MACHINES.filter((kind) => !schemesOf(operation).includes(kind)).map((kind) => ({
          name: operation.operationId,
          kind,
          operation,
        })),
      ),
  )('is not refused to $kind for that reason: $name', async ({ kind, operation }) => {
    const answer = await callExample(service, operation, { as: await machine(kind, ['admin']) });
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_required']);
    expectDocumented(operation, answer);
  });
});
