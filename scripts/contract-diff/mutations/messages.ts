/** Mutations of bodies, statuses, media types and headers, with their verdicts. Used by run.ts. */
import { resolve } from '../../contract/contract.ts';
import type { Header, MediaType, Operation, RequestBody, Response, Contract } from '../../contract/contract.ts';
import { operationSites, responsesOf } from '../../contract/walk.ts';
import { drop, onOperations, set } from './kit.ts';
import type { Edit, Mutation } from './kit.ts';

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
    edits: onOperations(hasBody, (operation) => drop(operation, 'requestBody')),
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
      (operation) => set(bodyOf(operation), { required: true }),
    ),
  },
  {
    name: 'request body became optional',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => hasBody(operation) && bodyOf(operation).required === true,
      (operation) => drop(bodyOf(operation), 'required'),
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
    edits: onOperations(hasBody, (operation) => drop(mediaOf(bodyOf(operation))[0] ?? {}, 'schema')),
  },
  {
    name: 'request body described by another schema',
    expected: 'breaking',
    edits: onOperations(hasBody, (operation) =>
      set(mediaOf(bodyOf(operation))[0] ?? {}, { schema: { $ref: '#/components/schemas/ProblemCode' } }),
    ),
  },
  {
    name: 'success removed',
    expected: 'breaking',
    edits: onResponses(isSuccess, (_, operation, status) => drop(operation.responses ?? {}, status)),
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
      ({ responses = {} }) => set(responses, { 200: responses['201'] }),
    ),
  },
  {
    name: 'success added after the others',
    expected: 'non-breaking',
    edits: onOperations(
      ({ responses = {} }) => responses['200'] !== undefined && responses['202'] === undefined,
      ({ responses = {} }) => set(responses, { 202: responses['200'] }),
    ),
  },
  {
    name: 'error no longer documented',
    expected: 'non-breaking',
    edits: onResponses(
      (status) => /^4/.test(status),
      (_, operation, status) => drop(operation.responses ?? {}, status),
    ),
  },
  {
    name: 'error documented newly',
    expected: 'non-breaking',
    edits: onResponses(isSuccess, (_, operation) =>
      set(operation.responses ?? {}, { 451: { description: 'Not here.' } }),
    ),
  },
  {
    name: 'response description changed',
    expected: 'docs-only',
    edits: onResponses(isSuccess, (response) => set(response, { description: 'Another description.' })),
  },
  {
    name: 'response media type removed',
    expected: 'breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => set(response, { content: { 'application/cbor': response.content?.['application/json'] } }),
    ),
  },
  {
    name: 'response media type added',
    expected: 'non-breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => set(response.content ?? {}, { 'application/cbor': response.content?.['application/json'] }),
    ),
  },
  {
    name: 'response media type lost its schema',
    expected: 'breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => drop(mediaOf(response)[0] ?? {}, 'schema'),
    ),
  },
  {
    name: 'response described by another schema',
    expected: 'breaking',
    edits: onResponses(
      (status, response) => isSuccess(status) && isJson(response),
      (response) => set(mediaOf(response)[0] ?? {}, { schema: { $ref: '#/components/schemas/ProblemCode' } }),
    ),
  },
  {
    name: 'response header removed',
    expected: 'breaking',
    edits: onResponses(
      (status, { headers }) => isSuccess(status) && headers !== undefined,
      ({ headers = {} }) => drop(headers, Object.keys(headers)[0] ?? ''),
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
