/** Tests of the methods that are generated for the Python SDK. */
import { describe, expect, it } from 'vitest';
import type { ApiModel, OperationModel, ParameterModel } from '../model.ts';
import { methodSource } from './methods.ts';
import { namedSchemas } from './named-schemas.ts';

const parameter = (name: string, python: string, place: ParameterModel['in'], required = false): ParameterModel => ({
  name,
  typescript: name,
  python,
  in: place,
  required,
  description: '',
  schema: { type: 'string' },
  schemaName: null,
  example: 'x',
});
const success = (schemaName: string | null) => [
  {
    status: 200,
    description: '',
    mediaType: 'application/json',
    mediaTypes: [],
    schemaName,
    binary: false,
    headers: [],
    example: undefined,
  },
];
const operation = (changes: Partial<OperationModel>): OperationModel => ({
  operationId: 'getThing',
  method: 'get',
  path: '/things/{thingId}',
  tag: 'things',
  summary: 'Get a thing',
  description: 'All of it.',
  deprecated: false,
  deprecation: null,
  sdk: {
    resource: 'things',
    method: 'get',
    typescript: 'things.get',
    python: 'things.get',
    aliases: [],
    formerIds: [],
  },
  parameters: { path: [parameter('thingId', 'thing_id', 'path', true)], query: [], header: [] },
  body: null,
  successes: success('Thing'),
  failures: [],
  security: [],
  browser: false,
  roles: [],
  humanOnly: false,
  sealed: [],
  self: null,
  stepUp: false,
  mfaExempt: false,
  needsFullData: { operation: false, parameters: [] },
  showsPersons: false,
  idempotent: false,
  pagination: null,
  follow: null,
  acknowledges: false,
  rateLimit: 'default',
  transaction: 'tenant',
  auditEvents: [],
  transitions: null,
  ...changes,
});
const schemas = { Thing: { type: 'object', properties: { name: { type: 'string' } } } };
const model = { schemas } as unknown as ApiModel;
const naming = { named: namedSchemas(schemas), models: new Set(['Thing']), params: 'params.' };
const emitted = (changes: Partial<OperationModel>): string =>
  methodSource(operation(changes), model, naming, new Map()).replace(/\s+/g, ' ');

describe('a method of the Python SDK', () => {
  it('takes identifiers by position and answers a model', () => {
    const source = emitted({});
    expect(source).toContain('async def get(self, thing_id: str, **options: Unpack[CallOptions],) -> models.Thing:');
    expect(source).toContain(
      'return await self._object(models.Thing, self._call(operations.GET_THING, options, path={"thingId": thing_id}))',
    );
  });

  it('takes an idempotency key where the contract declares one', () => {
    const header = [
      parameter('Idempotency-Key', 'idempotency_key', 'header'),
      parameter('If-Match', 'if_match', 'header'),
    ];
    const source = emitted({ idempotent: true, parameters: { path: [], query: [], header } });
    expect(source).toContain('*, if_match: str | None = None, **options: Unpack[KeyedCallOptions]');
    expect(source).toContain('headers={"If-Match": if_match}');
  });

  it('tells an absent member from one that is null', () => {
    const member = {
      name: 'nickName',
      python: 'nick_name',
      required: false,
      nullable: true,
      file: false,
      description: '',
      schema: { type: ['string', 'null'] },
      schemaName: null,
    };
    const body = {
      mediaType: 'application/json',
      mediaTypes: [],
      kind: 'json',
      required: false,
      schemaName: 'Thing',
      members: [member],
      example: undefined,
    } as const;
    const source = emitted({ body });
    expect(source).toContain('nick_name: str | Unset | None = UNSET');
    expect(source).toContain('body=json_body(models.Thing, {"nickName": nick_name}, body, required=False)');
  });

  it('takes a body by its members or as a whole, and says which members there must be', () => {
    const member = {
      name: 'nickName',
      python: 'nick_name',
      required: true,
      nullable: false,
      file: false,
      description: '',
      schema: { type: 'string' },
      schemaName: null,
    };
    const body = {
      mediaType: 'application/json',
      mediaTypes: [],
      kind: 'json',
      required: true,
      schemaName: 'Thing',
      members: [member],
      example: undefined,
    } as const;
    const source = emitted({ body });
    expect(source).toContain(
      '@overload async def get(self, thing_id: str, *, nick_name: str, **options: Unpack[CallOptions],) -> ' +
        'models.Thing: ...',
    );
    expect(source).toContain(
      '@overload async def get(self, thing_id: str, body: models.Thing | params.Thing, **options: ' +
        'Unpack[CallOptions],) -> models.Thing: ...',
    );
    expect(source).toContain(
      '@takes(CallOptions) async def get(self, thing_id: str, body: Any = UNSET, *, nick_name: ' +
        'Any = REQUIRED, **options',
    );
  });

  it('takes a body that is no object, or that is a file, as a whole only', () => {
    const body = {
      mediaType: 'application/json',
      mediaTypes: [],
      kind: 'json',
      required: true,
      schemaName: 'Thing',
      members: null,
      example: undefined,
    } as const;
    expect(emitted({ body })).toContain(
      'async def get(self, thing_id: str, body: models.Thing | params.Thing, **options',
    );
    expect(emitted({ body })).toContain('body=json_value_body(body, models.Thing)');
    const file = {
      ...body,
      mediaType: 'application/octet-stream',
      kind: 'binary',
      schemaName: null,
    } as const;
    expect(emitted({ body: file })).toContain('async def get(self, thing_id: str, body: FileInput, **options');
    expect(emitted({ body: file })).toContain('body=binary_body(body, "application/octet-stream")');
  });

  it('answers a page for a list, and nothing for an empty answer', () => {
    expect(emitted({ pagination: { items: 'events', itemSchema: 'Thing' } })).toContain(
      'def get(self, thing_id: str, **options: Unpack[CallOptions],) -> AsyncPaginator[models.Thing]:',
    );
    expect(emitted({ successes: success(null) })).toContain('-> None:');
  });

  it('says what it raises and shows a call, with await only where it is needed', () => {
    const problems = [
      {
        code: 'thing_gone',
        status: 404,
        title: 'The thing is gone',
        description: '',
      },
    ];
    const source = methodSource(
      operation({}),
      { schemas, problems } as unknown as ApiModel,
      naming,
      new Map([['getThing', ['thing_gone', 'unknown_code']]]),
    );
    expect(source).toContain('        Raises:\n            errors.ThingGoneError: 404, the thing is gone.\n');
    expect(source).not.toContain('unknown_code');
    expect(source).toContain(
      '        Example:\n            thing = await client.things.get("x")\n            print(thing)\n',
    );
  });

  it('refuses names that clash, before they reach a user', () => {
    const query = [parameter('timeout', 'timeout', 'query')];
    expect(() => emitted({ parameters: { path: [], query, header: [] } })).toThrow(
      'getThing: two arguments would be called timeout',
    );
  });
});
