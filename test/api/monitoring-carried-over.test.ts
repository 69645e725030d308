/**
 * API test that a newer matching algorithm changes the verdict on no stored hit without naming it. With SOAK=true of a
 * thousand hits.
 */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { shared } from '../support/service.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';
import { row } from './monitoring-coverage-world.ts';
import type { Screening } from './screenings-world.ts';

type Hit = components['schemas']['ScreeningHit'];
type Status = components['schemas']['HitStatus'];

/** Namesakes of each customer on the list, by what the earlier algorithm found and how a person decided. */
interface Namesake {
  readonly decided: Status;
  /** Score by the earlier algorithm; absent if it was that of the present one. */
  readonly score?: number;
  /**
   * By which of the two algorithms alone the entity is found. A stored hit of the earlier one is given to an entity
   * that is not on the list; the namesake itself is then found anew.
   */
  readonly foundBy?: 'earlier' | 'present';
  /** Status after the release; null if the entity of the hit is not found any more. */
  readonly becomes: Status | null;
  /** Members of the comparison of both screenings that must name the hit. */
  readonly named: readonly ('added' | 'removed' | 'changed' | 'carried')[];
}

const NAMESAKES: readonly Namesake[] = [
  { decided: 'false_positive', becomes: 'false_positive', named: ['carried'] },
  { decided: 'true_positive', becomes: 'true_positive', named: ['carried'] },
  { decided: 'inconclusive', becomes: 'inconclusive', named: ['carried'] },
  { decided: 'open', becomes: 'open', named: [] },
  // A dismissal holds below the next line, which the score now reaches.
  {
    decided: 'false_positive',
    score: 0.85,
    becomes: 'open',
    named: ['changed'],
  },
  {
    decided: 'true_positive',
    score: 0.85,
    becomes: 'true_positive',
    named: ['changed', 'carried'],
  },
  {
    decided: 'false_positive',
    score: 0.95,
    becomes: 'false_positive',
    named: ['changed', 'carried'],
  },
  {
    decided: 'open',
    foundBy: 'present',
    becomes: 'open',
    named: ['added'],
  },
  {
    decided: 'false_positive',
    foundBy: 'earlier',
    becomes: null,
    named: ['removed'],
  },
  {
    decided: 'true_positive',
    foundBy: 'earlier',
    becomes: null,
    named: ['removed'],
  },
];
const REASONS: Readonly<Record<string, string>> = {
  false_positive: 'other',
  true_positive: 'same_person_confirmed',
  inconclusive: 'insufficient_data',
};
const CUSTOMERS = (process.env['SOAK'] === 'true' ? 1_000 : 60) / NAMESAKES.length;
const WORDS = ['Zagalho', 'Urupema', 'Itabirito', 'Sapucaia', 'Botucatu', 'Ubatuba', 'Jaguaribe', 'Cambuquira'];

const world = await shared(startMonitoringWorld());
await world.follow();

/** Returns a name that is unlike the other ones. */
const nameOf = (place: number): string => {
  const letters = [...String(place).padStart(3, '0')].map(
    (digit) => ['ba', 'ce', 'di', 'fo', 'gu', 'ja', 'le', 'mi', 'no', 'pu'][Number(digit)],
  );
  return `${letters.join('')}rim ${WORDS[place % WORDS.length]} ${letters.toReversed().join('')}nte`;
};
const key = (customer: number, namesake: number): string => `carried-${customer}-${namesake}`;

