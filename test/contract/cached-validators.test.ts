/** Tests that stored validators judge as those that were just compiled. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { Problem } from '../../server/contract/problem.ts';
import type { RuntimeContract } from '../../server/contract/pruned-contract.ts';
import { CachedValidators } from '../../server/request/cached-validators.ts';
import { type OperationValidator, Validators } from '../../server/request/validate.ts';
import { shown } from './examples.ts';
import { contractOf, json } from './fixture.ts';
import { answersAround, type Probe, probesOf, Varied } from './probes.ts';
import { runtimeContract } from './runtime-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'cached-validators-'));
afterAll(() => rmSync(folder, { recursive: true }));

const compiling = vi.spyOn(Ajv2020.prototype as unknown as { _compileSchemaEnv(): unknown }, '_compileSchemaEnv');
const compilations = (): number => compiling.mock.calls.length;

function compileAll(contract: RuntimeContract, cached: CachedValidators): Map<string, OperationValidator> {
  const validators = new Validators(contract, cached);
  return new Map(
    (Object.values(operations) as readonly Operation[]).map((operation) => [
      operation.operationId,
      validators.compile(operation),
    ]),
  );
}

const first = new CachedValidators(runtimeContract(), folder);
const compiled = compileAll(runtimeContract(), first);
const fault = first.store();
const compiledFirst = compilations();
const loaded = compileAll(runtimeContract(), new CachedValidators(runtimeContract(), folder));
const compiledAgain = compilations() - compiledFirst;

/** Returns the validated request with its defaults and types, or all its errors. */
function outcome(validator: OperationValidator, { params, search, headers, mediaType, body }: Probe): unknown {
  const declared = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const input = {
    params: { ...params },
    query: {} as Record<string, unknown>,
    headers: declared as Record<string, unknown>,
    body: structuredClone(body),
  };
  try {
    input.query = validator.query.read(search);
    validator.request(input, mediaType);
    return { accepted: input };
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, members: error.members };
    throw error;
  }
}

const isAccepted = (result: unknown): boolean => 'accepted' in (result as object);
const varied = { requests: new Varied(), answers: new Varied() };
const examples = shown().map((example) => ({
  id: example.operation.operationId,
  example,
  probes: probesOf(example, varied.requests),
  answers: example.answers.map((answer) => ({ ...answer, around: answersAround(example, answer, varied.answers) })),
}));

describe('Validators that an earlier process compiled', () => {
  it('are all stored, and loading them compiles nothing', () => {
    expect(fault).toBeNull();
    expect(compiledFirst).toBeGreaterThan(200);
    expect(compiledAgain).toBe(0);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it.each(examples)(
    'judge every request similar to those shown for $id as they did, with the same errors, types and defaults',
    ({ id, probes }) => {
      const [ours, cached] = [compiled.get(id)!, loaded.get(id)!];
      const results = probes.map((probe) => outcome(ours, probe));
      expect(probes.map((probe) => outcome(cached, probe))).toEqual(results);
      expect(new Set(results.map(isAccepted))).toEqual(new Set([true, false]));
    },
  );

  it.each(examples)(
    'judge every answer similar to those shown for $id as they did, with the same errors',
    ({ id, answers }) => {
      const [ours, cached] = [compiled.get(id)!, loaded.get(id)!];
      expect(answers).not.toEqual([]);
      for (const { status, mediaType, around } of answers) {
        for (const [name, body] of around)
          expect([name, cached.response(status, mediaType, body)]).toEqual([
            name,
            ours.response(status, mediaType, body),
          ]);
      }
    },
  );

  it('judge every result of a patch as they did', () => {
    let refused = 0;
    for (const { id, probes } of examples.filter(({ example: { operation } }) => operation.method === 'patch')) {
      for (const { name, body } of probes.filter((probe) => typeof probe.body === 'object' && probe.body !== null)) {
        const errors = compiled.get(id)!.resultOfPatch(body as object, body);
        refused += errors.length > 0 ? 1 : 0;
        expect([name, loaded.get(id)!.resultOfPatch(body as object, body)]).toEqual([name, errors]);
      }
    }
    expect(refused).toBeGreaterThan(10);
  });
});

describe('Storing validators', () => {
  const schemas = {
    Tree: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', pattern: '^[a-z]+$' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      },
    },
  };
  const contract = (): RuntimeContract =>
    contractOf({ requestBody: json({ $ref: '#/components/schemas/Tree' }) }, schemas);
  const operation = { operationId: 'fixture', path: '/v1/things/{id}', method: 'post' };

  it('works for a schema that refers to itself', () => {
    const cached = new CachedValidators(contract(), folder);
    const fresh = new Validators(contract(), cached).compile(operation);
    expect(cached.store()).toBeNull();
    const before = compilations();
    const again = new Validators(contract(), new CachedValidators(contract(), folder)).compile(operation);
    expect(compilations()).toBe(before);
    for (const body of [
      { name: 'a', children: [{ name: 'b', children: [] }] },
      { name: 'a', children: [{ name: 'b', children: [{ name: 'C' }, {}] }] },
    ]) {
      const probe = {
        name: '',
        params: { id: '7' },
        search: '',
        headers: {},
        mediaType: 'application/json',
        body,
      };
      expect(outcome(again, probe)).toEqual(outcome(fresh, probe));
      expect(isAccepted(outcome(again, probe))).toBe(JSON.stringify(body).includes('"b","children":[]'));
    }
  });

  it('does not apply to another contract, which is compiled', () => {
    const other = contractOf(
      { requestBody: json({ $ref: '#/components/schemas/Tree' }) },
      { Tree: { type: 'string' } },
    );
    const before = compilations();
    const validator = new Validators(other, new CachedValidators(other, folder)).compile(operation);
    expect(compilations()).toBeGreaterThan(before);
    expect(
      isAccepted(
        outcome(validator, {
          name: '',
          params: { id: '7' },
          search: '',
          headers: {},
          mediaType: 'application/json',
          body: 'text',
        }),
      ),
    ).toBe(true);
  });
});
