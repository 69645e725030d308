/** What a text field means to the service: a field that is left empty states nothing. Used by forms. */

export function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
