import { isNode } from 'yaml';
import { nearestName } from '../read.ts';

/** What `make format` cannot complete, at the node where a person finds the cause. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly offset: number;

  constructor(node: unknown, message: string) {
    super(message);
    this.offset = isNode(node) ? node.range?.[0] ?? 0 : 0;
  }
}

/** The end of a sentence about an unknown name: the known one that was probably meant, or where the known ones are listed. */
export function oneOf(name: string, known: readonly string[], otherwise: string): string {
  const meant = nearestName(name, known);
  return meant === null ? `; ${otherwise}` : `; did you mean \`${meant}\`?`;
}
