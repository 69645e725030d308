import type { Contract } from '../../generate/contract.ts';
import type { DiffRule } from '../change.ts';

/** Programs branch on the code of a problem; a code keeps its meaning and is never reused. */
export const problemsChanged: DiffRule = (base, revision) => {
  const [before, after] = [catalogue(base), catalogue(revision)];
  return [
    ...Object.entries(before).flatMap(([code, { status }]) => {
      const now = after[code];
      if (now === undefined) return [{ impact: 'major' as const, place: code, message: 'is no longer a problem code' }];
      return now.status === status ? [] : [{ impact: 'major' as const, place: code, message: `was a ${status} and is a ${now.status}` }];
    }),
    ...Object.keys(after).filter((code) => !(code in before)).map((code) => ({ impact: 'minor' as const, place: code, message: 'is a new problem code' })),
  ];
};

function catalogue(contract: Contract): Readonly<Record<string, { readonly status: number }>> {
  const schema = contract.components.schemas?.['ProblemCode'] as { readonly 'x-problems'?: Record<string, { status: number }> } | undefined;
  return schema?.['x-problems'] ?? {};
}
