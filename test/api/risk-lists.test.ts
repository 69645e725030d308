/** API tests of reference lists: drafts, their activation by two people, and what a new version changes. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { smallModel } from '../support/risk-models.ts';
import { startRiskWorld } from './risk-world.ts';

type List = components['schemas']['ReferenceList'];

const { service, team } = await startRiskWorld();
const us = await team(await service.tenant());

describe('a reference list', () => {
  const LISTED = { label: 'High-risk countries', source: 'A decree of today', values: ['BR'] };

  it('needs no new model: a new version makes backtests stale and assesses all subjects again', async () => {
    const them = await team(await service.tenant());
    const applicationId = await them.submit();
    const before = await them.current(applicationId);
    const when = [
      { expr: { in: [{ fact: 'applicant.address.country' }, { list: 'high_risk_countries' }] }, score: 100 },
    ];
    const [age, ...rest] = smallModel().factors;
    const model = await them.draft({
      factors: [{ ...age!, scoring: { by: 'when', when: when as never, default: 0 } }, ...rest],
    });
    const backtest = await them.backtest(model.id);
    expect([backtest.isStale, backtest.lists.map(({ listId }) => listId)]).toEqual([
      false,
      expect.arrayContaining(['high_risk_countries']),
    ]);
    const drafted = await them.call<List>('PUT', '/v1/risk/lists/high_risk_countries', them.admin, LISTED);
    const { checksum } = drafted.draft!;
    const requested = await them.call<List>('POST', '/v1/risk/lists/high_risk_countries/activate', them.maker, {
      checksum,
    });
    const { id, evidenceDigest } = requested.draft!.activation!;
    const review = { verdict: 'confirm', note: 'As it was published.', evidenceDigest };
    const path = `/v1/risk/lists/high_risk_countries/activations/${id}/review`;
    expect(await them.refused('POST', path, review, them.maker)).toEqual([403, 'self_approval_forbidden']);
    const active = await them.call<List>('POST', path, them.checker, review);
    expect([active.active?.number, active.draft]).toEqual([2, null]);
    await service.running.runTasks();
    expect((await them.call<{ isStale: boolean }>('GET', `/v1/risk/backtests/${backtest.id}`)).isStale).toBe(true);
    const after = await them.current(applicationId);
    expect(after.id).not.toBe(before.id);
    expect(after.lists).toContainEqual({ listId: 'high_risk_countries', number: 2, checksum });
    expect((await them.assessment(before.id!, '?recompute=true')).reproduced).toBe(true);
  });

  it('is unknown if nothing was ever drafted under its name', async () => {
    expect(await us.refused('GET', '/v1/risk/lists/nobody_knows', undefined)).toEqual([404, 'not_found']);
  });

  it('cannot be activated if there is no draft under its name', async () => {
    const body = { checksum: '0'.repeat(64) };
    expect(await us.refused('POST', '/v1/risk/lists/nobody_knows/activate', body, us.maker)).toEqual([
      404,
      'not_found',
    ]);
  });

  it('is reviewed once, on the content that the reviewer has read', async () => {
    const path = '/v1/risk/lists/reviewed_list';
    const { draft } = await us.call<List>('PUT', path, us.admin, LISTED);
    const { activation } = (await us.call<List>('POST', `${path}/activate`, us.maker, { checksum: draft!.checksum }))
      .draft!;
    const review = (evidenceDigest: string, verdict: string) =>
      us.refused(
        'POST',
        `${path}/activations/${activation!.id}/review`,
        { verdict, note: 'As it was published.', evidenceDigest },
        us.checker,
      );
    expect(await review(`sha256:${'0'.repeat(64)}`, 'confirm')).toEqual([409, 'evidence_changed']);
    expect(await review(activation!.evidenceDigest, 'return')).toEqual([200, undefined]);
    expect(await review(activation!.evidenceDigest, 'confirm')).toEqual([409, 'invalid_state_transition']);
  });

  it('does not change while its activation waits', async () => {
    const path = '/v1/risk/lists/waiting_list';
    const { draft } = await us.call<List>('PUT', path, us.admin, LISTED);
    await us.call('POST', `${path}/activate`, us.maker, { checksum: draft!.checksum });
    expect(await us.refused('PUT', path, LISTED)).toEqual([409, 'invalid_state_transition']);
    expect(await us.refused('POST', `${path}/activate`, { checksum: draft!.checksum }, us.maker)).toEqual([
      409,
      'invalid_state_transition',
    ]);
  });
});
