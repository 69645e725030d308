/** Tests of the alerts that the due job opens and resolves as the dates of reviews and documents approach or move. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { startAlertsWorld } from './alerts-world.ts';
import { CLEAN } from './monitoring-world.ts';

const world = await shared(startAlertsWorld());

describe('the alert about an approaching date', () => {
  const dateAlerts = async (id: string): Promise<string[]> =>
    (await world.alertsOf({ id }, 'sort=firstSeenAt'))
      .filter(({ kind }) => kind === 'risk_review' || kind === 'document_expiry')
      .map(({ kind, severity, status }) => `${kind} ${severity} ${status}`);
  const setReview = (id: string, days: number) =>
    world.database.sql(`UPDATE application SET review_due_at = now() + $2 * interval '1 day' WHERE id = $1`, [
      id,
      days,
    ]);
  const runDueJob = () => world.running.runJob('monitoring.due');
  const applicationWithReviewAlert = async (): Promise<string> => {
    const { id } = await world.watched();
    await setReview(id, 20);
    await runDueJob();
    expect(await dateAlerts(id)).toEqual(['risk_review low open']);
    return id;
  };

  it('of a risk review is resolved when the relationship ends', async () => {
    const id = await applicationWithReviewAlert();
    const ended = await world.request('POST', `/v1/applications/${id}/end-relationship`, {
      as: world.test,
      body: { reasonCode: 'customer_request' },
    });
    expect(ended.status).toBe(200);
    expect(await dateAlerts(id)).toEqual(['risk_review low resolved']);
  });

  it('of a risk review is resolved when the application is renewed or the review is postponed', async () => {
    const [id, other] = [await applicationWithReviewAlert(), await applicationWithReviewAlert()];
    const write = await world.sandboxed.key(['read', 'write'], { environment: 'test', personalData: 'full' });
    const { body: renewal } = await world.request<{ id: string }>('POST', '/v1/applications', {
      as: write,
      body: {
        purpose: 'periodic_review',
        submit: true,
        applicant: { fullName: CLEAN.fullName },
        renewsApplicationId: id,
      },
    });
    await world.screen({ applicationId: renewal.id }, world.test);
    const {
      body: { evidenceDigest },
    } = await world.request<{ evidenceDigest: string }>('GET', `/v1/applications/${renewal.id}`, { as: write });
    const decision = {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: 'Passport and address agree.',
      evidenceDigest,
    };
    expect(
      (await world.request('POST', `/v1/applications/${renewal.id}/decisions`, { as: write, body: decision })).status,
    ).toBe(200);
    expect(await dateAlerts(id)).toEqual(['risk_review low resolved']);
    await setReview(other, 400);
    await runDueJob();
    expect(await dateAlerts(other)).toEqual(['risk_review low resolved']);
  });

  it('is opened once for an expiring document and once for a review that is due on the same day', async () => {
    const { id } = await world.watched();
    await world.database.sql(
      `INSERT INTO document (tenant_id, id, application_id, environment, type, side, file_name, mime_type, size_bytes,
        sha256, storage_key, created_by, status, expires_on)
      VALUES ($1, gen_random_uuid(), $2, 'sandbox', 'passport', 'single', 'a.pdf', 'application/pdf', 1,
        repeat('0', 64), 'k', '{}', 'uploaded', (now() AT TIME ZONE 'America/Sao_Paulo')::date + 45)`,
      [world.sandboxed.id, id],
    );
    await setReview(id, 45);
    await runDueJob();
    const open: number[] = [];
    for (const days of [0, 20, 20, 6]) {
      await world.advance(days);
      await runDueJob();
      const [expiry, review] = ['document_expiry', 'risk_review'].map(
        (kind) => (found: string[]) => found.filter((one) => one.startsWith(kind) && one.endsWith('open')).length,
      );
      const found = await dateAlerts(id);
      open.push(expiry!(found), review!(found));
    }
    expect(open).toEqual([1, 0, 1, 1, 1, 1, 1, 1]);
    expect((await dateAlerts(id)).filter((one) => one.endsWith('open')).sort()).toEqual([
      'document_expiry high open',
      'risk_review high open',
    ]);
    await world.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = 0 WHERE id = $1', [world.sandboxed.id]);
  });
});
