/** Tests that a tenant with very many requests does not starve the others. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startOwnListWorld } from '../api/own-lists-world.ts';
import { shared } from '../support/service.ts';
import { largestOwnList } from '../support/storm.ts';

const world = await shared(startOwnListWorld());
const { acme, other, replace, person, listed } = world;
const IS_SOAK = process.env['SOAK'] === 'true';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('a tenant that requests as much as possible', () => {
  it('gets no slot before another tenant that waits for one', async () => {
    const [storming, calm] = [await acme.key(['screening']), await other.key(['screening'])];
    await person('Ana Taquarembó', {}, calm);
    const { fairQueue } = world.running.services;
    const run = fairQueue.run.bind(fairQueue);
    let begun = 0;
    const waited: number[] = [];
    // Counts the slots that the storm gets while the other tenant waits for one, whatever their duration.
    fairQueue.run = (lane, task) => {
      const before = begun;
      return run(lane, () => {
        if (lane === acme.id) begun++;
        else waited.push(begun - before);
        return task();
      });
    };
    const storm = Array.from({ length: 60 }, (_, index) =>
      person(`Bento Sorocaba ${index.toString(36)}`, {}, storming).then(({ status }) => status),
    );
    for (let count = 0; count < 8; count++) expect((await person('Ana Taquarembó', {}, calm)).status).toBe(201);
    expect(new Set(await Promise.all(storm))).toEqual(new Set([201]));
    fairQueue.run = run;
    expect(begun).toBeGreaterThanOrEqual(60);
    expect(waited.length).toBeGreaterThanOrEqual(8);
    expect(Math.max(...waited)).toBeLessThanOrEqual(1);
  });

  it('replaces the largest list in slices, between which every tenant gets a slot', async () => {
    const [first, second] = [largestOwnList('first'), largestOwnList('second')];
    expect((await replace(first)).status).toBe(200);
    let ticks = 0;
    let isOver = false;
    const count = (): void => {
      ticks++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect((await replace(second)).body).toMatchObject({
      entryCount: 10_000,
      lastChange: { added: 0, changed: 10_000, removed: 0 },
    });
    isOver = true;
    const [{ parts, largest }] = (await world.database.sql<{ parts: number; largest: number }>(
      `
      SELECT count(*)::integer AS parts, max(length(content ->> 'sealed'))::integer AS largest FROM own_list_part p
      JOIN own_list_version v ON v.tenant_id = p.tenant_id AND v.id = p.version_id
        WHERE v.tenant_id = $1 AND v.ended_at IS NULL`,
      [acme.id],
    )) as [{ parts: number; largest: number }];
    expect([parts >= 40, largest < 512 * 1024, (await listed())!.entryCount]).toEqual([true, true, 10_000]);
    // The old list is read in that many slices, and the new one is received and sealed in that many.
    expect(ticks).toBeGreaterThan(3 * parts);
  });
});

if (IS_SOAK) {
  describe('in the long campaign', () => {
    it('a storm slows the slowest hundredth of another tenant to one and a half times at most', {
      timeout: 900_000,
    }, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['scripts/bench/main.ts', '--only', 'fairness'], {
        cwd: ROOT,
      });
      expect(stdout).toContain('1 of 1 goals met');
    });
  });
}
