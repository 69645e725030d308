/**
 * The processes that read pictures, as the service keeps them: two, so that one slow picture does not hold up all
 * others, and none if the operator has switched them off or their packages are not installed. Made at the start.
 */
import type { ReadingRequest } from '../../verification/reader/process.ts';
import { areModelsIn, Reader, type Reading } from '../../verification/reader/readers.ts';
import type { PictureReader } from './embedded.ts';

const PROCESSES = 2;

export interface PictureReadersOptions {
  /** Whether pictures are read at all (VERIFICATION). */
  readonly isOn: boolean;
  /** Folder in which the packages of the reader are installed, by `make verification`. */
  readonly folder: string;
}

export class PictureReaders implements PictureReader {
  readonly #isOn: boolean;
  readonly #folder: string;
  readonly #readers: readonly { readonly reader: Reader; waiting: number }[];

  constructor({ isOn, folder }: PictureReadersOptions) {
    this.#isOn = isOn;
    this.#folder = folder;
    this.#readers = Array.from({ length: PROCESSES }, () => ({ reader: new Reader({ folder }), waiting: 0 }));
  }

  /** The folder is looked at each time, so that an installation counts without a restart. */
  gap(): string | null {
    if (!this.#isOn) return 'The operator has switched the reader of pictures off (VERIFICATION=off).';
    if (areModelsIn(this.#folder)) return null;
    return 'The packages of the reader of pictures are not installed yet: the operator runs `make verification`.';
  }

  async read(request: ReadingRequest, signal: AbortSignal): Promise<Reading> {
    const least = this.#readers.toSorted((one, other) => one.waiting - other.waiting)[0]!;
    least.waiting++;
    try {
      return await least.reader.read(request, signal);
    } finally {
      least.waiting--;
    }
  }

  close(): void {
    for (const { reader } of this.#readers) reader.close();
  }
}
