import type { ErrorObject } from 'ajv';
import type { FieldError } from './problem.ts';
import { isSummary, MAX_ERRORS } from './validation-errors.ts';

/** The rules of an operation that hold of its body alone; see `Faults` in contract/handlers.ts. */
export type BodyFaults = (body: unknown) => readonly FieldError[];

/** Adds to what breaks the schema what is wrong with the other members, so that nobody mends the first to be told of the second. */
export function withFaults(errors: readonly FieldError[], raw: readonly ErrorObject[], body: unknown, faults: BodyFaults): FieldError[] {
  const part = soundPart(body, raw);
  if (typeof part !== 'object' || part === null) return [...errors];
  const further = faults(part).filter(({ pointer = '' }) => !errors.some((error) => overlap(error.pointer ?? '', pointer)));
  return [...errors, ...further].slice(0, MAX_ERRORS);
}

/** These are about a member that is missing, or about one that should not be there; the object itself can be read. */
const ABOUT_A_MEMBER = new Set(['required', 'dependentRequired', 'additionalProperties', 'unevaluatedProperties']);

function soundPart(body: unknown, errors: readonly ErrorObject[]): unknown {
  const root = { body: structuredClone(body) };
  const specific = errors.filter((error) => !isSummary(error));
  // What sums up errors within an object says nothing against the rest of it.
  const summaries = errors.filter((error) => isSummary(error) && !specific.some(({ instancePath }) => `${instancePath}/`.startsWith(`${error.instancePath}/`)));
  for (const { keyword, instancePath } of [...specific, ...summaries]) {
    if (!ABOUT_A_MEMBER.has(keyword)) remove(root, instancePath.slice(1).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')));
  }
  return root.body;
}

/** An element leaves a hole, so that the places of the others stay. */
function remove(root: object, path: readonly string[]): void {
  const owner = path.slice(0, -1).reduce<unknown>((node, step) => (typeof node === 'object' && node !== null && Object.hasOwn(node, step) ? (node as Record<string, unknown>)[step] : undefined), root);
  if (typeof owner === 'object' && owner !== null) Reflect.deleteProperty(owner, path.at(-1) ?? '');
}

/** One is the other or lies below it. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
