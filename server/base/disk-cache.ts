/**
 * Caches texts on disk by the hash of all inputs. Used for compiled validators and for the contract of scripts. An
 * input that is left out of the hash would give outdated results; failures to write are ignored.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Number of files that a folder keeps, so that a branch finds its files after another branch was checked out. */
const MOST_FILES = 8;

/**
 * Cache of texts that can be recomputed, each in a file named by the hash of all inputs of the computation. A file is
 * therefore never stale: other inputs have another name. If the folder cannot be written to, nothing is cached, which
 * costs only time.
 */
export class DiskCache {
  readonly #folder: string;
  readonly #suffix: string;

  constructor(folder: string, suffix: string) {
    this.#folder = folder;
    this.#suffix = suffix;
  }

  /** Returns the path of the file with the text computed from these inputs, whether or not the file exists. */
  pathOf(inputs: readonly (string | Buffer)[]): string {
    const hash = createHash('sha256');
    for (const input of inputs) hash.update(`${Buffer.byteLength(input)}\n`).update(input);
    return join(this.#folder, `${hash.digest('hex')}${this.#suffix}`);
  }

  read(path: string): string | null {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  }

  /** Writes a file atomically, so that no reader sees a part of it, and removes the oldest files. */
  write(path: string, text: string): void {
    try {
      mkdirSync(this.#folder, { recursive: true });
      const draft = `${path}.${process.pid}`;
      try {
        writeFileSync(draft, text);
        renameSync(draft, path);
      } finally {
        rmSync(draft, { force: true });
      }
      this.#removeOldest();
    } catch {
      // The next process recomputes the text.
    }
  }

  #removeOldest(): void {
    const files = readdirSync(this.#folder)
      .filter((name) => name.endsWith(this.#suffix))
      .map((name) => join(this.#folder, name));
    const written = new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
    for (const file of files.sort((a, b) => written.get(b)! - written.get(a)!).slice(MOST_FILES))
      rmSync(file, { force: true });
  }
}
