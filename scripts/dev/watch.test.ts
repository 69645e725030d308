/** Test of watching a file: every replacement is reported. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { watchFolder } from './watch.ts';

it('reports every replacement of a file, also a repeated one and one in a folder that was created later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  mkdirSync(join(folder, 'deep/er'), { recursive: true });
  writeFileSync(join(folder, 'deep/er/a.ts'), '0');
  let changes = 0;
  const close = watchFolder(folder, { recursive: true, matches: (path) => path.endsWith('.ts') }, () => {
    changes++;
  });
  const replace = async (path: string): Promise<void> => {
    const before = changes;
    writeFileSync(join(folder, `${path}.new`), String(before));
    renameSync(join(folder, `${path}.new`), join(folder, path));
    await vi.waitFor(() => {
      expect(changes).toBe(before + 1);
    }, 5000);
  };
  try {
    for (const _ of [1, 2, 3]) await replace('deep/er/a.ts');
    mkdirSync(join(folder, 'later'));
    const before = changes;
    await vi.waitFor(
      () => {
        writeFileSync(join(folder, 'later/b.ts'), String(changes));
        expect(changes).toBeGreaterThan(before);
      },
      { timeout: 15_000, interval: 200 },
    );
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
});
