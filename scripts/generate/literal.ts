/** Prints a JSON value as a TypeScript literal in the house style; objects deeper than `breakDepth` stay on one line. */
export function literal(value: unknown, breakDepth = 0, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item)).join(', ')}]`;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([key, member]) => [propertyKey(key), member] as const);
  if (entries.length === 0) return '{}';
  if (breakDepth <= 0) return `{ ${entries.map(([key, member]) => `${key}: ${literal(member)}`).join(', ')} }`;
  const inner = `${indent}  `;
  return `{\n${entries.map(([key, member]) => `${inner}${key}: ${literal(member, breakDepth - 1, inner)},\n`).join('')}${indent}}`;
}

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function propertyKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}
