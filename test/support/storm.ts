/**
 * A tenant that uses everything it may: it replaces its own list with one of the largest accepted size every few
 * seconds, and screens many names at once. It runs in a thread of lower priority than everything else, so that the cost
 * of the client itself is not mistaken for its effect on others. Used by the test and the benchmark of fairness.
 */
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { ownListCsv } from './watch-lists.ts';
import type { Credential } from './tenant.ts';

interface Storm {
  readonly url: string;
  /** Credential that may screen names. */
  readonly key: Credential;
  /** Credential that may replace the own list. */
  readonly officer: Credential;
  /** Number of parallel screenings. */
  readonly atOnce: number;
}

interface StormCount {
  readonly screenings: number;
  readonly replacements: number;
}

/** Pause between two uploads, because a list that is replaced all the time would never be searched. */
const PAUSE_MILLISECONDS = 3_000;

const GIVEN = ['Ana', 'Bento', 'Caio', 'Dora', 'Elias', 'Flora', 'Gil', 'Helena', 'Ivo', 'Julia'];
const FAMILY = ['Silva', 'Santos', 'Oliveira', 'Souza', 'Lima', 'Pereira', 'Ferreira', 'Costa', 'Rodrigues', 'Almeida'];
const nameOf = (number: number): string => {
  const [middle, last] = [FAMILY[Math.floor(number / 10) % 10]!, FAMILY[Math.floor(number / 100) % 10]!];
  return `${GIVEN[number % 10]!} ${middle} ${last}${number.toString(36)}`;
};
const lineOf = (number: number, remarks: string): string => {
  const aliases = `${nameOf(number * 7)};${nameOf(number * 13)}`;
  return `k${number},person,${nameOf(number)},${aliases},19${10 + (number % 90)},BR,,,${remarks}`;
};

/** Returns a list with as many entries and names as are accepted. */
export function largestOwnList(remarks: string): Buffer {
  return ownListCsv(Array.from({ length: 10_000 }, (_, number) => lineOf(number, remarks)));
}

/** Starts a storm. The returned function ends the storm and returns its counts. */
export async function startStorm(storm: Storm): Promise<() => Promise<StormCount>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: storm });
  const begun = new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
  await begun;
  return async () => {
    const ended = new Promise<StormCount>((resolve, reject) => thread.once('message', resolve).once('error', reject));
    thread.postMessage('end');
    const count = await ended;
    await thread.terminate();
    return count;
  };
}

async function rage({ url, key, officer, atOnce }: Storm): Promise<void> {
  if (process.platform === 'linux') setPriority(15);
  const count = { screenings: 0, replacements: 0 };
  const lists = ['first', 'second'].map((remarks) => new Blob([new Uint8Array(gzipSync(largestOwnList(remarks)))]));
  const replace = async (): Promise<void> => {
    const body = new FormData();
    body.set('file', lists[count.replacements % 2]!);
    const answer = await fetch(`${url}/v1/screenings/lists/own`, { method: 'PUT', headers: officer, body });
    await answer.text();
    if (answer.status !== 200) throw new Error(`the list of the storm is refused with ${answer.status}`);
    count.replacements++;
    await sleep(PAUSE_MILLISECONDS);
  };
  const screen = async (): Promise<void> => {
    const body = JSON.stringify({ subject: { type: 'person', names: [nameOf(count.screenings * 37)] } });
    const answer = await fetch(`${url}/v1/screenings`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body,
    });
    await answer.text();
    // 503 is accepted, because the index of its own list may not be ready.
    if (answer.status !== 201 && answer.status !== 503)
      throw new Error(`a screening of the storm is refused with ${answer.status}`);
    count.screenings++;
  };
  let isOver = false;
  parentPort!.once('message', () => void (isOver = true));
  parentPort!.postMessage('begun');
  const again = async (work: () => Promise<void>): Promise<void> => {
    while (!isOver) {
      await work();
      await sleep(0);
    }
  };
  await Promise.all([again(replace), ...Array.from({ length: atOnce }, () => again(screen))]);
  parentPort!.postMessage(count);
}

if (parentPort !== null && typeof workerData === 'object' && workerData !== null && 'atOnce' in workerData)
  await rage(workerData as Storm);
