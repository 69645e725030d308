/**
 * Tests that nobody but compliance officers can tell whether there is a report: two tenants that differ by reports
 * alone answer every operation to every other caller with the same bytes, apart from times and ids.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { arrange, type Ready } from '../operations.ts';
import { paramsOf } from '../operations/records.ts';
import { newDecidedReport, newReport } from '../operations/report-records.ts';
import { multipart, success } from '../support/api.ts';
import { readyCall } from '../support/calls.ts';
import { everything } from '../support/contents.ts';
import { allOperations, everyOperation, isPublic } from '../support/contract.ts';
import { each } from '../support/each.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { tally } from '../support/tally.ts';
import { type Caller, callersFor, difference, told } from './tipping-off-world.ts';

const lines: string[] = [];
const service = await useService({
  frozen: true,
  directory: true,
  log: (line) => void lines.push(line),
  env: { LOG_LEVEL: 'info' },
});

const tell = (request: Parameters<typeof told>[1], as: Credential, query = '', isInAnyOrder = false) =>
  told({ url: service.url, lines }, request, as, { query, isInAnyOrder });

/** A tenant without a report, and one with several. */
const [quiet, reported] = [service.acme, service.other];

/** Records that both tenants have: a case, and an officer who has worked today. */
async function prepare(tenant: Tenant): Promise<string> {
  const as = await tenant.user('compliance_officer');
  await success(service.api.GET('/v1/settings', { headers: as }));
  return (await paramsOf(service, tenant, { path: '{caseId}' }))['caseId']!;
}

/** Does everything that an officer can do with reports. */
async function report(tenant: Tenant, caseId: string): Promise<void> {
  const headers = await tenant.user('compliance_officer');
  const reportId = await newDecidedReport(service, tenant, caseId);
  const params = { path: { reportId } };
  await success(
    service.api.POST('/v1/cases/reports/{reportId}/documents', {
      params,
      headers,
      body: { file: new Blob([new Uint8Array(jpeg())]) },
      bodySerializer: multipart,
    }),
    201,
  );
  await success(
    service.api.POST('/v1/cases/reports/{reportId}/file', { params, headers, body: { protocol: '2026.1' } }),
  );
  await success(service.api.GET('/v1/cases/reports/{reportId}', { params, headers }));
  const file = await service.request('GET', `/v1/cases/reports/${reportId}/submission-file`, { as: headers });
  expect(file.status, file.text).toBe(200);
  await newReport(service, tenant, caseId);
  await success(service.api.POST('/v1/cases/reports/non-occurrence', { headers, body: { year: 2020 } }), 201);
  await success(service.api.GET('/v1/cases/reports', { headers }));
  await success(service.api.GET('/v1/cases/reports/audit-events', { headers }));
  await success(service.api.GET('/v1/cases/reports/audit-events/verify', { headers }));
}

let caseOfReport: string;
beforeAll(async () => {
  await prepare(quiet);
  caseOfReport = await prepare(reported);
  // The first screening of a process builds the index, and says so in the log.
  for (const tenant of [quiet, reported]) await paramsOf(service, tenant, { path: '{screeningId}' });
});

/**
 * Operations whose answers list what happened at the same time, in the order in which it was written: tasks run beside
 * the calls.
 */
const IN_ANY_ORDER: readonly string[] = ['downloadAuditExport', 'createSimulation'];

const isOfStaff = ({ roles }: Operation): boolean => roles.length === 1 && roles[0] === 'platform_admin';

/** Operations whose answers differ between any two tenants, and why. */
const COMMON: Readonly<Record<string, string>> = {
  enrollTotp: 'the answer is a random secret and a picture of it',
  confirmTotp: 'the answer is random codes',
  createLivenessChallenge: 'its movements are chosen at random',
  uploadFrames: 'the answer names these movements',
  listFundsRecoveryEvents: 'the interval depends on the id of the tenant',
  getFundsRecoveryEventSchedule: 'the same',
};

/** In the soak every onlooker calls every operation; otherwise each operation has a few, who take turns. */
const ONLOOKERS = process.env['SOAK'] === 'true' ? Infinity : 2;
let turn = 0;

/** Returns the next onlookers whose turn it is. */
function inTurn(onlookers: readonly Caller[]): readonly Caller[] {
  const from = onlookers.length === 0 ? 0 : turn % onlookers.length;
  const next = [...onlookers.slice(from), ...onlookers.slice(0, from)].slice(0, ONLOOKERS);
  turn += next.length;
  return next;
}

/** Compared operations: not what staff change for all tenants, which would differ the second time. */
const compared = everyOperation.filter(
  (operation) => !(operation.operationId in COMMON) && !(isOfStaff(operation) && operation.method !== 'get'),
);

/** Arranges the call in both tenants, with reports about the second one, whichever tenant the call needs. */
async function arranged(operation: Operation): Promise<readonly [Ready, Ready]> {
  const before = await arrange(service, quiet, operation);
  const after = await arrange(service, reported, operation);
  if (after.tenant !== reported) {
    await prepare(before.tenant);
    await report(after.tenant, await prepare(after.tenant));
  }
  if (isOfStaff(operation) && 'tenantId' in after.params)
    return [
      { ...before, params: { ...before.params, tenantId: quiet.id } },
      { ...after, params: { ...after.params, tenantId: reported.id } },
    ];
  return [before, after];
}

