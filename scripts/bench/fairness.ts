/**
 * Whether one tenant's storm makes another tenant wait: a calm tenant has a name screened every eighth of a second,
 * alone and while another one replaces its own list, of the greatest size that is taken in, every few seconds and has
 * twenty names at once screened against it. Both take turns on one service. Used by main.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startStorm } from '../../test/support/storm.ts';
import { type Row, amount, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { publicList, quantile } from './screening-service.ts';

const PAUSE_MILLISECONDS = 125;
const AT_ONCE = 20;
/** What a storm may multiply the calm tenant's slowest hundredth by. */
const GOAL = 1.5;

export async function measureFairness({
  extent: { validations, secondsPerTurn, rounds },
  say,
  folder,
  createDatabase,
  startService,
  tenantIn,
}: Laboratory): Promise<Section[]> {
  const entities = validations >= 10_000 ? 20_000 : 3_500;
  const database = await createDatabase(2);
  try {
    const { names, imported } = publicList(entities, folder, database);
    say(`fairness: importing ${entities.toLocaleString('en')} entities …`);
    await imported('one', 0);
    const [calm, storming] = [await tenantIn(database), await tenantIn(database)];
    const headers = { ...(await calm.key(['screening'])), 'content-type': 'application/json' };
    const storm = {
      key: await storming.key(['screening']),
      officer: await storming.user('compliance_officer', { secondFactor: true }),
      atOnce: AT_ONCE,
    };
    await using service = await startService(
      { RATE_LIMIT_REQUESTS: '1000000', RATE_LIMIT_UPLOADS: '1000000' },
      undefined,
      database,
    );
    let next = 0;
    const screenings = async (seconds: number): Promise<number[]> => {
      const took: number[] = [];
      const until = performance.now() + seconds * 1000;
      while (performance.now() < until) {
        const begun = performance.now();
        const subject = {
          type: 'person',
          names: [names[(next++ * 7919) % names.length]!.split(' ').toReversed().join(' ')],
          yearOfBirth: 1961,
        };
        const answer = await fetch(`${service.url}/v1/screenings`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ subject }),
        });
        if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
        await answer.text();
        took.push(performance.now() - begun);
        await sleep(PAUSE_MILLISECONDS);
      }
      return took;
    };
    const seconds = secondsPerTurn * 10;
    say('fairness: warming up …');
    const endOfWarmUp = await startStorm({ url: service.url, ...storm });
    await screenings(secondsPerTurn * 5);
    await endOfWarmUp();
    await screenings(secondsPerTurn * 2);
    const [alone, beside]: [number[], number[]] = [[], []];
    const count = { screenings: 0, replacements: 0 };
    for (let round = 1; round <= Math.min(rounds, 4); round++) {
      say(`fairness, round ${round} …`);
      alone.push(...(await screenings(seconds)));
      const end = await startStorm({ url: service.url, ...storm });
      beside.push(...(await screenings(seconds)));
      const { screenings: screened, replacements } = await end();
      count.screenings += screened;
      count.replacements += replacements;
    }
    const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
    const rowsOf = (when: string, took: readonly number[]): Row[] => [
      [`${when}: half take at most`, amount(quantile(took, 0.5), 'ms')],
      [`${when}: 99 of 100`, amount(quantile(took, 0.99), 'ms')],
    ];
    return [
      {
        title:
          `fairness: a tenant's screenings alone, and beside another tenant's storm of ${count.screenings} ` +
          `screenings and ${count.replacements} own lists`,
        raw: { alone, beside, count },
        rows: [
          ...rowsOf('alone', alone),
          ...rowsOf('beside the storm', beside),
          ['slowest hundredth beside the storm, in those alone', amount(ratio, '×'), `≤ ${GOAL} ×`],
        ],
      },
    ];
  } finally {
    await database.close();
  }
}
