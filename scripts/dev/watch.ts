/** Watches folders and runs work after changes, without overlap. Used by `make dev`, `make mock` and `make quick`. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Returns a function that runs `work`. Calls during a run are merged into one run after it, so that no call is lost and
 * no two runs overlap.
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

/** Editors write a file in several steps; events within this time count as one change. */
const SETTLED_MS = 40;

/**
 * Calls `changed` after files of a folder have changed. It watches folders, not files, because most editors replace a
 * file, after which a watcher of the old file reports nothing. Node's recursive watcher on Linux has the same problem,
 * because it watches each file.
 */
export function watchFolder(
  folder: string,
  options: { readonly recursive: boolean; readonly matches: (path: string) => boolean },
  changed: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = new Map<string, FSWatcher>();
  const cover = (): void => {
    for (const place of options.recursive ? foldersBelow(folder) : [folder]) {
      if (watchers.has(place)) continue;
      const watcher = watch(place, (event, name) => {
        // A new folder may have been created.
        if (event === 'rename' && options.recursive) cover();
        if (name === null || !options.matches(relative(folder, join(place, name)))) return;
        clearTimeout(timer);
        timer = setTimeout(changed, SETTLED_MS);
      });
      // The folder was deleted or cannot be watched any longer.
      watcher.on('error', () => {
        watcher.close();
      });
      watchers.set(
        place,
        watcher.once('close', () => {
          watchers.delete(place);
        }),
      );
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
