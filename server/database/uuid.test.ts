import { describe, expect, it } from 'vitest';
import { uuidv7 } from './uuid.ts';

describe('uuidv7', () => {
  it('has version 7, variant 10 and the time in front', () => {
    const id = uuidv7(Date.UTC(2100, 0, 1));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2100, 0, 1));
  });

  it('never repeats and never goes back within a process, whatever the clock does', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => uuidv7(Date.UTC(2101, 0, 1) + (index % 3) - Math.floor(index / 10_000) * 50));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
  });
});
