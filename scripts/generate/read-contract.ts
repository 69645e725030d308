import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { Contract } from './contract.ts';

/** A contract that cannot be used, with the place where a person finds the cause. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/** The contract is one file, so reading it is bundling it; a reference to another file is refused. */
export function readContract(file: string): Contract {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0]);
    throw new ContractError(`${relative(process.cwd(), file)}:${line}:${col} ${broken.message}`);
  }
  // An alias names a value that stands elsewhere in the file, such as a pattern that many texts share.
  const contract: unknown = document.toJS({ maxAliasCount: 100 });
  if (typeof contract !== 'object' || contract === null || !('paths' in contract)) {
    throw new ContractError(`${relative(process.cwd(), file)}:1:1 not an OpenAPI document: it has no paths`);
  }
  return contract as Contract;
}
