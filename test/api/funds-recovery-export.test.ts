/** Tests of the CSV export of recoveries. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ISPB, type RecoveryOptions, takeInRecovery } from '../support/recoveries.ts';
import { type Answer, type Credential, type Tenant, useService } from '../support/service.ts';

const PATH = '/api/v1/funds-recovery';

const COLUMNS =
  'id,environment,participant,role,status,situationType,rootTransactionId,currency,rootAmount,refundableAmount,refundedAmount,nextDeadlineStage,nextDeadlineAt,createdAt,analysedAt,updatedAt';

let tenant: Tenant;
let client: Credential;
const service = await useService();

beforeEach(async () => {
  tenant = await service.tenant();
  client = await tenant.user('owner');
});

const takeIn = (options: RecoveryOptions = {}, of = tenant) =>
  takeInRecovery(service.database.database, of.id, options);

const ask = <T>(path: string, as = client): Promise<Answer<T>> => service.request<T>('GET', PATH + path, { as });

const lines = ({ text }: Answer<unknown>): string[][] =>
  text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));

describe('the export', () => {
  it('is a CSV file with a line for each recovery that the filters accept, and is recorded', async () => {
    const id = await takeIn();
    await takeIn({ status: 'CREATED' });
    const answer = await ask(`/export?status=COMPLETED&taxId=52998224725`);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv',
      expect.stringMatching(/^attachment; filename="funds-recoveries-\d{4}-\d\d-\d\d\.csv"$/),
    ]);
    expect(answer.text.split('\r\n')[0]).toBe(COLUMNS);
    expect(lines(answer)).toEqual([
      [
        id,
        'live',
        ISPB,
        'SENT',
        'COMPLETED',
        'SCAM',
        expect.stringMatching(/^E\w{31}$/),
        'BRL',
        '81240',
        '31235',
        '31235',
        '',
        '',
        '2026-11-02T21:04:11.482Z',
        '2026-11-03T21:04:11.482Z',
        '2026-11-04T00:04:11.482Z',
      ],
    ]);
    const log = await service.database.sql(
      `SELECT changes FROM audit_event WHERE tenant_id = $1 AND action = 'funds_recovery.exported'`,
      [tenant.id],
    );
    expect(JSON.stringify(log)).toContain('COMPLETED');
    expect(JSON.stringify(log)).not.toContain('52998224725');
  });

  it('contains each of many recoveries once, in the order of their ids', async () => {
    await takeIn();
    await service.database.sql(
      `
      INSERT INTO fr_record (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision,
        created_at, last_modified, analysed_at, next_deadline_at, next_deadline_stage, wake_at, last_read_at,
        published_keys, held, snapshot)
        SELECT r.tenant_id, r.env, gen_random_uuid(), r.ispb, r.role, r.root_transaction_id, r.status, r.revision,
        r.created_at, r.last_modified, r.analysed_at,
        r.next_deadline_at, r.next_deadline_stage, r.wake_at, r.last_read_at, '[]', r.held, r.snapshot
          FROM fr_record r, generate_series(1, 749) WHERE r.tenant_id = $1`,
      [tenant.id],
    );
    const ids = lines(await ask('/export')).map(([id]) => id!);
    expect([ids.length, new Set(ids).size]).toEqual([750, 750]);
    expect(ids).toEqual(ids.toSorted());
  });

  it('writes no formulas, whatever the directory sends', async () => {
    await takeIn({ recovery: { SituationType: '=HYPERLINK("http://x.example")' } });
    expect((await ask('/export')).text).toContain(`"'=HYPERLINK(""http://x.example"")"`);
  });

  it('contains only the header if there are no recoveries, or if the reader does not see the environment', async () => {
    await takeIn({ environment: 'sandbox' });
    expect((await ask('/export')).text).toBe(`${COLUMNS}\r\n`);
    expect(
      (await ask('/export?environment=sandbox', await tenant.client(['read'], { pinEnvironment: true }))).text,
    ).toBe(`${COLUMNS}\r\n`);
  });
});
