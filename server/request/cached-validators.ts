/**
 * Stores compiled validators on disk, so that the next start need not compile them. Used by api.ts and validate.ts. The
 * cache is bound to the contract and to everything that the code depends on; a file that is missing here would let
 * outdated validators be loaded. A damaged cache is compiled again.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Ajv } from 'ajv';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';
import { DiskCache } from '../base/disk-cache.ts';
import type { RuntimeContract } from '../contract/pruned-contract.ts';
import { type Compiled, type CachedText, parseCachedText, type Part, ValidatorSource } from './validator-source.ts';

export type { Part };

/** Cache in which the adapter finds validators that were compiled before, and stores those that it compiles. */
export interface ValidatorCache {
  /** Value for the option `code.process` of Ajv. */
  readonly remember?: ((source: string, schema?: SchemaEnv) => string) | undefined;
  /** Returns the functions that were compiled under this name from the same contract; `ajv` has the same options. */
  readonly find: (name: string, ajv: () => Ajv) => Compiled | undefined;
  /** Stores the functions that were compiled under this name; null if they were loaded instead. */
  readonly record: (name: string, parts: readonly Part[] | null) => void;
}

/** Cache that stores nothing, so that everything is compiled every time. */
export const NO_CACHE: ValidatorCache = { find: () => undefined, record: () => undefined };

const require = createRequire(import.meta.url);
const HERE = import.meta.dirname;
/** Everything, besides the contract and the kinds of formats, that the generated code depends on. */
const SOURCES = [
  ...['cached-validators.ts', 'order-keywords.ts', 'validate.ts', 'validator-adapter.ts', 'validator-source.ts'].map(
    (name) => join(HERE, name),
  ),
  ...['email-format.ts', 'pruned-contract.ts', 'text-formats.ts'].map((name) => join(HERE, '../contract', name)),
  ...['ajv', 'ajv-formats', 'express-openapi-validator'].map((name) => require.resolve(`${name}/package.json`)),
];

/**
 * Validators of one contract, compiled by an earlier process. They are code that Ajv generated for
 * express-openapi-validator, cached under the hash of everything that the code depends on, so a start with the same
 * contract only loads it. The first start compiles and caches the code.
 */
export class CachedValidators implements ValidatorCache {
  readonly #cache: DiskCache;
  readonly #path: string;
  readonly #text: CachedText | null;
  readonly #source = new ValidatorSource();
  readonly #names = new Set<string>();
  #fault: Error | null = null;
  #loaded: Readonly<Record<string, Compiled>> | null = null;

  constructor(contract: RuntimeContract, folder = join(HERE, '../../node_modules/.cache/validators')) {
    this.#cache = new DiskCache(folder, '.js');
    this.#path = this.#cache.pathOf([JSON.stringify(contract), ...SOURCES.map((file) => readFileSync(file))]);
    this.#text = textAt(this.#cache, this.#path);
  }

  get remember(): ((source: string, schema?: SchemaEnv) => string) | undefined {
    return this.#text === null ? this.#source.remember : undefined;
  }

  find(name: string, ajv: () => Ajv): Compiled | undefined {
    if (this.#text === null) return undefined;
    this.#loaded ??= this.#text(ajv());
    return this.#loaded[name];
  }

  record(name: string, parts: readonly Part[] | null): void {
    if (this.#text !== null || this.#names.has(name)) return;
    this.#names.add(name);
    try {
      if (parts === null)
        throw new Error(`${name} was loaded from the cache of another contract, so its code cannot be stored`);
      this.#source.add(name, parts);
    } catch (error) {
      this.#fault ??= error as Error;
    }
  }

  /**
   * Ends a compilation and caches the compiled code unless it came from the cache. Returns the reason if the code
   * cannot be cached; then the next start compiles again.
   */
  store(): Error | null {
    if (this.#text === null && this.#fault === null) this.#cache.write(this.#path, this.#source.text());
    this.#source.clear();
    return this.#fault;
  }
}

/** Returns null if the cached text cannot be parsed, so that the validators are compiled again. */
function textAt(cache: DiskCache, path: string): CachedText | null {
  const text = cache.read(path);
  if (text === null) return null;
  try {
    return parseCachedText(text, path);
  } catch {
    return null;
  }
}
