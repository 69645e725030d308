import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Runs `work` now; while it runs, further calls are merged into one run afterwards. Nothing is lost, and never do two
 * runs overlap.
 */
export function latestOnly(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  return function run(): void {
    if (running) {
      again = true;
      return;
    }
    running = true;
    void work().finally(() => {
      running = false;
      if (!again) return;
      again = false;
      run();
    });
  };
}

/** Editors write a file in several steps; what comes within this time is one change. */
const SETTLED_MS = 40;

/**
 * Calls `changed` after files of a folder have changed. Folders are watched and not files, because most editors replace the
 * file, and a watcher of the old one falls silent. So does Node's own recursive watcher on Linux, which watches each file.
 */
export function watchFolder(folder: string, options: { readonly recursive: boolean; readonly matches: (path: string) => boolean }, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = new Map<string, FSWatcher>();
  const cover = (): void => {
    for (const place of options.recursive ? foldersBelow(folder) : [folder]) {
      if (watchers.has(place)) continue;
      const watcher = watch(place, (event, name) => {
        // A folder may have come.
        if (event === 'rename' && options.recursive) cover();
        if (name === null || !options.matches(relative(folder, join(place, name)))) return;
        clearTimeout(timer);
        timer = setTimeout(changed, SETTLED_MS);
      });
      // The folder is gone, or cannot be watched any longer.
      watcher.on('error', () => { watcher.close(); });
      watchers.set(place, watcher.once('close', () => { watchers.delete(place); }));
    }
  };
  cover();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

function foldersBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [folder, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))];
}
