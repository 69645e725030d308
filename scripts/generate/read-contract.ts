import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { Document, Node } from 'yaml';
import type { Contract } from './contract.ts';
import { deadReferences } from './references.ts';

/** A contract that cannot be used, with the place where a person finds the cause. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/** The contract is one file, so reading it is bundling it; a reference that leads nowhere or to another file is refused. */
export function readContract(file: string): Contract {
  const name = relative(process.cwd(), file);
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new ContractError(`${name}:${positionOf(broken.pos[0], lines)} ${broken.message}`);
  }
  // An alias names a value that stands elsewhere in the file, such as a pattern that many texts share.
  const contract = document.toJS({ maxAliasCount: 100 }) as Contract | null;
  const lacking = (['info', 'paths'] as const).find((member) => typeof contract?.[member] !== 'object' || contract[member] === null);
  if (contract === null || lacking !== undefined) throw new ContractError(`${name}:1:1 not an OpenAPI document: it has no ${lacking}`);
  const dead = deadReferences(contract);
  if (dead.length > 0) throw new ContractError(dead.map(({ at, message }) => `${name}:${positionOf(offsetOf(document, at), lines)} ${message}`).join('\n'));
  // Components are optional in OpenAPI; everything that reads a contract may count on the map.
  return (contract as Partial<Contract>).components == null ? { ...contract, components: {} } : contract;
}

function offsetOf(document: Document, at: readonly (string | number)[]): number {
  return (document.getIn(at, true) as Node | undefined)?.range?.[0] ?? 0;
}

function positionOf(offset: number, lines: LineCounter): string {
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}
