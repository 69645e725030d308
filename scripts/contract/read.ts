/**
 * Reads a contract file with all errors at their places. Used by generators, comparison and lint. Anything that cannot
 * be followed throws a `ContractError`.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isScalar, LineCounter, parseDocument } from 'yaml';
import type { Document, Node } from 'yaml';
import { targetOf } from './contract.ts';
import type { Contract } from './contract.ts';

/** Error in a contract that cannot be used, with the place of the cause. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * Reads the contract. It is one file, so no bundling is needed; a reference without a target or to another file is
 * refused.
 */
export function readContract(file: string): Contract {
  const name = relative(process.cwd(), file);
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new ContractError(`${name}:${positionOf(broken.pos[0], lines)} ${broken.message}`);
  }
  // An alias refers to a value elsewhere in the file, such as a pattern that many texts share.
  const contract = document.toJS({ maxAliasCount: 100 }) as Read | null;
  const lacking = (['info', 'paths'] as const).find(
    (member) => typeof contract?.[member] !== 'object' || contract[member] === null,
  );
  // OpenAPI 3.1 allows webhooks without paths.
  const isHooksAlone = lacking === 'paths' && typeof contract?.webhooks === 'object';
  if (contract === null || (lacking !== undefined && !isHooksAlone))
    throw new ContractError(`${name}:1:1 not an OpenAPI document: it has no ${lacking}`);
  const written = String(contract.openapi ?? contract.swagger ?? 'absent');
  if (!/^3\.[01]\./.test(written))
    throw new ContractError(
      `${name}:1:1 \`openapi\` is ${written}, and only documents of OpenAPI 3.0 and 3.1 are read`,
    );
  const dead = deadReferences(contract);
  if (dead.length > 0)
    throw new ContractError(
      dead.map(({ at, message }) => `${name}:${positionOf(offsetOf(document, at), lines)} ${message}`).join('\n'),
    );
  // YAML reads the version 1.0 as a number.
  const version = document.getIn(['info', 'version'], true);
  const info = { ...contract.info, version: isScalar(version) ? (version.source ?? String(version.value)) : 'absent' };
  // Both are optional in OpenAPI 3.1, but all readers of a contract rely on them.
  return {
    ...contract,
    info,
    paths: contract.paths ?? {},
    components: contract.components ?? {},
  };
}

/** A document as written. */
type Read = Omit<Contract, 'paths' | 'components'> &
  Partial<Pick<Contract, 'paths' | 'components'>> & { readonly webhooks?: unknown; readonly swagger?: unknown };

function offsetOf(document: Document, at: readonly (string | number)[]): number {
  return (document.getIn(at, true) as Node | undefined)?.range?.[0] ?? 0;
}

function positionOf(offset: number, lines: LineCounter): string {
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}

/** A reference without a target, and the keys that lead to it. */
export interface DeadReference {
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** Returns the references of a contract that cannot be followed. */
export function deadReferences(contract: object): DeadReference[] {
  return [...referencesIn(contract, [])].flatMap(({ at, reference }) => {
    if (!reference.startsWith('#'))
      return [{ at, message: `${reference} leads to another file, but the contract is one file` }];
    if (targetOf(contract, reference) !== undefined) return [];
    const meant = nearest(reference, names(contract));
    return [{ at, message: `there is no ${reference}${meant === null ? '' : `; did you mean ${meant}?`}` }];
  });
}

function* referencesIn(
  node: unknown,
  at: readonly (string | number)[],
): Generator<{ readonly at: readonly (string | number)[]; readonly reference: string }> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Array.isArray(node) ? node.entries() : Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string') yield { at: [...at, key], reference: value };
    else yield* referencesIn(value, [...at, key]);
  }
}

function names(contract: { readonly components?: object }): string[] {
  return Object.entries(contract.components ?? {}).flatMap(([kind, named]) =>
    Object.keys((named as object) ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
}

/** Returns the same name among components of another kind, else the known name with the smallest edit distance. */
function nearest(reference: string, known: readonly string[]): string | null {
  const name = reference.slice(reference.lastIndexOf('/'));
  return known.find((candidate) => candidate.endsWith(name)) ?? nearestName(reference, known, name.length);
}

/** Returns the known name with the smallest edit distance, if it is close enough to be the one that was meant. */
export function nearestName(name: string, known: readonly string[], length = name.length): string | null {
  const most = Math.max(2, Math.floor(length / 3));
  const [best] = known
    .map((candidate) => ({ candidate, slips: slipsBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips);
  return best !== undefined && best.slips <= most ? best.candidate : null;
}

/** Returns the Levenshtein distance: letters to insert, delete or replace to turn one word into the other. */
function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    let diagonal = row[0] ?? 0;
    row = row.reduce<number[]>((next, above, column) => {
      const left = next[column - 1];
      next.push(
        left === undefined ? index + 1 : Math.min(above + 1, left + 1, diagonal + (letter === to[column - 1] ? 0 : 1)),
      );
      diagonal = above;
      return next;
    }, []);
  }
  return row.at(-1) ?? 0;
}
