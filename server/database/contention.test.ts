import { describe, expect, it } from 'vitest';
import { arrive } from './contention.ts';

describe('contention', () => {
  it('is told by everybody but the first who comes for a key, until they have left', () => {
    const first = arrive(['a']);
    const second = arrive(['b', 'a']);
    const elsewhere = arrive(['c']);
    expect([first, second, elsewhere].map(({ othersWait }) => othersWait)).toEqual([false, true, false]);
    first.leave();
    expect(arrive(['b']).othersWait).toBe(true);
    second.leave();
    const alone = arrive(['a']);
    expect(alone.othersWait).toBe(false);
    alone.leave();
  });
});
