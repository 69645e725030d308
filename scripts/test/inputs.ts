/**
 * Identifies the inputs of a step by their content, and records with which inputs it passed on this machine. Used by
 * steps.ts. An input that is not seen makes a step look passed that would fail.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

/** Environment variables that change what a step does. */
const VARIABLES = ['SEED', 'SOAK', 'DIFF_BASE', 'NODE_OPTIONS'] as const;

/**
 * Inputs at one moment: every tracked file, every untracked file that is not ignored, the tags, the variables and the
 * machine.
 */
export class Inputs {
  readonly #files: ReadonlyMap<string, string>;
  readonly #surroundings: string;
  readonly #again: () => Inputs;

  constructor(root: string, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.#again = () => new Inputs(root, env);
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const names = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
    this.#files = new Map(
      [...new Set(names)]
        .filter((name) => name !== '')
        .sort()
        .flatMap((name) => {
          const path = join(root, name);
          const stat = lstatSync(path, { throwIfNoEntry: false });
          return stat?.isFile() === true ? [[name, `${stat.mode & 0o111} ${hash(readFileSync(path))}`] as const] : [];
        }),
    );
    this.#surroundings = JSON.stringify([
      git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/tags'),
      VARIABLES.map((name) => env[name]),
      hostname(),
      process.platform,
      process.arch,
      process.version,
    ]);
  }

  /** Returns the inputs in their present state. */
  again(): Inputs {
    return this.#again();
  }

  /**
   * Returns a hash of the files at or below these paths, or of all files. A path without files is an error in the table
   * of steps.
   */
  of(paths: readonly string[] | null): string {
    const unknown = paths?.find((path) => ![...this.#files.keys()].some((file) => isBelow(file, path)));
    if (unknown !== undefined) throw new Error(`The inputs of a step name ${unknown}, where no file is.`);
    const own = [...this.#files].filter(([file]) => paths === null || paths.some((path) => isBelow(file, path)));
    return hash([this.#surroundings, ...own.flat()].join('\0'));
  }
}

/** Inputs with which each step passed in its last run. A step that failed or was interrupted has no entry. */
export class PassedSteps {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns when the step passed with these inputs; null if it did not, or if its last run failed. */
  when(step: string, inputs: string): string | null {
    const entry = this.#read()[step];
    return entry?.inputs === inputs ? entry.at : null;
  }

  /** Deletes the entry of a step that begins, so that it counts as passed only after it has ended. */
  forget(step: string): void {
    const { [step]: _, ...others } = this.#read();
    this.#write(others);
  }

  add(step: string, inputs: string): void {
    this.#write({ ...this.#read(), [step]: { inputs, at: new Date().toISOString() } });
  }

  #read(): Readonly<Record<string, { readonly inputs: string; readonly at: string }>> {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, { inputs: string; at: string }>;
    } catch {
      // Nothing has passed if the file is missing or damaged.
      return {};
    }
  }

  #write(entries: object): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    const draft = `${this.#file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(entries, null, 1)}\n`);
    renameSync(draft, this.#file);
  }
}

/** Returns a hash of everything in a folder; if the folder does not exist, the hash of nothing. */
export function contentOf(folder: string): string {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return hash(files.map((file) => `${file} ${hash(readFileSync(file))}`).join('\0'));
}

const isBelow = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