describe('a newer algorithm', () => {
  it('changes no verdict on a stored hit without naming it, and asks that everybody is screened again', {
    timeout: CUSTOMERS * 20_000,
  }, async () => {
    const tenant = await world.tenant();
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      tenant.id,
    ]);
    const officer = await tenant.user('compliance_officer');
    const customers: string[] = [];
    for (let place = 0; place < CUSTOMERS; place++)
      customers.push(await world.approve({ ...CLEAN, fullName: nameOf(place) }, tenant));
    await world.publish(
      'ofac-sdn',
      customers.flatMap((_, place) =>
        NAMESAKES.map((_, namesake) => row(key(place, namesake), nameOf(place), ',,,,watchlist,')),
      ),
    );
    await world.follow();
    const newest = async (application: string): Promise<Screening> =>
      (await world.get((await world.list(`applicationId=${application}`, officer)).body.items[0]!.id, officer)).body;
    const hitOf = ({ hits }: Screening, place: number, namesake: number): Hit | undefined =>
      hits.find(({ entityId }) => entityId === key(place, namesake));

    // The earlier algorithm found other entities and gave other scores, and people decided by these. Everything is
    // stored as if that algorithm had found it.
    const before: Screening[] = [];
    const statuses: number[] = [];
    for (const [place, application] of customers.entries()) {
      const screening = await newest(application);
      for (const [namesake, { decided, score, foundBy }] of NAMESAKES.entries()) {
        const { id } = hitOf(screening, place, namesake)!;
        if (score !== undefined)
          await world.database.sql('UPDATE screening_hit SET score = $2 WHERE id = $1', [id, score]);
        if (foundBy === 'earlier')
          await world.database.sql('UPDATE screening_hit SET entity_mac = sha256(entity_mac) WHERE id = $1', [id]);
        if (foundBy !== undefined) await world.database.sql('DELETE FROM monitoring_alert WHERE hit_id = $1', [id]);
        if (foundBy === 'present') await world.database.sql('DELETE FROM screening_hit WHERE id = $1', [id]);
        if (decided === 'open') continue;
        const { status } = await world.request('POST', `/v1/screenings/${screening.id}/hits/${id}/adjudicate`, {
          as: officer,
          body: { status: decided, reasonCode: REASONS[decided], note: 'Compared both records by hand.' },
        });
        statuses.push(status);
      }
      before.push(await newest(application));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await world.database.sql(`UPDATE screening SET algorithm_version = 'm0' WHERE tenant_id = $1`, [tenant.id]);
    await world.database.sql(
      `UPDATE monitoring_subscription SET compared = compared || '{"algorithm": "m0"}' WHERE tenant_id = $1`,
      [tenant.id],
    );
    await world.database.sql(`UPDATE monitoring_algorithm SET released = 'm0' WHERE tenant_id = $1`, [tenant.id]);

    const { upToDate, outdated, algorithm } = await world.coverage(officer);
    expect([upToDate, algorithm.releasedVersion, algorithm.pending]).toEqual([0, 'm0', CUSTOMERS]);
    expect(new Set(outdated.flatMap(({ gaps }) => gaps))).toEqual(new Set(['algorithm']));
    await world.running.runJob('monitoring.due');
    await world.settle();
    // Hits that are open and have no alert: the dismissal that no longer holds, and the entity that is new.
    expect((await world.coverage(officer)).algorithm).toMatchObject({
      pending: 0,
      rehearsed: CUSTOMERS,
      failed: 0,
      subjectsWithNewHits: CUSTOMERS,
    });
    const { algorithmVersion } = algorithm;
    await world.request('POST', '/v1/monitoring/algorithm/release', {
      as: officer,
      body: { algorithmVersion, note: 'Every customer has two hits to look at.' },
    });
    await world.settle();
    expect(await world.coverage(officer)).toMatchObject({ upToDate: CUSTOMERS, outdatedCount: 0 });

    const seen: unknown[] = [];
    const unnamed: string[] = [];
    for (const [place, application] of customers.entries()) {
      const after = await newest(application);
      const alerts = await world.alerts(`applicationId=${application}&limit=100`, officer);
      const waiting = alerts.filter(({ status }) => status === 'open').map(({ hit }) => hit!.hitId);
      expect([after.algorithmVersion, after.previousScreeningId]).toEqual([algorithmVersion, before[place]!.id]);
      seen.push(
        NAMESAKES.map(({ foundBy }, namesake) => {
          const was = hitOf(before[place]!, place, namesake);
          const is = foundBy === 'earlier' ? undefined : hitOf(after, place, namesake);
          const named = (['added', 'removed', 'changed', 'carried'] as const).filter((member) =>
            after.diff![member].some((id) => id === is?.id || (member === 'removed' && id === was?.id)),
          );
          if (was?.status !== is?.status && named.length === 0) unnamed.push(key(place, namesake));
          return {
            becomes: is?.status ?? null,
            named,
            isSameDecision: is?.decision?.id === was?.decision?.id,
            reopened: is?.reopened?.changes.map(({ path }) => path) ?? null,
            isAlerted: is !== undefined && waiting.includes(is.id),
          };
        }),
      );
    }
    expect(unnamed).toEqual([]);
    expect(seen).toEqual(
      customers.map(() =>
        NAMESAKES.map(({ decided, foundBy, becomes, named }) => ({
          becomes,
          named,
          isSameDecision: becomes === decided || foundBy === 'present',
          reopened: decided === 'false_positive' && becomes === 'open' ? ['/score'] : null,
          isAlerted: becomes === 'open' || becomes === 'inconclusive',
        })),
      ),
    );
    expect((await tenant.audit()).map(({ action }) => action)).toContain('monitoring.algorithm_released');
  });
});
