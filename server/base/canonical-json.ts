/**
 * Canonical JSON (RFC 8785), for everything that is hashed or signed. Used by the audit log, evidence and lists. Two
 * programs must get the same bytes, so nothing about the format may change; it throws for numbers and texts that have
 * no canonical form.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/**
 * Serialises a value by the JSON Canonicalization Scheme (RFC 8785). Members are sorted by UTF-16 code units, which is
 * how JavaScript compares strings; numbers and strings are written as in ECMAScript, as the RFC prescribes.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') {
    // RFC 8785 §3.2.2.2: lone surrogates are an error (JSON.stringify would escape them).
    if (!value.isWellFormed()) throw new TypeError('a string with a lone surrogate has no canonical form');
    return JSON.stringify(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) {
    let items = '';
    for (const item of value) items += items === '' ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${items}]`;
  }
  let members = '';
  for (const name of Object.keys(value).sort())
    members += `${members === '' ? '' : ','}${canonicalJson(name)}:${canonicalJson(value[name] as Json)}`;
  return `{${members}}`;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
