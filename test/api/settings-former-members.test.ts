/** API tests of settings in their former form, which programs of earlier versions still send. */
import { beforeEach, describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { startSettingsWorld, type Refusal, type SettingsTenant } from './settings-world.ts';

let tenant: SettingsTenant;
const world = await shared(startSettingsWorld());

beforeEach(async () => {
  tenant = await world.tenant();
});

describe('changing the settings', () => {
  it('applies the former single number of months to all three, and ignores it if it is only sent back', async () => {
    const validity = async () => (await tenant.get()).body.decisionPolicy;
    expect((await tenant.patch({ decisionPolicy: { validityMonths: 18 } })).status).toBe(200);
    expect(await validity()).toMatchObject({ validityMonths: 18, validityByRisk: { low: 18, medium: 18, high: 18 } });
    await tenant.patch({ decisionPolicy: { ...(await validity()), validityByRisk: { low: 48, medium: 30 } } });
    expect(await validity()).toMatchObject({ validityMonths: 30, validityByRisk: { low: 48, medium: 30, high: 18 } });
    await tenant.patch({ decisionPolicy: { validityMonths: 24, validityByRisk: { medium: 24 } } });
    expect(await validity()).toMatchObject({ validityMonths: 24, validityByRisk: { low: 48, medium: 24, high: 18 } });
    const { status, body } = await tenant.patch<Refusal>({
      decisionPolicy: { validityMonths: 12, validityByRisk: { high: 6 } },
    });
    expect([status, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)]).toEqual([
      422,
      ['/decisionPolicy/validityMonths not_allowed'],
    ]);
    expect((await validity())?.validityByRisk).toEqual({ low: 48, medium: 24, high: 18 });
  });

  it('preserves the number that a tenant had set before there were three', async () => {
    await tenant.patch({ decisionPolicy: { validityByRisk: { high: 6 } } });
    await world.database.sql(
      `UPDATE tenant_settings SET version = version + 1, document = '{"decisionPolicy": {"validityMonths": 30}}'
        WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await tenant.get()).body.decisionPolicy).toMatchObject({
      validityMonths: 30,
      validityByRisk: { low: 30, medium: 30, high: 30 },
    });
    await tenant.patch({ decisionPolicy: { validityByRisk: { high: 6 } } });
    expect((await tenant.get()).body.decisionPolicy).toMatchObject({
      validityMonths: 30,
      validityByRisk: { low: 30, medium: 30, high: 6 },
    });
  });

  it('applies the former single threshold to every alert threshold, raises those below it, and lets it fall again', async () => {
    const lines = async () => {
      const { threshold, profile } = (await tenant.get()).body.screening!;
      return [
        threshold,
        ...Object.values(profile)
          .flatMap(({ person, organisation }) => [person, organisation])
          .map(({ alert, review, strong }) => `${alert} ${review} ${strong}`),
      ];
    };
    const shipped = await lines();
    expect(shipped).toEqual([
      0.82,
      '0.82 0.82 0.9',
      '0.8 0.8 0.88',
      '0.8 0.8 0.88',
      '0.8 0.8 0.88',
      '0.82 0.82 0.9',
      '0.8 0.8 0.88',
    ]);
    expect((await tenant.patch({ screening: { threshold: 0.89 } })).status).toBe(200);
    expect(await lines()).toEqual([
      0.89,
      '0.89 0.89 0.9',
      '0.89 0.89 0.89',
      '0.89 0.89 0.89',
      '0.89 0.89 0.89',
      '0.89 0.89 0.9',
      '0.89 0.89 0.89',
    ]);
    expect(
      (await tenant.patch({ screening: { threshold: 0.7, profile: { sanctions: { person: { alert: 0.7 } } } } })).body
        .screening?.profile.other.person.alert,
    ).toBe(0.89);
    expect((await tenant.patch({ screening: { threshold: 0.75 } })).status).toBe(200);
    expect(await lines()).toEqual([
      0.75,
      '0.75 0.82 0.9',
      '0.75 0.8 0.88',
      '0.75 0.8 0.88',
      '0.75 0.8 0.88',
      '0.75 0.82 0.9',
      '0.75 0.8 0.88',
    ]);
  });

  it('ignores a threshold that is only sent back, and refuses one that contradicts the alert thresholds or exceeds a set one', async () => {
    await tenant.patch({ screening: { profile: { pep: { person: { alert: 0.78, review: 0.85 } } } } });
    const before = (await tenant.get()).body.screening!;
    expect((await tenant.patch({ screening: { ...before, staleBlocksApproval: false } })).body.screening).toEqual({
      ...before,
      staleBlocksApproval: false,
    });
    expect(
      (
        await tenant.patch({
          screening: { threshold: before.threshold, profile: { sanctions: { person: { alert: 0.75 } } } },
        })
      ).body.screening,
    ).toMatchObject({ threshold: 0.75, profile: { pep: { person: { alert: 0.78 } } } });
    const errorsOf = async (screening: object) => {
      const { status, body } = await tenant.patch<Refusal>({ screening });
      return [status, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)];
    };
    expect(await errorsOf({ threshold: 0.9, profile: { other: { person: { strong: 0.99 } } } })).toEqual([
      422,
      ['/screening/threshold not_allowed'],
    ]);
    expect(
      (await tenant.patch({ screening: { ...(await tenant.get()).body.screening!, threshold: 0.84 } })).body.screening
        ?.profile,
    ).toMatchObject({
      sanctions: { person: { alert: 0.84, review: 0.84 } },
      pep: { person: { alert: 0.84, review: 0.85 } },
    });
    expect(await errorsOf({ threshold: 0.88 })).toEqual([422, ['/screening/profile/pep/person/review not_ascending']]);
    expect((await tenant.get()).body).toMatchObject({ version: 5, screening: { threshold: 0.84 } });
  });

  it('preserves the threshold that a tenant had set before there were several', async () => {
    await tenant.patch({ screening: { profile: { sanctions: { person: { strong: 0.99 } } } } });
    await world.database.sql(
      `UPDATE tenant_settings SET version = version + 1, document = '{"screening": {"threshold": 0.86}}'
        WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await tenant.get()).body.screening).toMatchObject({
      threshold: 0.86,
      profile: {
        sanctions: {
          person: { alert: 0.86, review: 0.86, strong: 0.9 },
          organisation: { alert: 0.86, review: 0.86, strong: 0.88 },
        },
      },
    });
    await tenant.patch({ screening: { profile: { other: { person: { alert: 0.8 } } } } });
    expect((await tenant.get()).body.screening).toMatchObject({
      threshold: 0.86,
      profile: { pep: { person: { alert: 0.86 } }, other: { person: { alert: 0.8, review: 0.86 } } },
    });
  });
});
