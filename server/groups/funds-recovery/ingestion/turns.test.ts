import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('lets so many work at once, the others in their order, and goes on after a failure', async () => {
  const turns = new Turns(2);
  const [working, begun]: [Set<number>, number[]] = [new Set(), []];
  let most = 0;
  const results = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => turns.take(async () => {
    begun.push(n);
    working.add(n);
    most = Math.max(most, working.size);
    await new Promise((resolve) => setImmediate(resolve));
    working.delete(n);
    if (n === 1) throw new Error('it fails');
    return n;
  })));
  expect([most, begun, results.map(({ status }) => status)]).toEqual([2, [0, 1, 2, 3, 4, 5], ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']]);
});
