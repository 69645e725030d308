/** API tests that a limited key cannot get more rights by creating members or keys. */
import { describe, expect, it } from 'vitest';
import type { KeySpecification } from '../../server/modules/api-keys/issue-key.ts';
import { exampleCall } from '../support/calls.ts';
import { everyOperation } from '../support/contract.ts';
import { each } from '../support/each.ts';
import { useService, type Credential } from '../support/service.ts';
import type { Issued, Key } from './api-keys-world.ts';

const KEYS = '/v1/settings/api-keys';
const service = await useService();
const tenant = await service.tenant();
const owner = await tenant.person('owner');

const [tomorrow, later] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000)) as [Date, Date];
/** Limits of an administrative key, each with members that would escape the limit. */
const BOUNDS: readonly (readonly [what: string, own: Partial<KeySpecification>, wider: object])[] = [
  ['an end', { expiresAt: tomorrow }, { expiresAt: later.toISOString() }],
  ['an address list', { ipAllowlist: ['127.0.0.0/8', '::1/128'] }, { ipAllowlist: [] }],
  ['live only', { pinEnvironment: true }, { pinEnvironment: false }],
  ['personal data masked', { personalData: 'masked' }, { personalData: 'full' }],
];
/** Returns a specification as narrow as the key itself, so that one limit is tested at a time. */
const like = (own: Partial<KeySpecification>) => ({
  personalData: 'full',
  ...own,
  ...(own.expiresAt && { expiresAt: own.expiresAt.toISOString() }),
});
const credentials = async (own: Partial<KeySpecification>): Promise<readonly Credential[]> =>
  Promise.all([tenant.key(['admin'], own), tenant.client(['admin'], own)]);
const call = <T = { code: string }>(method: string, path: string, as: Credential, body?: object) =>
  service.request<T>(method, path, { as, ...(body && { body }) });
const codeOf = ({ status, body }: { status: number; body: { code?: string } | undefined }) =>
  status < 300 ? status : body?.code;
const WANTED = { name: 'Child', environment: 'live', scopes: ['admin'] };
const unbound = async () =>
  (await call<Issued>('POST', KEYS, owner.as, { ...WANTED, personalData: 'full' })).body.apiKey.prefix;

describe.each(BOUNDS)('a key that is bound by %s', (_, own, wider) => {
  it('can neither invite, promote, reactivate nor change members', async () => {
    const colleague = await tenant.person('viewer');
    const left = await tenant.person('analyst');
    await call('PATCH', `/v1/users/${left.id}`, owner.as, { status: 'deactivated' });
    const { body: invited } = await call<{ id: string; invitation: { id: string } }>(
      'POST',
      '/v1/users/invitations',
      owner.as,
      { email: `${colleague.id}@example.org`, role: 'viewer' },
    );
    for (const as of await credentials(own)) {
      const ways = [
        call('POST', '/v1/users/invitations', as, { email: 'human@attacker.example', role: 'admin' }),
        call('POST', '/v1/users/invitations', as, { email: 'human@attacker.example', role: 'viewer' }),
        call('POST', '/v1/users/invitations', as, { email: `${colleague.id}@example.org`, role: 'admin' }),
        call('POST', '/v1/users/invitations', as, { email: left.email, role: 'admin' }),
        call('PATCH', `/v1/users/${colleague.id}`, as, { role: 'admin' }),
        call('PATCH', `/v1/users/${colleague.id}`, as, { name: 'Somebody' }),
        call('PATCH', `/v1/users/${colleague.id}`, as, { status: 'deactivated' }),
        call('PATCH', `/v1/users/${left.id}`, as, { status: 'active' }),
        call('DELETE', `/v1/users/invitations/${invited.invitation.id}`, as),
        call('DELETE', `/v1/users/${colleague.id}/sessions`, as),
      ];
      expect((await Promise.all(ways)).map(codeOf)).toEqual(ways.map(() => 'scope_escalation'));
    }
    expect((await call<{ role: string }>('GET', `/v1/users/${colleague.id}`, owner.as)).body.role).toBe('viewer');
  });

  it('creates no key with fewer limits, nor frees one, itself included, by any detour', async () => {
    for (const as of each(await credentials(own))) {
      expect(codeOf(await call('POST', KEYS, as, { ...WANTED, ...like(own), ...wider })), 'create').toMatch(
        /self_widening_forbidden|scope_escalation/,
      );
      const other = await unbound();
      expect(codeOf(await call('POST', `${KEYS}/${other}/rotate`, as, {})), 'rotate').toBe('self_widening_forbidden');
      expect(codeOf(await call('PUT', `${KEYS}/${other}/scopes`, as, { scopes: ['admin', 'read'] })), 'scopes').toBe(
        'self_widening_forbidden',
      );
      const { body: child } = await call<Issued>('POST', KEYS, as, { ...WANTED, ...like(own) });
      expect(codeOf(await call('PATCH', `${KEYS}/${child.apiKey.prefix}`, as, wider)), 'free the child').toBe(
        'self_widening_forbidden',
      );
      expect(codeOf(await call('POST', `${KEYS}/${child.apiKey.prefix}/rotate`, as, {})), 'rotate the child').toBe(201);
      const self = 'X-API-Key' in as ? as['X-API-Key']!.slice(0, 17) : null;
      if (self !== null) {
        expect(codeOf(await call('PATCH', `${KEYS}/${self}`, as, { ...wider, force: true })), 'free itself').toBe(
          'self_widening_forbidden',
        );
        const { body: successor } = await call<Issued>('POST', `${KEYS}/${self}/rotate`, as, {});
        expect(
          codeOf(
            await call(
              'PATCH',
              `${KEYS}/${successor.apiKey.prefix}`,
              { 'X-API-Key': successor.secret },
              { ...wider, force: true },
            ),
          ),
          'free the successor',
        ).toBe('self_widening_forbidden');
      }
    }
  });
});

