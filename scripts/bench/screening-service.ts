/**
 * Measures the effect of screening on the rest of the service: the response time of `/readyz` while twenty names are
 * screened at once, and while the command line imports a list and its new index is built. The list consists of invented
 * names, in the form of OFAC.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type TestDatabase, testSecret } from '../../test/support/postgres.ts';
import { OFAC_ALT } from '../../test/support/watch-lists.ts';
import { amount, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { whileWatching } from './ready-watcher.ts';
import { nameMaker } from './screening-speed.ts';
import { ROOT } from './validation.ts';

/** Number of names screened at once. */
const AT_ONCE = 20;

/** Returns the size of the list: the longer the run, the larger the list. */
function entitiesFor(validations: number): number {
  if (validations >= 10_000) return 250_000;
  return validations >= 5_000 ? 20_000 : 3_500;
}

export async function measureScreeningService({
  extent: { validations, secondsPerTurn, rounds },
  say,
  folder,
  createDatabase,
  startService,
  tenantIn,
}: Laboratory): Promise<Section[]> {
  const entities = entitiesFor(validations);
  const database = await createDatabase(2);
  try {
    const { names, imported } = publicList(entities, folder, database);
    say(`screening service: importing ${entities.toLocaleString('en')} entities …`);
    const first = await imported('one', 0);
    const headers = { ...(await (await tenantIn(database)).key(['screening'])), 'content-type': 'application/json' };
    await using service = await startService({ RATE_LIMIT_REQUESTS: '1000000' }, undefined, database);
    const { searched, load } = loadOn(service.url, headers, names);
    say(`screening service: ${AT_ONCE} at once …`);
    const calm = await load(() => sleep(rounds * secondsPerTurn * 1000));
    say('screening service: the same while a list is imported and its index is built …');
    let second = Number.NaN;
    let swapped = Number.NaN;
    const busy = await load(async () => {
      second = await imported('two', Math.ceil(entities / 100));
      const begun = performance.now();
      while ((await searched()) !== 'two') await sleep(50);
      swapped = (performance.now() - begun) / 1000;
    });
    const rowsOf = (when: string, { screenings, delays }: Awaited<ReturnType<typeof load>>): Row[] => [
      [`screenings ${when}: half take at most`, amount(quantile(screenings, 0.5), 'ms')],
      [`screenings ${when}: 99 of 100`, amount(quantile(screenings, 0.99), 'ms')],
      [`/readyz ${when}: 99 of 100 answer within`, amount(quantile(delays, 0.99), 'ms'), '≤ 20 ms'],
    ];
    return [
      {
        title: `screening at the service: ${entities.toLocaleString('en')} entities, ${AT_ONCE} requests at once`,
        raw: { calm, busy },
        rows: [
          ['a new list, from the command to active', amount(first, 's')],
          ['one in a hundred entities changed, from the command to active', amount(second, 's')],
          ['from active to searched', amount(swapped, 's')],
          ...rowsOf('alone', calm),
          ...rowsOf('while a list is imported', busy),
        ],
      },
    ];
  } finally {
    await database.close();
  }
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/**
 * Returns a list of invented names, and a function that imports it by the command line, with some names changed, and
 * returns the seconds that the command took.
 */
export function publicList(
  entities: number,
  folder: string,
  { superuser: { user, password = '', host, port, database } }: Pick<TestDatabase, 'superuser'>,
) {
  const env = {
    ...process.env,
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    SERVICE_SECRET: testSecret,
    DATA_DIR: folder,
  };
  const { names, write } = listOf(entities, folder);
  const alt = join(folder, 'alt.csv');
  writeFileSync(alt, OFAC_ALT);
  return {
    names,
    async imported(version: string, renamed: number): Promise<number> {
      const begun = performance.now();
      const order = [
        'import',
        'ofac-sdn',
        write(renamed),
        '--format',
        'ofac-csv',
        '--with',
        `alt=${alt}`,
        '--version',
        version,
        '--may-shrink',
      ];
      await promisify(execFile)(process.execPath, ['scripts/watch-lists.ts', ...order], {
        cwd: ROOT,
        env,
        maxBuffer: 2 ** 24,
      });
      return (performance.now() - begun) / 1000;
    },
  };
}

/** Returns names, and a function that writes them to a file with some names changed. */
function listOf(entities: number, folder: string) {
  const { name, random } = nameMaker(20_261_124);
  const names = Array.from({ length: entities }, name);
  return {
    names,
    write(renamed: number): string {
      const file = join(folder, `list-${renamed}.csv`);
      const given = names.map((one, index) => (index < renamed ? `${one} ${name()}` : one));
      writeFileSync(
        file,
        given
          .map(
            (one, index) =>
              `${index + 1},"${one.toUpperCase()}",individual,"TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB ` +
              `${String(random(28) + 1).padStart(2, '0')} Feb ${1930 + random(70)}."`,
          )
          .join('\r\n'),
      );
      return file;
    },
  };
}

function loadOn(url: string, headers: Readonly<Record<string, string>>, names: readonly string[]) {
  let next = 0;
  const screenOnce = async (): Promise<string> => {
    const subject = {
      type: 'person',
      names: [names[(next++ * 7919) % names.length]!.split(' ').toReversed().join(' ')],
      yearOfBirth: 1961,
    };
    const answer = await fetch(`${url}/v1/screenings`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ subject, lists: ['un-csnu', 'ofac-sdn'] }),
    });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
    const { lists } = (await answer.json()) as { lists: { listId: string; version: string }[] };
    return lists.find(({ listId }) => listId === 'ofac-sdn')!.version;
  };
  return {
    searched: screenOnce,
    /** Screens names and polls `/readyz` until the work is done; returns the duration of each. */
    async load(
      work: () => Promise<unknown>,
    ): Promise<{ readonly screenings: readonly number[]; readonly delays: readonly number[] }> {
      const screenings: number[] = [];
      let isOver = false;
      const screeners = Array.from({ length: AT_ONCE }, async () => {
        while (!isOver) {
          const begun = performance.now();
          await screenOnce();
          screenings.push(performance.now() - begun);
        }
      });
      const delays = await whileWatching(url, work).finally(() => void (isOver = true));
      await Promise.all(screeners);
      return { screenings, delays };
    },
  };
}
