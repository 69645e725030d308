/** API tests of who may change settings, and of changes that weaken protection: they need a fresh second factor. */
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal, refused, requestToken, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, bearer, startSettingsWorld, type Refusal, type SettingsTenant } from './settings-world.ts';

let tenant: SettingsTenant;

const world = await shared(startSettingsWorld());
beforeEach(async () => {
  tenant = await world.tenant();
});

const STRONGER = {
  retention: { customerYears: 15 },
  security: {
    mfaRequired: false,
    sessionHours: 8,
    inactivityDays: 60,
    allowedEmailDomains: ['example.com'],
  },
  fundsRecovery: { rawPayload: 'masked' },
};
const WEAKER = [
  ['the levels at which two decide', { decisionPolicy: { fourEyes: { levels: [] } } }],
  ['two people for the politically exposed', { decisionPolicy: { fourEyes: { onPep: false } } }],
  ['how long records are kept', { retention: { customerYears: 10 } }],
  ['how soon biometric records go', { retention: { biometricDays: 365 } }],
  ['how long a session lasts', { security: { sessionHours: 720 } }],
  ['who is locked for not coming', { security: { inactivityDays: null } }],
  ['whom one may invite', { security: { allowedEmailDomains: [] } }],
  ['what payloads show of persons', { fundsRecovery: { rawPayload: 'full' } }],
] as const;

describe('the permission to change settings', () => {
  it('excludes compliance officers from the look of the tenant and sign-in, also as a part of a patch', async () => {
    const officer = await tenant.signedIn('compliance_officer');
    for (const json of [
      { branding: { displayName: 'Banco' } },
      { security: { sessionHours: 8 } },
      { retention: { rejectedYears: 6 }, security: { sessionHours: 8 } },
    ])
      expect(refused(await tenant.patch<Refusal>(json, officer))).toEqual([403, 'role_forbidden']);
    for (const json of [
      { decisionPolicy: { minimumAge: 21 } },
      { ownership: { percent: 20 } },
      { screening: { threshold: 0.9 } },
      { queues: [] },
      { customActTypes: [] },
      { fundsRecovery: { rawPayload: 'masked' } },
      { retention: { rejectedYears: 7 } },
    ])
      expect((await tenant.patch(json, officer)).status).toBe(200);
    expect((await tenant.get()).body).toMatchObject({
      branding: { displayName: null },
      retention: { rejectedYears: 7 },
    });
  });

  it('excludes test keys, whose reach ends at the sandbox', async () => {
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant.id]);
    const test = await world.key(tenant.id, { environment: 'test' });
    expect(refused(await tenant.patch<Refusal>({ queues: [] }, apiKey(test.secret)))).toEqual([403, 'human_required']);
    expect((await tenant.get('', apiKey(test.secret))).status).toBe(200);
  });
});

describe('a patch that reduces protection', () => {
  it.each(WEAKER)('in %s is refused to machines, and to people without a second factor', async (_, json) => {
    expect((await tenant.patch(STRONGER)).status).toBe(200);
    const { secret } = await world.key(tenant.id);
    const { body } = await success(requestToken(world.api, secret));
    for (const machine of [apiKey(secret), bearer(body.access_token)]) {
      expect(refused(await tenant.patch<Refusal>(json, machine))).toEqual([403, 'human_required']);
    }
    const owner = await tenant.signedIn('owner');
    expect(refused(await tenant.patch<Refusal>(json, owner))).toEqual([403, 'step_up_required']);
    expect(refused(await tenant.patch<Refusal>(json, { ...owner, 'X-TOTP-Code': '000000' }))).toEqual([
      403,
      'step_up_required',
    ]);
    expect((await tenant.get()).body.version).toBe(2);
  });

  it('requires a code, which then is valid for five minutes', async () => {
    await tenant.patch(STRONGER);
    const { headers, nextCode } = await tenant.withFactor('owner');
    expect(refused(await tenant.patch<Refusal>({ retention: { customerYears: 14 } }, headers))).toEqual([
      403,
      'step_up_required',
    ]);
    const code = nextCode();
    const stepUp = { ...headers, 'X-TOTP-Code': code };
    expect((await tenant.patch({ retention: { customerYears: 14 } }, stepUp)).status).toBe(200);
    expect((await tenant.patch({ retention: { customerYears: 13 } }, headers)).status).toBe(200);
    world.advance(5 * 60_000);
    for (const late of [headers, stepUp])
      expect(refused(await tenant.patch<Refusal>({ retention: { customerYears: 12 } }, late))).toEqual([
        403,
        'step_up_required',
      ]);
  });

  it('uses up no code if it is refused anyway', async () => {
    const { headers, nextCode } = await tenant.withFactor('owner');
    const stepUp = { ...headers, 'X-TOTP-Code': nextCode() };
    const weaker = { retention: { biometricDays: 200 } };
    expect(
      refused(
        await refusal(world.api.PATCH('/v1/settings', { headers: { ...stepUp, 'If-Match': '"9"' }, body: weaker })),
      ),
    ).toEqual([412, 'version_conflict']);
    expect(refused(await tenant.patch<Refusal>({ retention: { biometricDays: 200, auditYears: 1 } }, stepUp))).toEqual([
      422,
      'below_legal_minimum',
    ]);
    expect((await tenant.patch(weaker, stepUp)).status).toBe(200);
  });

  it('is recorded with what it weakened, and its refusal too', async () => {
    const { headers, nextCode } = await tenant.withFactor('admin');
    await tenant.patch({ retention: { biometricDays: 100 } }, headers);
    await tenant.patch({ retention: { biometricDays: 100 } }, { ...headers, 'X-TOTP-Code': nextCode() });
    const events = await world.database.sql<{
      outcome: string;
      reason: string | null;
      changes: { path: string; value: unknown }[];
    }>(
      `SELECT outcome, reason, changes FROM audit_event WHERE tenant_id = $1
        AND (action = 'settings.updated' OR resource_id = 'updateSettings') ORDER BY sequence`,
      [tenant.id],
    );
    expect(events.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['denied', 'step_up_required'],
      ['success', null],
    ]);
    expect(events[1]?.changes).toContainEqual({ op: 'add', path: '/weakened', value: ['/retention/biometricDays'] });
  });

  it('in nothing but appearance is open to machines', async () => {
    expect((await tenant.patch(STRONGER)).status).toBe(200);
    expect(
      (
        await tenant.patch({
          decisionPolicy: { minimumAge: 21, reasonCodes: ['other'] },
          ownership: { percent: 10 },
          branding: { locale: 'es' },
        })
      ).status,
    ).toBe(200);
  });
});
