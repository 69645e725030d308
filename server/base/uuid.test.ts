/** Tests of UUIDs of version 7 (RFC 9562). */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { uuidv7 } from './uuid.ts';

afterEach(() => void vi.restoreAllMocks());

/** Returns the ids that are created while the system clock shows these times. */
const idsAt = (times: readonly number[]): string[] => {
  const clock = vi.spyOn(Date, 'now');
  return times.map((time) => {
    clock.mockReturnValue(time);
    return uuidv7();
  });
};
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('uuidv7', () => {
  it('has version 7, variant 10 and the time in front', () => {
    const [id = ''] = idsAt([Date.UTC(2100, 0, 1)]);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOf(id)).toBe(Date.UTC(2100, 0, 1));
  });

  it('never repeats and never decreases within a process, even if the clock steps back a little', () => {
    const ids = idsAt(
      Array.from(
        { length: 20_000 },
        (_, index) => Date.UTC(2101, 0, 1) + (index % 3) - Math.floor(index / 10_000) * 50,
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
  });

  it('contains the real time again once a clock that was years ahead is corrected', () => {
    const wrong = Date.UTC(2130, 0, 1);
    const right = Date.UTC(2026, 10, 1);
    expect(idsAt([wrong, right, right + 5]).map(timeOf)).toEqual([wrong, right, right + 5]);
  });

  it('accepts no time from its caller', () => {
    expect(uuidv7).toHaveLength(0);
  });
});
