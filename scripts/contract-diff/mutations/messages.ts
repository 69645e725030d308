import { resolve } from '../../contract/contract.ts';
import type { Contract, Header, MediaType, Operation, RequestBody, Response, Schema } from '../../contract/contract.ts';
import { operationSites, responsesOf } from '../../contract/walk.ts';
import { drop, set } from './kit.ts';
import type { Edit, Mutation } from './kit.ts';
import { onOperations } from './operations.ts';

function onResponses(
  fits: (status: string, response: Response) => boolean,
  apply: (response: Response, operation: Partial<Operation>, status: string, draft: Contract) => void,
): Mutation['edits'] {
  return (draft) =>
    operationSites(draft).flatMap((site) =>
      responsesOf(draft, site)
        .filter(({ status, response }) => fits(status, response))
        .map(
          ({ status, response }): Edit => ({
            where: `${site.method} ${site.path} ${status}`,
            apply: () => {
              apply(response, site.operation, status, draft);
            },
          }),
        ),
    );
}

const hasBody = (operation: Partial<Operation>) =>
  operation.requestBody !== undefined && 'content' in operation.requestBody;
const bodyOf = (operation: Partial<Operation>) => operation.requestBody as RequestBody;
const isSuccess = (status: string) => status.startsWith('2');
const mediaOf = ({ content }: { readonly content?: Readonly<Record<string, MediaType>> }) =>
  Object.values(content ?? {});
const isJson = ({ content }: Response) => content?.['application/json'] !== undefined;

