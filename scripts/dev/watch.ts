import { watch } from 'node:fs';

/** Editors write a file in several steps; what comes within this time is one change. */
const SETTLED_MS = 40;

/**
 * Calls `changed` after files of a folder have changed. The folder is watched and not the file, because most editors
 * replace the file and a watcher of the old one falls silent.
 */
export function watchFolder(folder: string, options: { readonly recursive: boolean; readonly matches: (path: string) => boolean }, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: options.recursive }, (_event, path) => {
    if (path === null || !options.matches(path)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLED_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
