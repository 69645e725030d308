/** Tests of long computations that are divided into slices, so that other requests are served between them. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventLoopYielder } from './walk.ts';

describe('a long computation in slices', () => {
  it('yields to other work repeatedly, and costs nothing in between', async () => {
    const give = eventLoopYielder();
    let turns = 0;
    let done = false;
    const others = (async () => {
      for (; !done; turns++) await setTimeout(0);
    })();
    let [waited, asked] = [0, 0];
    while (waited < 4) {
      asked += 1;
      const pause = give();
      if (pause === null) continue;
      waited += 1;
      await pause;
    }
    done = true;
    await others;
    expect(asked).toBeGreaterThan(waited);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
