/** What PDF objects (ISO 32000-1 §7.3) are read into. The text of strings is of no interest and not kept. */
export type PdfValue = number | PdfName | PdfReference | PdfDictionary | PdfArray | PdfOther;

export interface PdfName { readonly kind: 'name'; readonly name: string }
export interface PdfReference { readonly kind: 'reference'; readonly number: number }
export interface PdfDictionary { readonly kind: 'dictionary'; readonly entries: ReadonlyMap<string, PdfValue> }
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
