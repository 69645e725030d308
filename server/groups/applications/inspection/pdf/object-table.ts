import { isKind, type PdfDictionary, type PdfValue } from './values.ts';

const MAX_HOPS = 16;

/** What the file says last about each object. */
export class ObjectTable {
  readonly #values = new Map<number, PdfValue>();

  set(number: number, value: PdfValue): void {
    this.#values.set(number, value);
  }

  /** Follows references; a circle of them leads nowhere. */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    let found = value;
    for (let hops = 0; isKind(found, 'reference'); hops++) found = hops < MAX_HOPS ? this.#values.get(found.number) : undefined;
    return found;
  }

  dictionary(value: PdfValue | undefined): PdfDictionary | null {
    const found = this.resolve(value);
    return isKind(found, 'dictionary') ? found : null;
  }

  items(value: PdfValue | undefined): readonly PdfValue[] {
    const found = this.resolve(value);
    return isKind(found, 'array') ? found.items : [];
  }
}
