import { corrupt } from '../refusal.ts';
import { isKind, type PdfValue } from './values.ts';

const MAX_HOPS = 16;
/** Signed and annotated again and again, a file says ten different things about an object. */
const MAX_REVISIONS = 100;

/** What the file says about each object: a file that was saved again holds several revisions, of which readers choose one. */
export class ObjectTable {
  readonly #values = new Map<number, PdfValue[]>();

  set(number: number, value: PdfValue): void {
    const known = this.#values.get(number);
    if (known === undefined) this.#values.set(number, [value]);
    else if (known.push(value) > MAX_REVISIONS) throw corrupt('The PDF has too many revisions of one object.');
  }

  /** The last revision, through references; a circle of them leads nowhere. */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    let found = value;
    for (let hops = 0; isKind(found, 'reference'); hops++) found = hops < MAX_HOPS ? this.#values.get(found.number)?.at(-1) : undefined;
    return found;
  }

  /** Every revision, through references, except of objects that were `seen` before. */
  all(value: PdfValue | undefined, seen = new Set<number>()): PdfValue[] {
    const found: PdfValue[] = [];
    const open = value === undefined ? [] : [value];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!isKind(next, 'reference')) found.push(next);
      else if (!seen.has(next.number)) {
        seen.add(next.number);
        for (const revision of this.#values.get(next.number) ?? []) open.push(revision);
      }
    }
    return found;
  }

  /** The last revision, or all of them. */
  revisions(value: PdfValue | undefined, which: 'last' | 'all'): PdfValue[] {
    if (which === 'all') return this.all(value);
    const last = this.resolve(value);
    return last === undefined ? [] : [last];
  }
}
