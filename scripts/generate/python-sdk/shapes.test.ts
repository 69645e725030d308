/** Test of shapes that the contract does not have yet and the Python generator must already know. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Contract, Operation, Schema } from '../../contract/contract.ts';
import { buildModel } from '../build-model.ts';
import { fixtureContract } from '../fixtures/contract.ts';
import { generate } from './index.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PACKAGE = 'src/compliance_onboarding';
const directory = mkdtempSync(join(tmpdir(), 'shapes-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const variant = (tag: string, member: string): Schema => ({
  type: 'object',
  required: ['kind', member],
  properties: { kind: { type: 'string', const: tag }, [member]: { type: 'integer' } },
});

const schemas: Readonly<Record<string, Schema>> = {
  Circle: variant('circle', 'outerRadius'),
  Square: variant('square', 'sideLength'),
  Shape: {
    description: 'A shape.',
    oneOf: [ref('Circle'), ref('Square')],
    discriminator: {
      propertyName: 'kind',
      mapping: { circle: '#/components/schemas/Circle', square: '#/components/schemas/Square' },
    },
  },
  Measure: {
    type: 'object',
    required: ['size'],
    properties: { size: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
  },
  Page: { type: 'string', format: 'binary' },
};

interface Sketch {
  /** Media type and schema of the body. */
  readonly body: readonly [type: string, schema: Schema];
  readonly answer: string | null;
  readonly parameters?: Operation['parameters'];
}

function operation(method: string, { body: [type, schema], answer, parameters = [] }: Sketch): Operation {
  return {
    operationId: method,
    tags: ['shapes'],
    summary: method,
    description: 'As the summary says.',
    security: [],
    parameters,
    requestBody: { required: true, content: { [type]: { schema } } },
    responses: {
      200: {
        description: 'Done.',
        ...(answer === null ? {} : { content: { 'application/json': { schema: ref(answer) } } }),
      },
    },
    'x-sdk': { resource: 'shapes', method },
    'x-roles': [],
  };
}

function contract(): Contract {
  const fixture = fixtureContract();
  const page = {
    name: 'pageId',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  } as const;
  const paths = {
    '/v1/shapes': { post: operation('draw', { body: ['application/json', ref('Shape')], answer: 'Shape' }) },
    '/v1/measures': { post: operation('measure', { body: ['application/json', ref('Measure')], answer: 'Measure' }) },
    '/v1/pages/{pageId}': {
      put: operation('scan', { body: ['application/octet-stream', ref('Page')], answer: null, parameters: [page] }),
    },
  };
  return {
    ...fixture,
    paths: { ...fixture.paths, ...paths },
    components: { ...fixture.components, schemas: { ...fixture.components.schemas, ...schemas } },
  };
}

const PROGRAM = `
import io, json, sys
import httpx2
from compliance_onboarding import ComplianceOnboarding, types

seen = []
def answer(request):
    seen.append((request.method, request.url.path, request.headers["content-type"], request.read()))
    circle = {"kind": "circle", "outerRadius": 1, "size": "large"}
    return httpx2.Response(200, json={"kind": "star", "points": 5} if len(seen) == 3 else circle)

client = ComplianceOnboarding(base_url="http://localhost", access_token="t", http_client=httpx2.Client(transport=httpx2.MockTransport(answer)))
drawn = client.shapes.draw(types.Circle(outer_radius=1))
assert type(drawn) is types.Circle and drawn.outer_radius == 1, drawn
assert type(client.shapes.draw({"kind": "square", "side_length": 2})) is types.Circle
later = client.shapes.draw({"kind": "circle", "outer_radius": 3})
assert type(later).__name__ == "UnknownVariant" and later.to_dict() == {"kind": "star", "points": 5}, later
assert client.shapes.measure(size=5).size == "large"
client.shapes.measure(size="large")
client.shapes.scan("a", b"\\x00\\x01")
client.shapes.scan("c", body=io.BytesIO(b"\\x02"))
for line in seen:
    print(*line)
`;

it('unions, members of several scalar types and files as whole bodies are sent and read', async () => {
  const shapes = contract();
  cpSync(join(ROOT, 'sdks/python', PACKAGE), join(directory, PACKAGE), {
    recursive: true,
    filter: (path) => !path.includes('_generated'),
  });
  await generate(shapes, buildModel(shapes), { directory, root: ROOT });
  const told = execFileSync(join(ROOT, '.venv/bin/python'), ['-W', 'error', '-c', PROGRAM], {
    env: { PYTHONPATH: join(directory, 'src') },
    encoding: 'utf8',
  });
  expect(told.trimEnd().split('\n')).toEqual([
    `POST /v1/shapes application/json b'{"kind":"circle","outerRadius":1}'`,
    `POST /v1/shapes application/json b'{"kind":"square","sideLength":2}'`,
    `POST /v1/shapes application/json b'{"kind":"circle","outerRadius":3}'`,
    `POST /v1/measures application/json b'{"size":5}'`,
    `POST /v1/measures application/json b'{"size":"large"}'`,
    String.raw`PUT /v1/pages/a application/octet-stream b'\x00\x01'`,
    String.raw`PUT /v1/pages/c application/octet-stream b'\x02'`,
  ]);
});
