/** Tests of the queue that gives each of its lanes a fair share of the slots. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Controllable tasks, and the order in which they started. */
function tasks(fairQueue: FairQueue) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const results: Promise<void>[] = [];
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    started,
    results,
    settled,
    ask(lane: string, name: string): void {
      results.push(
        fairQueue.run(lane, () => {
          started.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        }),
      );
    },
    async end(name: string): Promise<void> {
      ends.get(name)!();
      await settled();
    },
  };
}

describe('slots that lanes share', () => {
  it('leave one free for others, however many tasks one lane queues', async () => {
    const { ask, started, settled } = tasks(new FairQueue(3));
    for (let count = 0; count < 1000; count++) ask('storm', `s${count}`);
    await settled();
    expect(started).toEqual(['s0', 's1']);
    ask('calm', 'c0');
    await settled();
    expect(started).toEqual(['s0', 's1', 'c0']);
  });

  it('are divided equally between recently active lanes, and a single lane gets all but one', async () => {
    let now = 0;
    const { ask, started, end, settled } = tasks(new FairQueue(5, { clock: () => now, yieldingMilliseconds: 0 }));
    ask('calm', 'c0');
    await settled();
    await end('c0');
    for (const name of ['s0', 's1', 's2', 's3', 's4', 's5']) ask('storm', name);
    await settled();
    expect(started).toEqual(['c0', 's0', 's1']);
    now += 2_001;
    await end('s0');
    expect(started).toEqual(['c0', 's0', 's1', 's2', 's3', 's4']);
  });

  it('are not used for a moment by a lane with a queue, while another lane has a single task', async () => {
    let now = 0;
    const { ask, started, end, settled } = tasks(new FairQueue(3, { clock: () => now, yieldingMilliseconds: 20 }));
    for (const name of ['s0', 's1', 's2', 's3', 's4']) ask('storm', name);
    ask('calm', 'c0');
    await settled();
    await end('s0');
    expect(started).toEqual(['s0', 's1', 'c0']);
    await end('s1');
    expect(started).toEqual(['s0', 's1', 'c0']);
    await end('c0');
    expect(started).toEqual(['s0', 's1', 'c0', 's2']);
    ask('calm', 'c1');
    await settled();
    await end('s2');
    expect(started).toEqual(['s0', 's1', 'c0', 's2', 'c1']);
    now += 21;
    await expect.poll(() => started.at(-1)).toBe('s3');
  });

  it('are taken one at a time by a lane while another one is active, until its task takes long', async () => {
    let now = 0;
    const { ask, started, end, settled } = tasks(new FairQueue(3, { clock: () => now, yieldingMilliseconds: 20 }));
    ask('calm', 'c0');
    await settled();
    await end('c0');
    for (const name of ['s0', 's1', 's2']) ask('storm', name);
    await settled();
    expect(started).toEqual(['c0', 's0']);
    await end('s0');
    expect(started).toEqual(['c0', 's0', 's1']);
    now += 21;
    await expect.poll(() => started).toEqual(['c0', 's0', 's1', 's2']);
  });

  it('let long work continue between its slices if no other lane is working, and in any case after a moment', async () => {
    let now = 0;
    const fairQueue = new FairQueue(3, { clock: () => now, yieldingMilliseconds: 20 });
    const { ask, end, settled } = tasks(fairQueue);
    const passed: string[] = [];
    const gap = (name: string): Promise<void> => fairQueue.gap('storm').then(() => void passed.push(name));
    ask('storm', 's0');
    await settled();
    await gap('beside its own task');
    ask('calm', 'c0');
    await settled();
    const first = gap('when the other one has ended');
    await settled();
    expect(passed).toEqual(['beside its own task']);
    await end('c0');
    await first;
    ask('calm', 'c1');
    await settled();
    const second = gap('after a moment');
    await settled();
    expect(passed).toEqual(['beside its own task', 'when the other one has ended']);
    now += 21;
    await second;
    expect(passed.at(-1)).toBe('after a moment');
  });

  it('go to the lane whose last start or end of a task is the oldest', async () => {
    const { ask, started, end, settled } = tasks(new FairQueue(2, { yieldingMilliseconds: 0 }));
    for (const name of ['a0', 'a1', 'a2']) ask('a', name);
    for (const name of ['b0', 'b1']) ask('b', name);
    ask('c', 'c0');
    await settled();
    for (const name of ['a0', 'b0', 'c0', 'a1']) await end(name);
    expect(started).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2']);
  });

  it('are released by a task that fails, and a single slot serves all lanes', async () => {
    const fairQueue = new FairQueue(1);
    await expect(fairQueue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await fairQueue.run('a', async () => 1)).toBe(1);
  });

  it('let a task wait at most for the running tasks of another lane, whatever was queued', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
        async (count, lanes) => {
          const { ask, started, end, settled, results } = tasks(new FairQueue(count, { yieldingMilliseconds: 0 }));
          lanes.forEach((lane, index) => ask(lane, `${lane}${index}`));
          await settled();
          const from = started.length;
          ask('late', 'late');
          await settled();
          for (let ended = 0; ended < started.length; ended++) {
            await settled();
            await end(started[ended]!);
          }
          await Promise.all(results);
          // Each waiting lane gets at most one slot before the late task.
          expect(started.indexOf('late') - from).toBeLessThanOrEqual(new Set(lanes).size);
          expect(started).toHaveLength(lanes.length + 1);
        },
      ),
      { numRuns: 50, seed: 20261125 },
    );
  });
});
