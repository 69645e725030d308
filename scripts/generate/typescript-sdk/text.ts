/**
 * Writes comments of TypeScript. Used by the writers of the TypeScript SDK. Prose of the contract must not end a
 * comment.
 */

/** A JSDoc block at the given indentation. */
export function comment(lines: readonly string[], indent: string): string {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/').trimEnd());
  if (safe.length === 1) return `${indent}/** ${safe[0] ?? ''} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
