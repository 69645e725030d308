/**
 * Limits of a list by who sends it. Used by imports and by the reading thread. They protect memory and the time of
 * later searches.
 */
import type { ListedEntity } from '../listed-entity.ts';
import { SourceFileError } from './source-file.ts';

const MEBIBYTE = 1024 * 1024;

/** Limits of a list. The cost of every search and index is proportional to these, not to the size of the upload. */
export interface ListBounds {
  readonly entries: number;
  readonly names: number;
  /** Total of all names. */
  readonly characters: number;
  /** Total of all files, unpacked. */
  readonly bytes: number;
  /** Memory limit of the reader. */
  readonly memoryMebibytes: number;
}

/** Limits of a tenant's own list: ten times what a compliance team collects itself. */
export const OWN_BOUNDS: ListBounds = {
  entries: 10_000,
  names: 30_000,
  characters: 1_500_000,
  bytes: 32 * MEBIBYTE,
  memoryMebibytes: 256,
};
/** Limits of an upload, because it blocks all other imports. Larger lists are imported by the command line. */
export const UPLOAD_BOUNDS: ListBounds = {
  entries: 500_000,
  names: 2_000_000,
  characters: 100_000_000,
  bytes: 1024 * MEBIBYTE,
  memoryMebibytes: 1024,
};
/** Limits of a published list: ten times the largest. */
export const PUBLISHED_BOUNDS: ListBounds = {
  entries: 20_000_000,
  names: 100_000_000,
  characters: 5_000_000_000,
  bytes: 32 * 1024 * MEBIBYTE,
  memoryMebibytes: 4096,
};

/** Counts what is read of a list and rejects more than its limits. */
export class ListCount {
  readonly #bounds: ListBounds;
  #entries = 0;
  #names = 0;
  #characters = 0;
  #bytes = 0;

  constructor(bounds: ListBounds) {
    this.#bounds = bounds;
  }

  /** Counts each entry, including repeated ones. */
  add({ names }: ListedEntity): void {
    const { entries, names: mostNames, characters } = this.#bounds;
    if (++this.#entries > entries)
      throw new SourceFileError(`the file has more than ${entries} entries`, 'main', 'too_many_entries');
    if ((this.#names += names.length) > mostNames)
      throw new SourceFileError(`the file has more than ${mostNames} names`, 'main', 'too_many_names');
    this.#characters += names.reduce((sum, { name }) => sum + name.length, 0);
    if (this.#characters > characters)
      throw new SourceFileError(
        `the names in the file have more than ${characters} characters together`,
        'main',
        'too_much_text',
      );
  }

  /** Passes the bytes on until all files together exceed the limit. */
  async *counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      if ((this.#bytes += piece.length) > this.#bounds.bytes)
        throw new SourceFileError(
          `the file has more than ${this.#bounds.bytes / MEBIBYTE} MiB when it is unpacked`,
          'main',
          'too_large',
        );
      yield piece;
    }
  }
}
