/** What PDF objects (ISO 32000-1 §7.3) are read into. Of strings only the beginning is kept. */
export type PdfValue = number | PdfName | PdfReference | PdfDictionary | PdfArray | PdfOther;

export interface PdfName { readonly kind: 'name'; readonly name: string }
export interface PdfReference { readonly kind: 'reference'; readonly number: number }
/** `ambiguous` if a key stands twice: some readers take the first, this one the last. */
export interface PdfDictionary { readonly kind: 'dictionary'; readonly entries: ReadonlyMap<string, PdfValue>; readonly ambiguous: boolean }
export interface PdfArray { readonly kind: 'array'; readonly items: readonly PdfValue[] }
/** Strings, booleans, null, keywords and closing brackets. */
export type PdfOther = { [K in OtherKind]: { readonly kind: K; readonly text: string } }[OtherKind];
type OtherKind = 'string' | 'keyword' | 'close-array' | 'close-dictionary' | 'end';

export function isKind<K extends Exclude<PdfValue, number>['kind']>(value: PdfValue | undefined, kind: K): value is Extract<PdfValue, { kind: K }> {
  return typeof value === 'object' && value.kind === kind;
}

export function nameOf(value: PdfValue | undefined): string | null {
  return isKind(value, 'name') ? value.name : null;
}
