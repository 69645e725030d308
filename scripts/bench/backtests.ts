/**
 * Whether a backtest makes the API wait: reads at 30 % of what the service can serve, alone and while a backtest of all
 * subjects runs in it. Used by main.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { currentAssessment } from '../../server/modules/risk/assessment-store.ts';
import { newReviewedApplication } from '../../test/operations/application-records.ts';
import { clientOf, success } from '../../test/support/api.ts';
import { smallModel } from '../../test/support/risk-models.ts';
import { populate } from '../../test/support/risk-population.ts';
import { amount, median, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import type { Timed } from './service.ts';

const PAIRS = 5;
/** What a backtest may multiply the slowest hundredth of the reads by. */
const GOAL = 1.5;
const LOAD = 0.3;

export async function measureBacktests({
  extent: { subjects, secondsPerTurn, rounds },
  say,
  createDatabase,
  startService,
  tenantIn,
  contender,
}: Laboratory): Promise<Section[]> {
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await createDatabase(2), (one) => one.close());
  const tenant = await tenantIn(database);
  const service = opened.use(await startService({ RATE_LIMIT_REQUESTS: '1000000' }, undefined, database));
  const api = clientOf(service.url);
  const { applicationId } = await newReviewedApplication({ api }, tenant);
  while (
    (await database.database.transaction({ tenantId: tenant.id }, (tx) =>
      currentAssessment(tx, { kind: 'application', id: applicationId }),
    )) === null
  )
    await sleep(50);
  say(`backtests: storing ${subjects.toLocaleString('en')} assessed subjects …`);
  await populate(database, { tenantId: tenant.id, applicationId }, subjects);

  const headers = await tenant.user('admin');
  const { body: model } = await success(
    api.POST('/v1/risk/models', { headers, body: { subjectType: 'individual', definition: smallModel() } }),
    201,
  );
  const statusOf = async (backtestId: string) =>
    (await success(api.GET('/v1/risk/backtests/{backtestId}', { params: { path: { backtestId } }, headers }))).body;
  const begun = async (): Promise<string> => {
    const params = { path: { modelId: model.id } };
    const { body } = await success(api.POST('/v1/risk/models/{modelId}/backtests', { params, headers, body: {} }), 202);
    while ((await statusOf(body.id)).done === 0) await sleep(10);
    return body.id;
  };

  const { body: read } = await success(
    api.POST('/v1/applications', {
      headers: await tenant.key(['write']),
      body: { purpose: 'other', applicant: { fullName: 'Bruno Lima' } },
    }),
    201,
  );
  const reads = [{ method: 'GET', path: `/v1/applications/${read.id}`, headers: await tenant.key(['read']) }] as const;
  const seconds = secondsPerTurn * 2;
  say('backtests: what the service can serve …');
  const most = contender(service, { requests: reads, expectedStatus: 200 });
  await most(seconds);
  const { perSecond } = await most(seconds);
  const calm = contender(service, { requests: reads, expectedStatus: 200, perSecond: perSecond * LOAD });
  await calm(seconds);
  const [alone, beside]: [Timed[], Timed[]] = [[], []];
  for (let pair = 1; pair <= Math.min(rounds, PAIRS); pair++) {
    say(`backtests, pair ${pair} …`);
    alone.push(await calm(seconds));
    const backtestId = await begun();
    beside.push(await calm(seconds));
    const { status, done } = await statusOf(backtestId);
    if (status !== 'running')
      throw new Error(`the backtest was ${status} after ${done} subjects, before the turn ended`);
    await success(api.POST('/v1/risk/backtests/{backtestId}/cancel', { params: { path: { backtestId } }, headers }));
  }
  const ratios = beside.map(({ p99Milliseconds }, pair) => p99Milliseconds / alone[pair]!.p99Milliseconds);
  const slowest = (turns: readonly Timed[]) => amount(median(turns.map((turn) => turn.p99Milliseconds)), 'ms');
  return [
    {
      title:
        `backtests: reads at ${(perSecond * LOAD).toFixed(0)} per second, ${LOAD * 100} % of the most, alone and ` +
        `beside a backtest of ${subjects.toLocaleString('en')} subjects`,
      raw: { perSecond, alone, beside },
      rows: [
        ['alone: 99 of 100', slowest(alone)],
        ['beside the backtest: 99 of 100', slowest(beside)],
        ['slowest hundredth beside the backtest, in those alone', amount(median(ratios), '×'), `≤ ${GOAL} ×`],
      ],
    },
  ];
}
