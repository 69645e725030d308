/** The elements of what a test walks through: there must be some, or the test would expect nothing. */
export function each<T>(elements: Iterable<T>): readonly T[] {
  const all = [...elements];
  if (all.length === 0) throw new Error('there is nothing to walk through, so nothing would be expected');
  return all;
}