describe('a report', () => {
  it('changes no row but its own, those of the sealed log, and the stored answers to the officer', async () => {
    const before = await everything(service.database, reported.id);
    await report(reported, caseOfReport);
    const after = await everything(service.database, reported.id);
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(changed.sort()).toEqual(['report', 'report_document']);
    const open = await service.database.sql<{ action: string }>(
      `SELECT action FROM audit_event WHERE tenant_id = $1 AND chain = 'open' AND action ~ '^(report|sealed|access)'`,
      [reported.id],
    );
    expect(open).toEqual([]);
  });

  it('adds nothing to what the periodic work counts in its log', async () => {
    service.advance(6 * 60_000);
    await service.running.runJob('audit.checkpoint');
    await newReport(service, reported, await prepare(reported));
    await prepare(quiet);
    service.advance(6 * 60_000);
    const open = await service.database.sql(
      `SELECT FROM audit_head h WHERE chain = 'open' AND sequence > coalesce((SELECT max(tree_size)
        FROM audit_checkpoint c WHERE c.tenant_id = h.tenant_id AND c.chain = h.chain), 0)`,
    );
    expect(await service.running.runJob('audit.checkpoint')).toBe(open.length);
  });
});

describe('every operation tells the same of both tenants', () => {
  const counted = tally('answers of two tenants were compared');

  it.each(compared)('to whoever calls $operationId', async (operation) => {
    const [one, other] = await arranged(operation);
    // A simulation tells which drafts expired, and those of this second may be dated a little later than it.
    if (operation.operationId === 'createSimulation') service.advance(2000);
    const requests = [readyCall(operation, one, one.body), readyCall(operation, other, other.body)] as const;
    const isSealed = operation.sealed.length > 0;
    const asked: readonly Caller[] = [
      ...(isSealed
        ? []
        : [['who may', (tenant: Tenant) => Promise.resolve(tenant === one.tenant ? one.as : other.as)] as const]),
      ...(isPublic(operation) || isOfStaff(operation)
        ? []
        : inTurn(
            callersFor(operation.tag === 'auth' ? operation.operationId : 'onlooker').filter(
              ([name]) => !isSealed || name !== 'compliance_officer',
            ),
          )),
    ];
    for (const [name, credentialOf] of each(asked)) {
      // The sandbox names the keys that were used. Their use is written in batches, and not while both are asked.
      await service.running.recordKeyUses();
      const isInAnyOrder = IN_ANY_ORDER.includes(operation.operationId);
      const ask = async (query = '', queryOfOther = query) =>
        [
          await tell(requests[0], await credentialOf(one.tenant), query, isInAnyOrder),
          await tell(requests[1], await credentialOf(other.tenant), queryOfOther, isInAnyOrder),
        ] as const;
      const isList = operation.pagination !== null && !isSealed;
      const [of, ofOther] = await ask(isList ? '?limit=1' : '');
      expect(difference(of, ofOther, name === 'who may'), `${operation.operationId} to ${name}`).toBe('');
      counted();
      const cursors =
        isList && of.status === 200 ? [of, ofOther].map(({ raw }) => JSON.parse(raw).cursor as unknown) : [];
      if (typeof cursors[0] !== 'string') continue;
      const [next, nextOfOther] = await ask(`?limit=1&cursor=${cursors[0]}`, `?limit=1&cursor=${cursors[1]}`);
      expect(difference(next, nextOfOther), `${operation.operationId}, second page, to ${name}`).toBe('');
    }
  });
});

describe('a sealed operation', () => {
  const sealed = allOperations.filter((operation) => operation.sealed.length > 0);
  const unknown = (method: string) => ({ method, path: '/v1/no-such-path', call: {} });

  it('exists', () => {
    expect(sealed.length).toBeGreaterThanOrEqual(10);
  });

  it.each(sealed)('answers everybody else as a path that does not exist: $operationId', async (operation) => {
    const ready = await arrange(service, reported, operation);
    const request = readyCall(operation, ready, ready.body);
    const refused: readonly Caller[] = [
      ...callersFor('stranger').filter(([name]) => name !== 'compliance_officer'),
      ['an officer of another tenant', (tenant) => (tenant === reported ? quiet : reported).user('viewer')],
      ['a token that is none', () => Promise.resolve({ Authorization: 'Bearer abc' })],
      [
        'an officer with a key',
        async (tenant) => ({
          ...(await tenant.key(['admin'])),
          ...(await tenant.user('compliance_officer', { purpose: 'stranger' })),
        }),
      ],
    ];
    for (const [name, credentialOf] of each(refused)) {
      const as = await credentialOf(reported);
      const [answer, nothing] = [await tell(request, as), await tell(unknown(request.method), as)];
      expect(difference(nothing, answer), name).toBe('');
      expect(answer.status).toBe(404);
    }
  });

  it.each(sealed)(
    'answers an officer about a record of another tenant as about none: $operationId',
    async (operation) => {
      if (!operation.path.includes('{')) return expect(operation.path).toMatch(/reports/);
      const ready = await arrange(service, reported, operation);
      const as = await quiet.user('compliance_officer', { purpose: 'stranger' });
      const theirs = await tell(readyCall(operation, ready, ready.body), as);
      const none = Object.fromEntries(
        Object.keys(ready.params).map((name) => [name, '0197f2f3-0a1b-7c2d-8e3f-405162738495']),
      );
      const nothing = await tell(readyCall(operation, { ...ready, params: none }, ready.body), as);
      expect(difference({ ...nothing, lines: [] }, { ...theirs, lines: [] }, true)).toBe('');
      expect(theirs.status).toBe(404);
    },
  );
});
