import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventLoopYielder } from './walk.ts';

describe('a long computation in slices', () => {
  it('gives way to others again and again, and costs nothing in between', async () => {
    const give = eventLoopYielder();
    let turns = 0;
    let done = false;
    const others = (async () => {
      for (; !done; turns++) await setTimeout(0);
    })();
    let waited = 0;
    for (const end = performance.now() + 100; performance.now() < end;) {
      const turn = give();
      if (turn === null) continue;
      waited += 1;
      await turn;
    }
    done = true;
    await others;
    expect(waited).toBeGreaterThan(3);
    expect(turns).toBeGreaterThan(3);
  });
});
