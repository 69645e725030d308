/**
 * Returns the elements that a test iterates over. Fails if there are none, because the test would then expect nothing.
 * Used by all tests that iterate.
 */
export function each<T>(elements: Iterable<T>): readonly T[] {
  const all = [...elements];
  if (all.length === 0) throw new Error('there is nothing to walk through, so nothing would be expected');
  return all;
}