/** Bodies, statuses, media types and headers. */
export const messages: readonly Mutation[] = [
  {
    name: 'request body removed',
    expected: 'breaking',
    edits: onOperations(hasBody, (operation) => {
      drop(operation, 'requestBody');
    }),
  },
  {
    name: 'request body added',
    expected: 'breaking',
    edits: onOperations(
      (operation, { method }) => operation.requestBody === undefined && method === 'post',
      (operation) => {
        set(operation, {
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
        });
      },
    ),
  },
  {
    name: 'request body became required',
    expected: 'breaking',
    edits: onOperations(
      (operation) => hasBody(operation) && bodyOf(operation).required !== true,
      (operation) => {
        set(bodyOf(operation), { required: true });
      },
    ),
  },
  {
    name: 'request body became optional',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => hasBody(operation) && bodyOf(operation).required === true,
      (operation) => {
        drop(bodyOf(operation), 'required');
      },
    ),
  },
  {
    name: 'request media type removed',
    expected: 'breaking',
    edits: onOperations(hasBody, (operation) => {
      const content = bodyOf(operation).content;
      const [type = ''] = Object.keys(content);
      set(content, { 'application/cbor': content[type] });
      drop(content, type);
    }),
  },
  {
    name: 'request media type added',
    expected: 'non-breaking',
    edits: onOperations(hasBody, (operation) => {
      const content = bodyOf(operation).content;
      set(content, { 'application/cbor': Object.values(content)[0] });
    }),
  },
  {
    name: 'request media type lost its schema',
    expected: 'non-breaking',
    edits: onOperations(hasBody, (operation) => {
      drop(mediaOf(bodyOf(operation))[0] ?? {}, 'schema');
    }),
  },
  {
    name: 'request body described by another schema',
    expected: 'breaking',
    edits: onOperations(hasBody, (operation) => {
      set(mediaOf(bodyOf(operation))[0] ?? {}, { schema: { $ref: '#/components/schemas/ProblemCode' } });
    }),
  },
  {
    name: 'success removed',
    expected: 'breaking',
    edits: onResponses(isSuccess, (_, operation, status) => {
      drop(operation.responses ?? {}, status);
    }),
  },
  {
    name: 'success moved to another status',
    expected: 'breaking',
    edits: onResponses(isSuccess, (_, operation, status) => {
      set(operation.responses ?? {}, { 299: operation.responses?.[status] });
      drop(operation.responses ?? {}, status);
    }),
  },
  {
    name: 'success added before the others',
    expected: 'breaking',
    edits: onOperations(
      ({ responses = {} }) => responses['201'] !== undefined && responses['200'] === undefined,
      ({ responses = {} }) => {
        set(responses, { 200: responses['201'] });
      },
    ),
  },
  {
    name: 'success added after the others',
    expected: 'non-breaking',
    edits: onOperations(
      ({ responses = {} }) => responses['200'] !== undefined && responses['202'] === undefined,
      ({ responses = {} }) => {
        set(responses, { 202: responses['200'] });
      },
    ),
  },
  {
    name: 'error no longer documented',
    expected: 'non-breaking',
    edits: onResponses(
      (status) => /^4/.test(status),
      (_, operation, status) => {
        drop(operation.responses ?? {}, status);
      },
    ),
  },
  {
    name: 'error documented newly',
    expected: 'non-breaking',
    edits: onResponses(isSuccess, (_, operation) => {
      set(operation.responses ?? {}, { 451: { description: 'Not here.' } });
    }),
  },
  {
    name: 'response described anew',
    expected: 'docs-only',
    edits: onResponses(isSuccess, (response) => {
      set(response, { description: 'Another description.' });
    }),
  },
  {
    name: 'response media type removed',
    expected: 'breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => {
        set(response, { content: { 'application/cbor': response.content?.['application/json'] } });
      },
    ),
  },
  {
    name: 'response media type added',
    expected: 'non-breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => {
        set(response.content ?? {}, { 'application/cbor': response.content?.['application/json'] });
      },
    ),
  },
  {
    name: 'response media type lost its schema',
    expected: 'breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => {
        drop(mediaOf(response)[0] ?? {}, 'schema');
      },
    ),
  },
  {
    name: 'response described by another schema',
    expected: 'breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => {
        set(mediaOf(response)[0] ?? {}, { schema: { $ref: '#/components/schemas/ProblemCode' } });
      },
    ),
  },
  {
    name: 'response header removed',
    expected: 'breaking',
    edits: onResponses(
      (status, { headers }) => isSuccess(status) && headers !== undefined,
      ({ headers = {} }) => {
        drop(headers, Object.keys(headers)[0] ?? '');
      },
    ),
  },
  {
    name: 'response header added',
    expected: 'non-breaking',
    edits: onResponses(isSuccess, (response) => {
      set(response, {
        headers: { ...response.headers, 'X-Extra': { schema: { type: 'string' }, description: 'More.' } },
      });
    }),
  },
  {
    name: 'response header no longer certain',
    expected: 'breaking',
    edits: onResponses(
      (status, { headers }) => isSuccess(status) && headers !== undefined,
      (response, _operation, _status, draft) => {
        const [name = '', header] =
          Object.entries(response.headers ?? {}).find(([, node]) => resolve<Header>(draft, node).required === true) ??
          [];
        if (header !== undefined)
          set(response, {
            headers: { ...response.headers, [name]: { ...resolve<Header>(draft, header), required: false } },
          });
      },
    ),
  },
  {
    name: 'example of an answer edited',
    expected: 'docs-only',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => {
        set(mediaOf(response)[0] ?? {}, { examples: { other: { value: {} } } });
      },
    ),
  },
];

