/** As many at once as a participant has connections to the directory. */
const width = 4;

/** Results in the order of the items. The first failure ends it, once what had begun is over. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += width) {
    const settled = await Promise.allSettled(items.slice(start, start + width).map(work));
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason;
      results.push(result.value);
    }
  }
  return results;
}
