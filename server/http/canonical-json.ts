/** RFC 8785 for values that came out of `JSON.parse`: equal values have equal text, whatever their member order. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object).filter((name) => object[name] !== undefined).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name])}`).join(',')}}`;
}
