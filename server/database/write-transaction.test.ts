/** Tests of the detection of transactions that contend for one row. */
import { describe, expect, it } from 'vitest';
import { registerContender } from './write-transaction.ts';

describe('contention', () => {
  it('is reported to every contender of a key except the first, until they have left', () => {
    const first = registerContender(['a']);
    const second = registerContender(['b', 'a']);
    const elsewhere = registerContender(['c']);
    expect([first, second, elsewhere].map(({ othersWait }) => othersWait)).toEqual([false, true, false]);
    first.leave();
    expect(registerContender(['b']).othersWait).toBe(true);
    second.leave();
    const alone = registerContender(['a']);
    expect(alone.othersWait).toBe(false);
    alone.leave();
  });
});
