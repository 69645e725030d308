import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import type { RuntimeContract, RuntimeOperation } from '../../server/http/slim-contract.ts';

export interface GrownContract {
  readonly contract: RuntimeContract;
  readonly operations: readonly Operation[];
}

type Paths = Record<string, Record<string, RuntimeOperation>>;

const SCHEMA_REF = '#/components/schemas/';

/** Operations that a cut contract keeps, because they are measured. */
const MEASURED: readonly string[] = ['getApplication', 'createApplication'];

/**
 * The contract as if it had `count` operations: cut down, or with copies of itself under other paths and with schemas
 * of their own. The measured operations stand in the middle, where looking routes up one by one costs the average.
 */
export function growContract(contract: RuntimeContract, count: number): GrownContract {
  const own = Object.values(operations) as readonly Operation[];
  const copies = Math.ceil(count / own.length) - 1;
  const versions = Array.from({ length: copies + 1 }, (_, index) => versionOf(contract, own, index));
  const first = versions.shift() as GrownContract;
  versions.splice(copies >> 1, 0, first);
  const kept = arranged(versions.flatMap((version) => version.operations), count);
  return {
    operations: kept,
    contract: {
      ...contract,
      paths: pathsOf(versions, kept),
      components: { schemas: Object.assign({}, ...versions.map((version) => version.contract.components.schemas)) as RuntimeContract['components']['schemas'] },
    },
  };
}

/** Number 0 is the contract itself. */
function versionOf(contract: RuntimeContract, own: readonly Operation[], number: number): GrownContract {
  if (number === 0) return { contract, operations: own };
  const name = `copy${number}`;
  const text = JSON.stringify({ paths: contract.paths, schemas: contract.components.schemas }).replaceAll(SCHEMA_REF, `${SCHEMA_REF}${name}.`);
  const { paths, schemas } = JSON.parse(text) as Pick<RuntimeContract, 'paths'> & RuntimeContract['components'];
  return {
    contract: { ...contract, paths: renamed(paths, (path) => `/${name}${path}`), components: { schemas: renamed(schemas, (schema) => `${name}.${schema}`) } },
    operations: own.map((operation) => ({ ...operation, operationId: `${operation.operationId}_${name}` as Operation['operationId'], path: `/${name}${operation.path}` })),
  };
}

/** Cuts off the end and puts the measured operations into the middle. */
function arranged(all: readonly Operation[], count: number): Operation[] {
  const measured = all.filter(({ operationId }) => MEASURED.includes(operationId));
  const others = all.filter((operation) => !measured.includes(operation)).slice(0, count - measured.length);
  return others.toSpliced(others.length >> 1, 0, ...measured);
}

function pathsOf(versions: readonly GrownContract[], kept: readonly Operation[]): Paths {
  const paths: Paths = {};
  for (const { path, method } of kept) {
    const described = versions.map((version) => version.contract.paths[path]?.[method]).find((one) => one !== undefined);
    if (described !== undefined) (paths[path] ??= {})[method] = described;
  }
  return paths;
}

function renamed<T>(record: Readonly<Record<string, T>>, name: (key: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [name(key), value]));
}
