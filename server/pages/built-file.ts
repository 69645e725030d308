import { readFile, stat } from 'node:fs/promises';

/**
 * A file of the documentation build and what is derived from it, read again when a new build has replaced it. `null`
 * while there is none: the service runs without its reader pages, and they say what is missing.
 */
export function builtFile<T>(path: string, derive: (bytes: Buffer) => T): () => Promise<T | null> {
  let known: { readonly stamp: string; readonly value: T } | null = null;
  return async () => {
    try {
      const { mtimeMs, size } = await stat(path);
      const stamp = `${mtimeMs}-${size}`;
      if (known?.stamp !== stamp) known = { stamp, value: derive(await readFile(path)) };
      return known.value;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
}
