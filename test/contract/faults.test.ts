/** Tests that rules beyond the schema can be checked on bodies that break the schema. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation, OperationId } from '../../server/contract/operation.ts';
import { Problem } from '../../server/contract/problem.ts';
import { applicationBodyFaults } from '../../server/modules/applications/record/applicant.ts';
import { simulationFaults } from '../../server/modules/sandbox/simulations.ts';
import { patchErrors } from '../../server/modules/tenant-settings/settings-rules.ts';
import { Validators } from '../../server/request/validate.ts';
import type { BodyRuleCheck } from '../../server/request/validation-errors.ts';
import { exampleBodies } from '../support/contract.ts';
import { runtimeContract } from './runtime-contract.ts';

const FAULTS = {
  createApplication: applicationBodyFaults,
  updateApplication: applicationBodyFaults,
  updateSettings: patchErrors,
  createSimulation: simulationFaults,
} satisfies { [K in OperationId]?: unknown };
const RUNS = process.env['SOAK'] === 'true' ? 50_000 : 1_000;
const validators = new Validators(runtimeContract());

/** Returns all places of a body. */
function places(node: unknown, at: readonly string[] = []): (readonly string[])[] {
  return [
    at,
    ...(typeof node === 'object' && node !== null
      ? Object.entries(node).flatMap(([name, child]) => places(child, [...at, name]))
      : []),
  ];
}

function replaced(node: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(node))
    return node.map((child: unknown, index) => (String(index) === step ? replaced(child, rest, value) : child));
  const members = { ...(node as object), [step]: replaced((node as Record<string, unknown>)[step], rest, value) };
  if (rest.length === 0 && value === undefined) Reflect.deleteProperty(members, step);
  return members;
}

describe.each(Object.keys(FAULTS) as (keyof typeof FAULTS)[])('the rules of %s', (id) => {
  const operation: Operation = operations[id];
  const bodies = exampleBodies(operation).map(({ value }) => value);
  const validator = validators.compile(operation);
  const params = Object.fromEntries(
    validator.pathParameters.map((name) => [name, '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21']),
  );
  /** Returns the errors of a body; none if it is accepted. */
  function faultsIn(body: unknown): string[] {
    try {
      validator.request(
        {
          params: { ...params },
          query: {},
          headers: {},
          body,
        },
        operation.requestTypes[0] ?? null,
        FAULTS[id] as BodyRuleCheck,
      );
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return (
        (error.members as { errors?: { pointer?: string; code: string }[] }).errors?.map(
          ({ pointer, code }) => `${pointer} ${code}`,
        ) ?? []
      );
    }
  }
  const edit = fc.tuple(fc.nat(), fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }));

  it('can check the remaining members of a body that breaks its schema, and report nothing twice', () => {
    let faulty = 0;
    fc.assert(
      fc.property(fc.nat(), fc.array(edit, { minLength: 1, maxLength: 4 }), (which, edits) => {
        const body = edits.reduce<unknown>(
          (node, [place, value]) => {
            const all = places(node);
            return replaced(node, all[place % all.length] ?? [], value);
          },
          structuredClone(bodies[which % bodies.length]),
        );
        fc.pre(body !== undefined);
        const faults = faultsIn(body);
        if (faults.length > 0) faulty++;
        expect(new Set(faults).size).toBe(faults.length);
      }),
      { numRuns: RUNS, seed: 10 },
    );
    expect(faulty).toBeGreaterThan(RUNS / 2);
  });
});
