/** Test of the time in which the Python package starts. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectContract } from '../../scripts/contract/project.ts';
import { buildModel } from '../../scripts/generate/build-model.ts';
import { figure } from './support/figures.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RUNS = 5;

/**
 * Program that measures processor time, because a busy machine does not lengthen it: of the import, and from there to
 * the first record of a resource.
 */
const PROGRAM = `
import json, sys, time
import httpx2
from pydantic import BaseModel, Field

class Warm(BaseModel):
    a: int = Field(default=1)

began = time.process_time()
import compliance_onboarding
imported = time.process_time()
answer = httpx2.Response(200, json=json.loads(sys.argv[1]))
http = httpx2.Client(transport=httpx2.MockTransport(lambda request: answer))
client = compliance_onboarding.ComplianceOnboarding(base_url="http://localhost", access_token="t", http_client=http)
made = time.process_time()
assert client.applications.get("a").applicant.full_name
used = time.process_time()
loaded = sorted(name for name in sys.modules if name.startswith(("compliance_onboarding._generated.models.", "compliance_onboarding._generated.errors")))
print(json.dumps([imported - began, used - made, loaded]))
`;

it('the Python package starts within its budget: a resource is loaded when it is used', {
  timeout: 120_000,
}, async () => {
  const model = buildModel(projectContract());
  const { example } = model.operations.find(({ operationId }) => operationId === 'getApplication')!.successes[0]!;
  const start = async (): Promise<readonly [number, number, readonly string[]]> => {
    const { stdout } = await promisify(execFile)(
      join(ROOT, '.venv/bin/python'),
      ['-c', PROGRAM, JSON.stringify(example)],
      { env: { PYTHONPATH: join(ROOT, 'sdks/python/src') } },
    );
    return JSON.parse(stdout) as [number, number, string[]];
  };
  // The first start compiles the modules.
  await start();
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await start());
  const imported = Math.min(...runs.map(([seconds]) => seconds));
  const used = Math.min(...runs.map(([, seconds]) => seconds));
  figure(
    `Python with ${model.operations.length} operations: import ${imported.toFixed(3)} s of the processor beyond its ` +
      `dependencies, first record of a resource ${used.toFixed(3)} s`,
  );
  expect(runs[0]![2].map((name) => name.split('.').at(-1))).toEqual(['_shared', 'applications']);
  expect(imported).toBeLessThan(0.3);
  expect(used).toBeLessThan(0.15);
});
