import { targetOf } from './contract.ts';

/** A reference that leads nowhere, and the keys under which it stands. */
export interface DeadReference {
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** The references of a contract that cannot be followed. */
export function deadReferences(contract: object): DeadReference[] {
  return [...referencesIn(contract, [])].flatMap(({ at, reference }) => {
    if (!reference.startsWith('#')) return [{ at, message: `${reference} leads to another file, but the contract is one file` }];
    if (targetOf(contract, reference) !== undefined) return [];
    const meant = nearest(reference, names(contract));
    return [{ at, message: `there is no ${reference}${meant === null ? '' : `; did you mean ${meant}?`}` }];
  });
}

function* referencesIn(node: unknown, at: readonly (string | number)[]): Generator<{ readonly at: readonly (string | number)[]; readonly reference: string }> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Array.isArray(node) ? node.entries() : Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string') yield { at: [...at, key], reference: value };
    else yield* referencesIn(value, [...at, key]);
  }
}

function names(contract: { readonly components?: object }): string[] {
  return Object.entries(contract.components ?? {}).flatMap(([kind, named]) => Object.keys(named as object ?? {}).map((name) => `#/components/${kind}/${name}`));
}

/** The same name among components of another kind, else the spelling that fewest slips lead to. */
function nearest(reference: string, known: readonly string[]): string | null {
  const name = reference.slice(reference.lastIndexOf('/'));
  return known.find((candidate) => candidate.endsWith(name)) ?? nearestName(reference, known, name.length);
}

/** The known name that fewest slips lead to, if it is near enough to be the one that was meant. */
export function nearestName(name: string, known: readonly string[], length = name.length): string | null {
  const most = Math.max(2, Math.floor(length / 3));
  const [best] = known.map((candidate) => ({ candidate, slips: slipsBetween(name.toLowerCase(), candidate.toLowerCase()) })).sort((a, b) => a.slips - b.slips);
  return best !== undefined && best.slips <= most ? best.candidate : null;
}

/** Letters to add, drop or exchange to get from one word to the other (Levenshtein). */
function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    let diagonal = row[0] ?? 0;
    row = row.reduce<number[]>((next, above, column) => {
      const left = next[column - 1];
      next.push(left === undefined ? index + 1 : Math.min(above + 1, left + 1, diagonal + (letter === to[column - 1] ? 0 : 1)));
      diagonal = above;
      return next;
    }, []);
  }
  return row.at(-1) ?? 0;
}