/** Named parts of the contract. */
export const components: readonly Mutation[] = [
  {
    name: 'schema renamed',
    expected: 'breaking',
    edits: (draft) =>
      names(draft).map((name) => ({
        where: name,
        apply: () => {
          renameSchema(draft, name);
        },
      })),
  },
  {
    name: 'schema added',
    expected: 'non-breaking',
    edits: (draft) => [
      {
        where: 'schemas',
        apply: () => {
          set(draft.components.schemas ?? {}, { BrandNew: { type: 'object', description: 'New.', properties: {} } });
        },
      },
    ],
  },
  {
    name: 'schema takes the name of a class of the SDKs',
    expected: 'breaking',
    edits: (draft) => [
      {
        where: 'Applications',
        apply: () => {
          set(draft.components.schemas ?? {}, {
            Applications: { type: 'object', description: 'New.', properties: {} },
          });
        },
      },
    ],
  },
  {
    name: 'schema described anew',
    expected: 'docs-only',
    edits: (draft) =>
      names(draft).map((name) => ({
        where: name,
        apply: () => {
          set(draft.components.schemas?.[name] ?? {}, { description: 'Another description.' });
        },
      })),
  },
  {
    name: 'schema titled',
    expected: 'docs-only',
    edits: (draft) =>
      names(draft).map((name) => ({
        where: name,
        apply: () => {
          set(draft.components.schemas?.[name] ?? {}, { title: 'A title' });
        },
      })),
  },
  {
    name: 'shared parameter written out',
    expected: 'docs-only',
    edits: (draft) =>
      operationSites(draft).flatMap(({ operation, method, path }) =>
        (operation.parameters ?? []).flatMap((node, index) =>
          '$ref' in node
            ? [
                {
                  where: `${method} ${path} ${index}`,
                  apply: () => {
                    set(operation, {
                      parameters: (operation.parameters ?? []).map((other, at) =>
                        at === index ? resolve(draft, other) : other,
                      ),
                    });
                  },
                },
              ]
            : [],
        ),
      ),
  },
  {
    name: 'shared answer written out',
    expected: 'docs-only',
    edits: (draft) =>
      operationSites(draft).flatMap(({ operation, method, path }) =>
        Object.entries(operation.responses ?? {}).flatMap(([status, node]) =>
          '$ref' in node
            ? [
                {
                  where: `${method} ${path} ${status}`,
                  apply: () => {
                    set(operation.responses ?? {}, { [status]: resolve<Response>(draft, node) });
                  },
                },
              ]
            : [],
        ),
      ),
  },
  {
    name: 'schemas reordered',
    expected: 'docs-only',
    edits: (draft) => [
      {
        where: 'schemas',
        apply: () => {
          set(draft.components, {
            schemas: Object.fromEntries(Object.entries(draft.components.schemas ?? {}).reverse()),
          });
        },
      },
    ],
  },
];

function names(draft: Contract): string[] {
  return Object.keys(draft.components.schemas ?? {});
}

function renameSchema(draft: Contract, name: string): void {
  const renamed = JSON.parse(
    JSON.stringify(draft).replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${name}New"`),
  ) as Contract;
  const schemas = renamed.components.schemas as Record<string, Schema>;
  set(schemas, { [`${name}New`]: schemas[name] });
  drop(schemas, name);
  set(draft, renamed);
}

interface Catalogue {
  readonly enum: readonly string[];
  readonly 'x-problems': Record<string, { status: number; title: string; description: string }>;
}

function onCodes(apply: (catalogue: Catalogue, code: string) => void): Mutation['edits'] {
  return (draft: Contract): Edit[] => {
    const catalogue = draft.components.schemas?.['ProblemCode'] as Catalogue;
    return Object.keys(catalogue['x-problems']).map((code) => ({
      where: code,
      apply: () => {
        apply(catalogue, code);
      },
    }));
  };
}

