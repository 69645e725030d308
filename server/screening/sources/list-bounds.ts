import type { ListedEntity } from '../listed-entity.ts';
import { SourceFileError } from './source-file.ts';

const MEBIBYTE = 1024 * 1024;

/** How much may be on a list: every search of it and each of its indexes costs in proportion to these, and not to the bytes that travel. */
export interface ListBounds {
  readonly entries: number;
  readonly names: number;
  /** Of all names together. */
  readonly characters: number;
  /** Of all files together, unpacked. */
  readonly bytes: number;
  /** What reading may occupy. */
  readonly memoryMebibytes: number;
}

/** The list of a tenant: what a compliance team knows itself, ten times over. */
export const OWN_BOUNDS: ListBounds = { entries: 10_000, names: 30_000, characters: 1_500_000, bytes: 32 * MEBIBYTE, memoryMebibytes: 256 };
/** An upload occupies the only place that there is for imports; what has more is imported by the command line. */
export const UPLOAD_BOUNDS: ListBounds = { entries: 500_000, names: 2_000_000, characters: 100_000_000, bytes: 1024 * MEBIBYTE, memoryMebibytes: 1024 };
/** Ten times the largest list that there is. */
export const PUBLISHED_BOUNDS: ListBounds = { entries: 20_000_000, names: 100_000_000, characters: 5_000_000_000, bytes: 32 * 1024 * MEBIBYTE, memoryMebibytes: 4096 };

/** Counts what is read of a list, and refuses more than its bounds. */
export class ListCount {
  readonly #bounds: ListBounds;
  #entries = 0;
  #names = 0;
  #characters = 0;
  #bytes = 0;

  constructor(bounds: ListBounds) {
    this.#bounds = bounds;
  }

  /** Counts each entry, also one that the file repeats. */
  add({ names }: ListedEntity): void {
    const { entries, names: mostNames, characters } = this.#bounds;
    if (++this.#entries > entries) throw new SourceFileError(`the file has more than ${entries} entries`, 'main', 'too_many_entries');
    if ((this.#names += names.length) > mostNames) throw new SourceFileError(`the file has more than ${mostNames} names`, 'main', 'too_many_names');
    this.#characters += names.reduce((sum, { name }) => sum + name.length, 0);
    if (this.#characters > characters) throw new SourceFileError(`the names in the file have more than ${characters} characters together`, 'main', 'too_much_text');
  }

  /** The bytes as they are, as long as they are no more than all files may have. */
  async *counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      if ((this.#bytes += piece.length) > this.#bounds.bytes) throw new SourceFileError(`the file has more than ${this.#bounds.bytes / MEBIBYTE} MiB when it is unpacked`, 'main', 'too_large');
      yield piece;
    }
  }
}
