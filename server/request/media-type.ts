/**
 * Reads `Content-Type` and `Accept`, without input or output. Used by the endpoint and receive.ts. Unreadable fields
 * give null or no match, never an exception.
 */

/**
 * Returns `type/subtype` in lower case without parameters (RFC 9110 §8.3.1), or null if the field is not a media type.
 */
export function mediaTypeOf(field: string): string | null {
  const end = field.indexOf(';');
  const type = (end === -1 ? field : field.slice(0, end)).trim().toLowerCase();
  return MEDIA_TYPE.test(type) ? type : null;
}

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i;

/**
 * Tells whether the declared charset is UTF-8, because JSON (RFC 8259 §8.1) and forms (URL standard) are always UTF-8
 * and another charset cannot be read.
 */
export function isUtf8Declared(field: string): boolean {
  const charset = CHARSET.exec(field)?.[1]?.toLowerCase();
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii';
}

/** Tells whether one of the offered types satisfies the `Accept` field (RFC 9110 §12.5.1). */
export function accepts(accept: string | undefined, offered: readonly string[]): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || offered.length === 0) return true;
  return offered.some((type) => quality(accept, type) > 0);
}

/** Returns the quality of the most specific range that matches. */
function quality(accept: string, type: string): number {
  let best = 0;
  let precision = 0;
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';');
    const wanted = name.trim().toLowerCase();
    const matched = precisionOf(wanted, type);
    if (matched <= precision) continue;
    precision = matched;
    const weight = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
    best = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1)) || 0;
  }
  return best;
}

/** Returns how precisely a range names the type; 0 if it does not match. */
function precisionOf(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.slice(0, type.indexOf('/'))}/*`) return 2;
  return range === '*/*' ? 1 : 0;
}
