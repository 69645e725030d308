import { createHash } from 'node:crypto';
import { ExclusiveCanonicalization } from 'xml-crypto';

/** Exclusive XML Canonicalization 1.0 without comments: the bytes that are digested and signed. */
export function canonicalXml(element: Element): string {
  return new ExclusiveCanonicalization().process(element, {});
}

export function digestOf(canonical: string): Buffer {
  return createHash('sha256').update(canonical).digest();
}
