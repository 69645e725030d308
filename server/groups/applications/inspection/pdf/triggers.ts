import type { ObjectTable } from './object-table.ts';
import { isKind, nameOf, type PdfDictionary, type PdfValue } from './values.ts';

/** What no reader should do by itself, although a click on a link may: everything worse is refused wherever it stands. */
const LEAVES_THE_READER: ReadonlySet<string | null> = new Set(['URI', 'Thread']);

/** What acts without a click (ISO 32000-1 §12.6.1, §12.6.3): on opening the file, or on showing, leaving or printing a page. */
export class Triggers {
  readonly #openings: PdfValue[] = [];
  readonly #additional: PdfValue[] = [];

  notice({ entries }: PdfDictionary): void {
    const [opening, additional] = [entries.get('OpenAction'), entries.get('AA')];
    if (opening !== undefined) this.#openings.push(opening);
    if (additional !== undefined) this.#additional.push(additional);
  }

  /** In any revision, and with all that comes next. */
  leaveTheReader(table: ObjectTable): boolean {
    const seen = new Set<number>();
    const open: PdfValue[] = [...this.#openings];
    for (const events of this.#additional.flatMap((value) => table.all(value, seen))) if (isKind(events, 'dictionary')) for (const action of events.entries.values()) open.push(action);
    // What was gone through as a list of events may be an action elsewhere.
    seen.clear();
    const done = new Set<PdfValue>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const action of table.all(next, seen)) {
        if (done.has(action)) continue;
        done.add(action);
        if (isKind(action, 'array')) for (const item of action.items) open.push(item);
        if (!isKind(action, 'dictionary')) continue;
        if (table.all(action.entries.get('S')).some((kind) => LEAVES_THE_READER.has(nameOf(kind)))) return true;
        const after = action.entries.get('Next');
        if (after !== undefined) open.push(after);
      }
    }
    return false;
  }
}
