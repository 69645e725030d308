/** Reads which TypeScript file imports which other file, and which names. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A name imported from another file; `*` means everything. */
interface Import {
  readonly from: string;
  /** Name in the other file, and name in this file. */
  readonly name: string;
  readonly local: string;
}

const STATEMENT =
  /^(import|export) (?:(type )?(?:([\w$]+)(?:, )?)?(?:\{([^}]*)\}|\* as ([\w$]+)|(\*))? ?from )?'(\.[^']+)'/gm;
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g;

export class Imports {
  readonly #root: string;
  readonly #texts = new Map<string, string>();
  readonly #imports = new Map<string, readonly Import[]>();
  readonly #exports = new Map<string, readonly Import[]>();

  constructor(root: string) {
    this.#root = root;
  }

  text(file: string): string {
    let text = this.#texts.get(file);
    if (text === undefined) {
      const path = join(this.#root, file);
      text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      this.#texts.set(file, text);
    }
    return text;
  }

  /**
   * Returns what a file imports from other files, without types. Each name is attributed to the file that declares it,
   * not to an index that re-exports it.
   */
  of(file: string): readonly Import[] {
    let found = this.#imports.get(file);
    if (found === undefined) {
      const statements = [...this.#statements(file, 'import'), ...this.#statements(file, 'export')];
      const dynamic = [...this.text(file).matchAll(DYNAMIC)].map(([, path = '']) => ({
        from: resolve(file, path),
        name: '*',
        local: '*',
      }));
      found = [...statements, ...dynamic].map(({ from, name, local }) => ({
        from: this.#declaring(from, name),
        name,
        local,
      }));
      this.#imports.set(file, found);
    }
    return found;
  }

  /** Returns the files that are reachable from some files, with the number of steps. */
  closure(files: readonly string[], follow: (file: string) => boolean = () => true): ReadonlyMap<string, number> {
    const steps = new Map<string, number>(files.map((file) => [file, 0]));
    for (const [file, distance] of steps) {
      if (!follow(file)) continue;
      for (const { from } of this.of(file)) if (!steps.has(from)) steps.set(from, distance + 1);
    }
    return steps;
  }

  #declaring(file: string, name: string, seen: ReadonlySet<string> = new Set()): string {
    if (name === '*' || seen.has(file)) return file;
    let passed = this.#exports.get(file);
    if (passed === undefined) {
      passed = this.#statements(file, 'export');
      this.#exports.set(file, passed);
    }
    const one = passed.find(({ local }) => local === name);
    return one === undefined ? file : this.#declaring(one.from, one.name, new Set([...seen, file]));
  }

  #statements(file: string, kind: 'import' | 'export'): Import[] {
    return [...this.text(file).matchAll(STATEMENT)].flatMap(
      ([, keyword, type, standard, names, all, star, path = '']) => {
        if (keyword !== kind || type !== undefined) return [];
        const from = resolve(file, path);
        if (all !== undefined) return [{ from, name: '*', local: all }];
        if (star !== undefined || (names === undefined && standard === undefined))
          return [{ from, name: '*', local: '*' }];
        const listed = (names ?? '')
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== '' && !one.startsWith('type '))
          .map((one) => one.split(' as '))
          .map(([name = '', local = name]) => ({ from, name, local }));
        return standard === undefined ? listed : [...listed, { from, name: 'default', local: standard }];
      },
    );
  }
}

function resolve(file: string, path: string): string {
  return normalize(join(dirname(file), path));
}
