import { contractFor } from './published-contract.ts';
import type { ForOrigin } from './published-contract.ts';

interface Parameter {
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

/**
 * The contract as the explorer needs it: it sends every parameter that has an example. A cursor, an entity tag or a
 * filter out of the contract would make the first call of an operation fail, so what is optional starts empty. The link to
 * other documents is left out, because the explorer draws it without a name that a screen reader could say.
 */
export function explorerContract(bytes: Buffer): ForOrigin {
  const { externalDocs: _, ...contract } = JSON.parse(bytes.toString(), (_name, value: unknown) => (isOptionalParameter(value) ? withoutExample(value) : value)) as { externalDocs?: object };
  return contractFor(contract);
}

function isOptionalParameter(value: unknown): value is Parameter {
  if (typeof value !== 'object' || value === null) return false;
  const { in: place, required } = value as Parameter;
  return (place === 'query' || place === 'header') && required !== true && 'schema' in value;
}

function withoutExample({ example: _example, ...parameter }: Parameter): object {
  return parameter;
}
