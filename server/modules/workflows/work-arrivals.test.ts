/** Tests of waiting for work outside of a transaction. */
import { describe, expect, it } from 'vitest';
import { WorkArrivals } from './work-arrivals.ts';

const never = new AbortController().signal;

/** Tells whether a promise resolves before a moment has passed. */
const isSoon = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(resolve, 100))])) === true;

describe('A request that waits for work', () => {
  it('is woken by work of its tenant, and by no other', async () => {
    const arrivals = new WorkArrivals();
    const [ours, theirs] = [arrivals.expect('ours').within(5000, never), arrivals.expect('theirs').within(300, never)];
    arrivals.announce('ours');
    expect([await isSoon(ours), await isSoon(theirs)]).toEqual([true, false]);
  });

  it('does not miss what arrives before it waits', async () => {
    const arrivals = new WorkArrivals();
    const arrival = arrivals.expect('ours');
    arrivals.announce('ours');
    expect(await isSoon(arrival.within(5000, never))).toBe(true);
  });

  it('is woken when its time is over, its client has gone, announcements were lost, or the process stops', async () => {
    const arrivals = new WorkArrivals();
    const gone = new AbortController();
    gone.abort();
    expect(await isSoon(arrivals.expect('ours').within(1, never))).toBe(true);
    expect(await isSoon(arrivals.expect('ours').within(5000, gone.signal))).toBe(true);
    const [lost, stopped] = [arrivals.expect('ours'), arrivals.expect('ours')];
    const waits = lost.within(5000, never);
    arrivals.announceAll();
    expect(await isSoon(waits)).toBe(true);
    arrivals.close();
    expect([await isSoon(stopped.within(5000, never)), arrivals.isClosed]).toEqual([true, true]);
  });
});
