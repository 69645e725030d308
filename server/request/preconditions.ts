import { Problem } from '../contract/problem.ts';

const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** The strong validator of a resource (RFC 9110 §8.8.3): its version, which every committed change raises. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * The precondition of RFC 9110 §13.1.1. `*` matches whatever exists; a list matches when one member does; a weak tag
 * never does, because a lost update cannot be excluded by it.
 */
export function assertMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const current = String(version);
  let matched = false;
  for (const member of ifMatch.split(',')) {
    const tag = ENTITY_TAG.exec(member.trim());
    if (tag === null) {
      throw new Problem('invalid_parameter', {
        errors: [{ parameter: 'If-Match', code: 'format', message: 'must be * or a list of entity tags in double quotes' }],
      });
    }
    matched ||= tag[1] === undefined && tag[2] === current;
  }
  if (!matched) throw new Problem('version_conflict', { currentVersion: version });
}
