import { expect, it } from 'vitest';
import { Laboratory } from './laboratory.ts';
import { QUICK } from './main.ts';
import { measureAudit, measureWholePath } from './whole-path.ts';

it('the benchmark finds nothing refused and every audit chain whole', { timeout: 240_000 }, async () => {
  const laboratory = await Laboratory.open({ ...QUICK, rounds: 1, secondsPerTurn: 0.1, warmUpSeconds: 0.1 }, 2, () => {});
  try {
    const rows = [...await measureWholePath(laboratory), ...await measureAudit(laboratory)].flatMap((section) => section.rows);
    expect(rows.filter(({ what }) => what === 'broken audit chains')).toMatchObject([{ met: true }, { met: true }]);
    expect(rows.map(({ figure }) => figure).join()).not.toContain('NaN');
  } finally {
    await laboratory.stop();
  }
});
