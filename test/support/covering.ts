import { afterAll } from 'vitest';

/** The long campaigns send every cell. */
const EVERY_CELL = process.env['SOAK'] === 'true';

/**
 * Chooses the cells of a table that go by HTTP, where each is decided in this process by the same functions: those that still lack something
 * that must come by HTTP so many times at least. Says at the end how many of each there were.
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