describe('a key', () => {
  it('without limits manages people as its grantor may', async () => {
    const as = await tenant.key(['admin'], { name: 'Unbound' });
    expect(
      (await call('POST', '/v1/users/invitations', as, { email: 'new@example.org', role: 'analyst' })).status,
    ).toBe(201);
    expect(codeOf(await call('POST', '/v1/users/invitations', as, { email: 'boss@example.org', role: 'owner' }))).toBe(
      'role_above_own',
    );
  });

  it('of the sandbox makes no live key, and one that is pinned to live none of the sandbox', async () => {
    await call('POST', '/v1/sandbox/enable', owner.as);
    expect(codeOf(await call('POST', KEYS, await tenant.key(['admin'], { environment: 'test' }), WANTED))).toBe(
      'scope_escalation',
    );
    await call('POST', '/v1/sandbox/disable', owner.as);
    expect(
      codeOf(
        await call('POST', KEYS, await tenant.key(['admin'], { pinEnvironment: true }), {
          ...WANTED,
          environment: 'test',
          pinEnvironment: false,
        }),
      ),
    ).toBe('scope_escalation');
  });

  it('grants no scope that it lacks, and makes nobody a grantor except its own', async () => {
    const other = await unbound();
    const { body: child } = await call<Issued>(
      'POST',
      KEYS,
      await tenant.key(['admin'], { grantedBy: owner.id, name: 'Of the owner' }),
      WANTED,
    );
    expect(child.apiKey.grantor).toEqual({ userId: owner.id, role: 'owner', active: true });
    const narrow = await tenant.key(['read', 'write']);
    expect(codeOf(await call('PUT', `${KEYS}/${other}/scopes`, narrow, { scopes: ['read'] }))).toBe(
      'insufficient_scope',
    );
  });

  it('that an administrator rotates shows no more than the administrator sees', async () => {
    const other = await unbound();
    const admin = (await tenant.person('admin')).as;
    const { body } = await call<Issued>('POST', `${KEYS}/${other}/rotate`, admin, {});
    expect(body.apiKey).toMatchObject({ personalData: 'masked', grantor: { role: 'admin' } });
    const again = await call<Key>('PUT', `${KEYS}/${await unbound()}/scopes`, admin, { scopes: ['read'] });
    expect(again.body).toMatchObject({ personalData: 'masked', grantor: { role: 'admin' } });
  });
});

describe('a key that is pinned to live', () => {
  const changesOfSandbox = everyOperation.filter(({ tag, method }) => tag === 'sandbox' && method !== 'get');

  it.each(changesOfSandbox)('does nothing in the sandbox: $operationId', async (operation) => {
    expect(changesOfSandbox.length).toBeGreaterThan(6);
    await call('POST', '/v1/sandbox/enable', owner.as);
    const { method, path, call: example } = exampleCall(operation);
    for (const as of [
      await tenant.key(['admin'], { pinEnvironment: true }),
      await tenant.client(['admin'], { pinEnvironment: true }),
    ]) {
      const answer = await service.request(method, path, { ...example, as });
      expect([answer.status, answer.body.code]).toEqual([403, 'key_pinned_to_live']);
    }
    expect(
      (await call<{ enabled: boolean; clock: { offsetSeconds: number } }>('GET', '/v1/sandbox', owner.as)).body,
    ).toMatchObject({ enabled: true, clock: { offsetSeconds: 0 } });
  });
});
