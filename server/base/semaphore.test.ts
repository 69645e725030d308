/** Tests of the semaphore. */
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

function task(): { run: () => Promise<string>; finish: () => void; started: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let started = false;
  return {
    run: () => {
      started = true;
      return promise;
    },
    finish: () => resolve('done'),
    started: () => started,
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore', () => {
  it('runs at most as many tasks at once as it has permits, and the others in order', async () => {
    const semaphore = new Semaphore(1, { maxWaiting: 2, refusal: () => new Error('full') });
    const [first, second, third] = [task(), task(), task()];
    const results = [first, second, third].map((each) => semaphore.run(each.run));
    await settle();
    expect([first.started(), second.started(), third.started()]).toEqual([true, false, false]);
    first.finish();
    await settle();
    expect([second.started(), third.started()]).toEqual([true, false]);
    second.finish();
    third.finish();
    expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
  });

  it('lets every task wait if the queue has no limit', async () => {
    const semaphore = new Semaphore(1);
    const tasks = Array.from({ length: 40 }, task);
    const results = tasks.map((each) => semaphore.run(each.run));
    await settle();
    expect(tasks.map((each) => each.started())).toEqual([true, ...Array<boolean>(39).fill(false)]);
    tasks.forEach((each) => each.finish());
    expect(await Promise.all(results)).toHaveLength(40);
  });

  it('refuses a task that finds the queue full', async () => {
    const semaphore = new Semaphore(1, { maxWaiting: 1, refusal: () => new Error('full') });
    const running = task();
    const waiting = task();
    const results = [semaphore.run(running.run), semaphore.run(waiting.run)];
    await expect(semaphore.run(task().run)).rejects.toThrow('full');
    running.finish();
    waiting.finish();
    await Promise.all(results);
  });

  it('releases the permit if a task fails', async () => {
    const semaphore = new Semaphore(1, { maxWaiting: 0, refusal: () => new Error('full') });
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next');
  });
});
