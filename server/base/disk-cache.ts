import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many files a folder keeps, so that a branch finds what it left there after another branch was checked out. */
const MOST_FILES = 8;

/**
 * Texts that can be computed again, each in a file named by the hash of everything that it was computed from. A file is therefore never
 * stale: other inputs have another name. A folder that cannot be written to keeps nothing, which costs time only.
 */
export class DiskCache {
  readonly #folder: string;
  readonly #suffix: string;

  constructor(folder: string, suffix: string) {
    this.#folder = folder;
    this.#suffix = suffix;
  }

  /** Path of the file that holds the text computed from these inputs, whether or not the file exists. */
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

  /** Writes a file in one step, so that no reader sees a part of it, and removes the oldest files. */
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
      // The next process computes the text again.
    }
  }

  #removeOldest(): void {
    const files = readdirSync(this.#folder).filter((name) => name.endsWith(this.#suffix)).map((name) => join(this.#folder, name));
    const written = new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
    for (const file of files.sort((a, b) => written.get(b)! - written.get(a)!).slice(MOST_FILES)) rmSync(file, { force: true });
  }
}
