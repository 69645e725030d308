/** API tests that a key may do no more than the person who granted it, for every role. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation, Role, Scope } from '../../server/contract/operation.ts';
import { exampleCall } from '../support/calls.ts';
import { everyOperation, operation, ROLES } from '../support/contract.ts';
import { covering } from '../support/covering.ts';
import { schemesOf, scopesOf } from '../support/credentials.ts';
import { accessCheck } from '../support/access-check.ts';
import { useService, type Credential } from '../support/service.ts';

/**
 * Tests that every role that a person can have when granting a key and later, with each scope, is checked at every
 * operation for machines: all in this process, and over HTTP as many as cover every operation, key and role. All keys
 * share a quota that is used up beforehand, while time stands still, so a forbidden call is answered with its refusal
 * and an allowed call with 429.
 */
const people = new Map<Role, string>();
const service = await useService({
  frozen: true,
  env: { RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_UPLOADS: '1', RATE_LIMIT_FEED: '1' },
});
beforeAll(async () => {
  for (const role of TENANT_ROLES) people.set(role, (await service.acme.person(role)).id);
  const { apiKey, oauth2 } = await credentials({
    granted: 'owner',
    now: 'owner',
    scopes: ['admin'],
    environment: 'live',
    personalData: 'full',
  });
  for (const [id, as] of [
    ['getSandbox', apiKey],
    ['uploadDocument', apiKey],
    ['listFundsRecoveryEvents', oauth2],
  ] as const) {
    const { method, path } = exampleCall(operation(id));
    await service.request(method, path, { as });
  }
});

const TENANT_ROLES = ROLES.filter((role) => role !== 'platform_admin');
const SETS: readonly (readonly Scope[])[] = [['read'], ['write'], ['screening'], ['kyb'], ['admin'], ['read', 'write']];
const forMachines = everyOperation.filter((called) =>
  schemesOf(called).some((scheme) => scheme === 'apiKey' || scheme === 'oauth2'),
);
const NEEDS_FULL_DATA = [
  'downloadBusinessDocument',
  'downloadBusinessEvidencePack',
  'downloadDocument',
  'downloadEvidencePack',
  'downloadFrame',
  'createVerification',
  'createDecision',
  'downloadCaseDocument',
  'resolveCase',
];

interface Key {
  readonly granted: Role;
  readonly now: Role;
  readonly scopes: readonly Scope[];
  readonly environment: 'live' | 'test';
  readonly personalData: 'masked' | 'full';
}

/**
 * Returns the expected refusal by the model (decision 23) from the contract's roles and scopes; null if the call is
 * allowed.
 */
function refusal(
  called: Operation,
  scheme: 'apiKey' | 'oauth2',
  { granted, now, scopes, environment, personalData }: Key,
): string | null {
  const named = scopesOf(called, scheme);
  if (!scopes.includes('admin') && !named.some((scope) => scopes.includes(scope))) return 'insufficient_scope';
  const manages = (role: Role) => role === 'owner' || role === 'admin';
  for (const role of [granted, now]) {
    const personally = called.roles.includes(role);
    const reads = called.method === 'get' || named.includes('read');
    const administers = named.length === 1 && named[0] === 'admin';
    const integrates = manages(role) || (role === 'developer' && environment === 'test');
    const may = (): boolean => {
      if (reads) return personally;
      if (administers) return personally && manages(role);
      return personally || integrates;
    };
    if (!may()) return 'role_forbidden';
  }
  const full =
    personalData === 'full' &&
    [granted, now].every((role) => ['owner', 'compliance_officer', 'analyst', 'auditor'].includes(role));
  return NEEDS_FULL_DATA.includes(called.operationId) && !full ? 'personal_data_masked' : null;
}

/** Returns the code of a refusal, null for a call that was let through, and any other status as text. */
function refusalIn(status: number, code: string): string | null {
  if (status === 403) return code;
  return status === 429 ? null : `${status}`;
}

