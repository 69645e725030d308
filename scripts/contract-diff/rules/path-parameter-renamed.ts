import type { DiffRule } from '../change.ts';
import { operationSitePairs } from '../pairs.ts';

/** On the wire a path parameter has no name, in the SDKs it has. */
export const pathParameterRenamed: DiffRule = (base, revision) => operationSitePairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [namesOf(pair.base.path), namesOf(pair.revision.path)];
  return before.flatMap((name, index) => (after[index] === name ? [] : [{ impact: 'major', place, message: `path parameter ${name} became ${after[index] ?? ''}` }]));
});

function namesOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '');
}
