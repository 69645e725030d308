/** Builds and splits JSON Pointers. Used by validation, scripts and lint. Escapes of URIs are not its business. */

/** Builds a JSON Pointer (RFC 6901 §3) from the names and indexes that lead to a value. */
export function jsonPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Returns the names and indexes of a JSON Pointer (RFC 6901 §4), also behind a `#`; escapes of a URI (§6) are not
 * decoded.
 */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
