/** Chooses the operations that changed files affect. Used by the program scripts/quick.ts. */
import type { Operation } from '../../server/contract/operation.ts';
import { changedLines, operationsOfLines } from './contract-changes.ts';
import type { Changed } from './changed.ts';
import type { Imports } from './imports.ts';
import { served } from './served.ts';

/** Number of rows of each table that fit into a quick run. */
const MOST = 12;
const NEAREST = 3;
/** A file that more operations reach counts as shared by all. */
const SHARED_BY = 60;

export interface Concerned {
  /** Chosen operations, nearest first. */
  readonly chosen: readonly Operation[];
  /** Number of operations that the change affects; those not chosen are left to `make test`. */
  readonly total: number;
  /** One line for each file that affects operations. */
  readonly reasons: readonly string[];
}

interface Sources {
  readonly root: string;
  readonly imports: Imports;
  /** Files of the service, without tests. */
  readonly service: readonly string[];
  readonly operations: readonly Operation[];
}

export function concernedOperations(
  { files, base }: Changed,
  { root, imports, service, operations }: Sources,
): Concerned {
  const distance = new Map<string, number>();
  const reasons: string[] = [];
  const ids = new Set<string>(operations.map(({ operationId }) => operationId));
  const lookUp = served(imports, service, ids);
  const all = (): ReadonlyMap<string, number> => new Map([...ids].map((id) => [id, 9]));
  const note = (file: string, found: ReadonlyMap<string, number>, how: string): void => {
    for (const [id, steps] of found) distance.set(id, Math.min(steps, distance.get(id) ?? Infinity));
    const nearest = [...found]
      .sort(([, a], [, b]) => a - b)
      .slice(0, 4)
      .map(([id]) => id)
      .join(', ');
    const some = `${nearest}${found.size > 4 ? ` and ${found.size - 4} more` : ''}`;
    if (found.size > 0) reasons.push(`${file}: ${how} ${found.size === ids.size ? 'every operation' : some}`);
  };

  for (const file of files) {
    if (file === 'openapi.yaml') {
      const lines = base === null ? [] : changedLines(root, base, file);
      const concerned = lines.length === 0 ? null : operationsOfLines(imports.text(file), lines);
      const found = concerned === null ? all() : new Map(concerned.operationIds.map((id) => [id, 1]));
      note(file, found, `${concerned?.parts.slice(0, 3).join(', ') ?? 'the whole'} concerns`);
    } else if (file.startsWith('test/operations/')) {
      note(
        file,
        new Map(
          [...imports.text(file).matchAll(/^ {2}(\w+): \{/gm)].flatMap(([, id = '']) =>
            ids.has(id) ? [[id, 2] as const] : [],
          ),
        ),
        'calls',
      );
    } else if (isOfService(file)) {
      const reached = lookUp.of(file);
      const own = lookUp.ofModule(file);
      const near = reached.size > 0 ? reached : new Map(own.map((id) => [id, 3]));
      const found = near.size > 0 && near.size <= SHARED_BY ? near : (importers(file) ?? all());
      // The operations of the file's own module come before those of other modules that use it.
      note(file, new Map([...found].map(([id, steps]) => [id, own.includes(id) ? steps : steps + 3])), 'serves');
    }
  }
  const concerned = operations
    .filter(({ operationId }) => distance.has(operationId))
    .sort((a, b) => (distance.get(a.operationId) ?? 0) - (distance.get(b.operationId) ?? 0));
  return { chosen: cover(concerned), total: concerned.length, reasons };

  /**
   * Returns the operations of the modules that import a module without handlers; null if there are none or too many.
   */
  function importers(file: string): ReadonlyMap<string, number> | null {
    const folder = /^server\/modules\/[^/]+\//.exec(file)?.[0];
    if (folder === undefined) return null;
    const found = service
      .filter((other) => !other.startsWith(folder) && imports.of(other).some(({ from }) => from.startsWith(folder)))
      .flatMap((other) => [...lookUp.of(other)]);
    const nearest = new Map(found.map(([id, steps]) => [id, steps + 4]));
    return nearest.size > 0 && nearest.size <= SHARED_BY ? nearest : null;
  }
}

function isOfService(file: string): boolean {
  return /^server\/.*\.ts$/.test(file) && !/\.test\.ts$|^server\/pages\/|\/generated\//.test(file);
}

/**
 * Picks the three nearest operations, then those that add most features not yet covered, then the next nearest: which
 * rows a table has depends on the features of an operation.
 */
function cover(operations: readonly Operation[]): readonly Operation[] {
  if (operations.length <= MOST) return operations;
  const chosen = new Set(operations.slice(0, NEAREST));
  const seen = new Set([...chosen].flatMap(featuresOf));
  const newIn = (operation: Operation): number => featuresOf(operation).filter((feature) => !seen.has(feature)).length;
  while (chosen.size < MOST) {
    const most = operations.reduce((best, one) => (newIn(one) > newIn(best) ? one : best));
    const next = newIn(most) > 0 ? most : operations.find((one) => !chosen.has(one));
    if (next === undefined) break;
    chosen.add(next);
    for (const feature of featuresOf(next)) seen.add(feature);
  }
  return operations.filter((operation) => chosen.has(operation));
}

function featuresOf(operation: Operation): readonly string[] {
  const {
    method,
    idempotent,
    pagination,
    stepUp,
    transitions,
    security,
    showsPersons,
    requestTypes,
    rateLimit,
    humanOnly,
    transaction,
  } = operation;
  return [
    method,
    `quota ${rateLimit}`,
    `transaction ${transaction}`,
    ...requestTypes,
    ...(idempotent ? ['idempotent'] : []),
    ...(pagination !== null ? ['paginated'] : []),
    ...(stepUp ? ['second factor'] : []),
    ...(transitions !== null && transitions.from.length > 0 ? ['transition'] : []),
    ...(security.length === 0 ? ['public'] : []),
    ...(showsPersons ? ['persons'] : []),
    ...(humanOnly ? ['people only'] : []),
  ];
}
