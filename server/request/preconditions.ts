/**
 * This file implements entity tags and the precondition `If-Match` (RFC 9110 §8.8.3, §13.1.1), which protects against
 * lost updates. Used by the changes of modules. Throws `version_conflict` if somebody else was faster.
 */
import { Problem } from '../contract/problem.ts';

const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Returns the entity tag of a resource: its version, which every committed change raises, so it is a strong validator
 * (RFC 9110 §8.8.1).
 */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Throws unless `If-Match` holds (RFC 9110 §13.1.1). `*` matches any existing resource, and a list matches when one of
 * its tags does. A weak tag never matches, because it cannot exclude a lost update.
 */
export function assertMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const current = String(version);
  let [matched, isWeakened] = [false, false];
  for (const member of ifMatch.split(',')) {
    const tag = ENTITY_TAG.exec(member.trim());
    if (tag === null) {
      throw new Problem('invalid_parameter', {
        errors: [
          { parameter: 'If-Match', code: 'format', message: 'must be * or a list of entity tags in double quotes' },
        ],
      });
    }
    matched ||= tag[1] === undefined && tag[2] === current;
    isWeakened ||= tag[1] !== undefined && tag[2] === current;
  }
  if (matched) return;
  // A proxy that compresses responses may mark their tags as weak.
  throw new Problem('version_conflict', {
    currentVersion: version,
    ...(isWeakened && {
      detail: `The tag is weak, and weak tags never match (RFC 9110, section 13.1.1): send "${current}" without W/.`,
    }),
  });
}
