import { readFile, stat } from 'node:fs/promises';

/**
 * A file of the documentation build and what is derived from it: once for all who ask, however many do at the same time,
 * and again when a new build has replaced it. `null` while there is none: the service runs without its reader pages, and they say what is missing.
 */
export function builtFile<T>(path: string, derive: (bytes: Buffer) => T): () => Promise<T | null> {
  let known: { readonly stamp: string; readonly value: Promise<T> } | null = null;
  return async () => {
    try {
      const { mtimeMs, size } = await stat(path);
      const stamp = `${mtimeMs}-${size}`;
      if (known?.stamp !== stamp) known = { stamp, value: readFile(path).then(derive) };
      return await known.value;
    } catch (error) {
      known = null;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
}