async function credentials(key: Key): Promise<Record<'apiKey' | 'oauth2', Credential>> {
  const { granted, now, scopes, ...rest } = key;
  const overrides = {
    ...rest,
    name: JSON.stringify(key).slice(0, 80),
    grantedBy: people.get(now) ?? null,
    grantedRole: granted,
    quotaClientId: 'shared',
  };
  const [apiKey, oauth2] = await Promise.all([
    service.acme.key(scopes, overrides),
    service.acme.client(scopes, overrides),
  ]);
  return { apiKey, oauth2 };
}

const checkAccess = accessCheck(service);
const byHttp = covering('cells of (role at the time × role now × scopes × operation) were decided as the model says');
let checkedKeys = 0;

/** Returns every decision that differs from the model, over all operations of the schemes. */
async function check(key: Key, schemes: readonly ('apiKey' | 'oauth2')[]): Promise<string[]> {
  const wrong: string[] = [];
  const known = await credentials(key);
  for (const scheme of schemes) {
    const taken = forMachines.filter((each) => schemesOf(each).includes(scheme));
    // Each key starts with another operation, so that keys do not all omit the same ones.
    const from = (checkedKeys++ * 7) % taken.length;
    await Promise.all(
      [...taken.slice(from), ...taken.slice(0, from)].map(async (called) => {
        const expected = refusal(called, scheme, key);
        const judge = (how: string, got: string | null): void => {
          if (got !== expected)
            wrong.push(
              `${called.operationId} ${scheme} ${JSON.stringify(key)}: ${got ?? 'allowed'} instead of ` +
                `${expected ?? 'allowed'} ${how}`,
            );
        };
        const sent = byHttp({
          [`${called.operationId} ${scheme} ${expected}`]: 1,
          [`${scheme} ${JSON.stringify(key)}`]: 10,
          [`granted by ${key.granted}`]: 10,
          [`now ${key.now}`]: 10,
        });
        judge('in process', (await checkAccess(called, known[scheme]))?.code ?? null);
        if (!sent) return;
        const { method, path } = exampleCall(called);
        const { status, body } = await service.request(method, path, { as: known[scheme] });
        judge('by HTTP', refusalIn(status, body.code));
      }),
    );
  }
  return wrong;
}

describe('a key may do no more than the person who granted it', () => {
  it.each(TENANT_ROLES)('who was %s at the time, whatever they are now', async (granted) => {
    const wrong: string[] = [];
    for (const now of TENANT_ROLES.filter((role) => granted === role || granted === 'owner' || role === 'owner')) {
      for (const scopes of SETS) {
        const schemes = granted === now ? (['apiKey', 'oauth2'] as const) : (['apiKey'] as const);
        wrong.push(
          ...(await check(
            {
              granted,
              now,
              scopes,
              environment: 'live',
              personalData: 'full',
            },
            schemes,
          )),
        );
      }
    }
    expect(wrong).toEqual([]);
  });

  it('nor more of persons than it was given', async () => {
    const wrong: string[] = [];
    for (const role of TENANT_ROLES)
      wrong.push(
        ...(await check(
          {
            granted: role,
            now: role,
            scopes: ['admin'],
            environment: 'live',
            personalData: 'masked',
          },
          ['apiKey', 'oauth2'],
        )),
      );
    expect(wrong).toEqual([]);
  });

  it('and in the sandbox developers have integrations too', async () => {
    await service.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      service.acme.id,
    ]);
    service.advance(5_001);
    const wrong: string[] = [];
    for (const role of TENANT_ROLES)
      for (const scopes of SETS)
        wrong.push(
          ...(await check(
            {
              granted: role,
              now: role,
              scopes,
              environment: 'test',
              personalData: 'full',
            },
            ['apiKey'],
          )),
        );
    expect(wrong).toEqual([]);
  });
});