/** Promises of the server other than the shape of messages, and the resulting behaviour of the SDKs. */
export const behaviour: readonly Mutation[] = [
  {
    name: 'idempotency withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-idempotent'] === true,
      (operation) => {
        drop(operation, 'x-idempotent');
      },
    ),
  },
  {
    name: 'idempotency promised',
    expected: 'non-breaking',
    edits: onOperations(
      (operation, { method }) => operation['x-idempotent'] === undefined && method === 'post',
      (operation) => {
        set(operation, {
          'x-idempotent': true,
          parameters: [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }],
        });
      },
    ),
  },
  {
    name: 'pagination withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-pagination'] !== undefined,
      (operation) => {
        drop(operation, 'x-pagination');
      },
    ),
  },
  {
    name: 'pagination begun',
    expected: 'breaking',
    edits: onOperations(
      (operation, { method }) => operation['x-pagination'] === undefined && method === 'get',
      (operation) => {
        set(operation, { 'x-pagination': { items: 'items' } });
      },
    ),
  },
  {
    name: 'reading acknowledges',
    expected: 'breaking',
    edits: onOperations(
      (operation, { method }) => method === 'get' && operation['x-acknowledges'] !== true,
      (operation) => {
        set(operation, { 'x-acknowledges': true });
      },
    ),
  },
  {
    name: 'following withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-follow'] !== undefined,
      (operation) => {
        drop(operation, 'x-follow');
      },
    ),
  },
  {
    name: 'transition no longer allowed',
    expected: 'breaking',
    edits: onOperations(
      (operation) => (operation['x-state-transitions']?.from.length ?? 0) > 0,
      (operation) => {
        set(operation, {
          'x-state-transitions': {
            ...operation['x-state-transitions'],
            from: operation['x-state-transitions']?.from.slice(1),
          },
        });
      },
    ),
  },
  {
    name: 'transition allowed newly',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => (operation['x-state-transitions']?.from.length ?? 0) > 0,
      (operation) => {
        set(operation, {
          'x-state-transitions': {
            ...operation['x-state-transitions'],
            from: [...(operation['x-state-transitions']?.from ?? []), 'paused'],
          },
        });
      },
    ),
  },
  {
    name: 'transition leads elsewhere',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-state-transitions'] !== undefined,
      (operation) => {
        set(operation, { 'x-state-transitions': { ...operation['x-state-transitions'], to: ['paused'] } });
      },
    ),
  },
  {
    name: 'transition demanded',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-state-transitions'] === undefined,
      (operation) => {
        set(operation, { 'x-state-transitions': { from: ['paused'], to: ['resumed'] } });
      },
    ),
  },
  {
    name: 'masked callers refused',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-needs-full-data'] !== true,
      (operation) => {
        set(operation, { 'x-needs-full-data': true });
      },
    ),
  },
  {
    name: 'counted by another quota',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => operation['x-rate-limit'] === undefined,
      (operation) => {
        set(operation, { 'x-rate-limit': 'login' });
      },
    ),
  },
  {
    name: 'handled in another transaction',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => operation['x-transaction'] === undefined,
      (operation) => {
        set(operation, { 'x-transaction': 'platform' });
      },
    ),
  },
  {
    name: 'audit event no longer written',
    expected: 'breaking',
    edits: onOperations(
      (operation) => (operation['x-audit-events']?.length ?? 0) > 0,
      (operation) => {
        set(operation, { 'x-audit-events': operation['x-audit-events']?.slice(1) });
      },
    ),
  },
  {
    name: 'audit event written newly',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => (operation['x-audit-events']?.length ?? 0) > 0,
      (operation) => {
        set(operation, { 'x-audit-events': [...(operation['x-audit-events'] ?? []), 'thing.touched'] });
      },
    ),
  },
  {
    name: 'problem code withdrawn',
    expected: 'breaking',
    edits: onCodes((catalogue, code) => {
      drop(catalogue['x-problems'], code);
      set(catalogue, { enum: catalogue.enum.filter((value) => value !== code) });
    }),
  },
  {
    name: 'problem code added',
    expected: 'non-breaking',
    edits: onCodes((catalogue) => {
      set(catalogue['x-problems'], { brand_new: { status: 409, title: 'New', description: 'New.' } });
      set(catalogue, { enum: [...catalogue.enum, 'brand_new'] });
    }),
  },
  {
    name: 'problem code moved to another status',
    expected: 'breaking',
    edits: onCodes((catalogue, code) => {
      set(catalogue['x-problems'][code] ?? {}, { status: 418 });
    }),
  },
  {
    name: 'advice of a problem edited',
    expected: 'docs-only',
    edits: onCodes((catalogue, code) => {
      set(catalogue['x-problems'][code] ?? {}, { description: 'Better advice.' });
    }),
  },
  {
    name: 'server removed',
    expected: 'breaking',
    edits: (draft) => [
      {
        where: 'servers',
        apply: () => {
          set(draft, { servers: [{ url: 'https://elsewhere.test' }] });
        },
      },
    ],
  },
  {
    name: 'server added',
    expected: 'non-breaking',
    edits: (draft) => [
      {
        where: 'servers',
        apply: () => {
          set(draft, { servers: [...(draft.servers ?? []), { url: 'https://elsewhere.test' }] });
        },
      },
    ],
  },
  {
    name: 'guide edited',
    expected: 'docs-only',
    edits: (draft) => [
      {
        where: 'info',
        apply: () => {
          set(draft.info, { description: 'Another guide.' });
        },
      },
    ],
  },
  {
    name: 'tag described anew',
    expected: 'docs-only',
    edits: (draft) =>
      (draft.tags ?? []).map((tag) => ({
        where: tag.name,
        apply: () => {
          set(tag, { description: 'Another description.' });
        },
      })),
  },
];
