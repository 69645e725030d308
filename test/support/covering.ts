/**
 * Chooses which cells of a table of permissions are sent by HTTP. Used by those tests; the other cells are decided by
 * the same code without HTTP.
 */
import { afterAll } from 'vitest';

/** The soak runs send every cell. */
const EVERY_CELL = process.env['SOAK'] === 'true';

/**
 * Returns a function that chooses the cells of a table to send by HTTP; all other cells are decided in this process by
 * the same functions. It chooses a cell if one of its features has not yet been sent the required number of times, and
 * reports at the end how often each feature was sent.
 */
export function covering(what: string): (wanted: Readonly<Record<string, number>>) => boolean {
  const sent = new Map<string, number>();
  let [cells, byHttp] = [0, 0];
  afterAll(() => console.info(`${cells} ${what}, ${byHttp} of them by HTTP, too`));
  return (wanted) => {
    cells += 1;
    const features = Object.entries(wanted);
    if (!EVERY_CELL && features.every(([feature, least]) => (sent.get(feature) ?? 0) >= least)) return false;
    for (const [feature] of features) sent.set(feature, (sent.get(feature) ?? 0) + 1);
    byHttp += 1;
    return true;
  };
}
