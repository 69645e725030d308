import { expect, it } from 'vitest';
import { alternate } from './rounds.ts';

it('lets the contenders take turns, and keeps the results of each in order', async () => {
  const seen: string[] = [];
  const turn = (name: string) => () => seen.push(name);
  const results = await alternate(2, { a: turn('a'), b: turn('b') });
  expect(seen).toEqual(['a', 'b', 'a', 'b']);
  expect(results).toEqual({ a: [1, 3], b: [2, 4] });
});
