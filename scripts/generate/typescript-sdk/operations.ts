/**
 * Writes the table of operations of the TypeScript SDK. Used by index.ts. The letters of a line must be those that the
 * runtime reads (sdks/typescript/src/core/operation.ts).
 */
import type { ApiModel, OperationModel, PaginationModel } from '../model.ts';
import {
  bodyType,
  dataType,
  fileMembers,
  hasQuery,
  headerOption,
  isBinary,
  kebabCase,
  optionsType,
  paramsParameter,
} from './method.ts';
import { comment } from './text.ts';
import { line, resourceFileName, resourceNodes } from './resources.ts';

/**
 * Letters of the security schemes and of the media types of bodies, as sdks/typescript/src/core/operation.ts reads
 * them.
 */
const SCHEMES: Readonly<Record<string, string>> = { bearerAuth: 'B', apiKey: 'A', oauth2: 'O' };
const BODIES: Readonly<Record<string, string>> = {
  'application/json': 'j',
  'application/merge-patch+json': 'm',
  'application/x-www-form-urlencoded': 'u',
  'multipart/form-data': 'f',
};

/** Returns what the runtime must know of an operation, as one line: `POST /v1/applications BAOkj`. */
export function lineOf(operation: OperationModel, model: ApiModel): string {
  const { method, path, body, parameters, security, idempotent, pagination, follow } = operation;
  const schemes = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))].map((scheme) =>
    letter(SCHEMES, scheme, operation),
  );
  const marks = [
    ...schemes,
    idempotent ? 'k' : '',
    body === null ? '' : letter(BODIES, body.mediaType, operation),
    body === null && parameters.query.length > 0 ? 'q' : '',
    isBinary(operation, model) ? 'b' : '',
    operation.successes.some(({ mediaType }) => mediaType === null) ? 'n' : '',
  ].join('');
  const members = [
    ...fileMembers(operation),
    ...(pagination ? [itemsOf(pagination, model)] : []),
    ...(follow ? [follow.acknowledge, follow.interval] : []),
  ];
  return [`${method.toUpperCase()} ${path}`, marks, members.join(',')].join(' ').trimEnd();
}

/** Returns the member with the items and, unless it is `id`, the member that identifies an item: `events.eventId`. */
function itemsOf({ items, itemSchema }: PaginationModel, { schemas }: ApiModel): string {
  const required = schemas[itemSchema]?.required ?? [];
  const key = required.includes('id') ? 'id' : (required.find((name) => name.endsWith('Id')) ?? '');
  return key === 'id' ? items : `${items}.${key}`;
}

function letter(letters: Readonly<Record<string, string>>, name: string, { operationId }: OperationModel): string {
  const found = letters[name];
  if (found === undefined) throw new Error(`${operationId}: the TypeScript SDK does not know ${name}`);
  return found;
}

/** Letters of the table of operations for the methods; the most frequent one, GET, has none. */
const VERBS: Readonly<Record<string, string>> = {
  POST: 'P',
  DELETE: 'D',
  PATCH: 'A',
  PUT: 'U',
};
/** Marks of an operation that takes every credential, which the table leaves out. */
const USUAL = /^BAO/;

/** All operations, each below its resource by the name of its method, and by those that it had before. */
export function operationsFile(model: ApiModel): string {
  const called = model.operations.flatMap((operation) =>
    [operation.sdk, ...operation.sdk.aliases].map(({ resource, method }) => ({
      resource,
      method,
      line: lineOf(operation, model),
    })),
  );
  const resources = [...new Set(called.map(({ resource }) => resource))];
  let above: readonly string[] = [''];
  let top = '';
  const shortened = (path: string): string => {
    if (path.startsWith(`${top}.`)) return path.slice(top.length);
    top = path;
    return path;
  };
  const lines = resources.flatMap((path) => [
    shortened(path),
    ...called
      .filter(({ resource }) => resource === path)
      .map(({ method, line }) => {
        const [verb = '', template = '', marks = '', ...members] = line.split(' ');
        const segments = template.split('/');
        const differs = segments.findIndex((segment, index) => segment !== above[index]);
        const shared = differs < 0 ? segments.length : differs;
        above = segments;
        const title = path.slice(path.lastIndexOf('.') + 1);
        const own = segments.slice(shared).map((segment) => shortSegment(segment, title, method));
        const short = `${VERBS[verb] ?? ''}${shared}${own.join('')}`;
        const credentials = /^[A-Z]/.test(marks) ? marks.replace(USUAL, '') : `-${marks}`;
        return [method, short, credentials, ...members].join(' ').trimEnd();
      }),
  ]);
  return (
    '/** Every operation, as sdks/typescript/src/core/tree.ts reads it. */\n' +
    `export const OPERATIONS = \`${lines.join('\n')}\`;\n`
  );
}

/** Writes a segment of a path: by a sign if it is named like the resource or the method. */
function shortSegment(segment: string, resource: string, method: string): string {
  if (segment === kebabCase(resource)) return '+';
  return segment === kebabCase(method) ? '*' : `/${segment}`;
}

/** All operations by their ids, for \`client.request\`. */
export function linesFile(model: ApiModel): string {
  const rows = model.operations.map(
    (operation) => `  ${operation.operationId}: '${lineOf({ ...operation, follow: null }, model)}',\n`,
  );
  return (
    '/** The line of each operation by its id; loaded when one is asked for by its id. */\n' +
    'export const LINES: Readonly<Record<string, string>> = {\n' +
    `${rows.join('')}};\n`
  );
}

/** Returns the function that sends an operation, if it is not the usual one, and its file in the runtime. */
function senderOf(operation: OperationModel, model: ApiModel): { readonly name: string; readonly file: string } | null {
  if (fileMembers(operation).length > 0) return { name: 'upload', file: 'upload' };
  if (operation.body?.kind === 'form') return { name: 'form', file: 'form' };
  if (isBinary(operation, model)) return { name: 'downloadOf', file: 'download' };
  return operation.pagination === null ? null : { name: 'listOf', file: 'pagination' };
}

/**
 * Returns the sender with the options that are sent as headers, except the idempotency key, which the transport
 * generates itself.
 */
function headedSender(operation: OperationModel, model: ApiModel): string {
  const sender = senderOf(operation, model)?.name ?? '';
  const headers = operation.parameters.header
    .filter(({ name }) => name !== 'Idempotency-Key')
    .map(({ typescript, name }) => `${typescript}: '${name}'`);
  return headers.length === 0
    ? sender
    : `/* @__PURE__ */ headed({ ${headers.join(', ')} }${sender === '' ? '' : `, ${sender}`})`;
}

/** Every operation as a function that carries its own line, so that a bundle holds those alone that it calls. */
export function functionsFile(model: ApiModel): string {
  const nodes = resourceNodes(model.resources).filter(({ operations }) => operations.length > 0);
  const senders = model.operations
    .flatMap((operation) => senderOf(operation, model) ?? [])
    .map(({ name, file }) => `import { ${name} } from '../../core/${file}.ts';\n`);
  const types = nodes.map((node) => `import type { ${node.className} } from './${resourceFileName(node)}';\n`);
  const functions = nodes.flatMap((node) =>
    node.operations.map((operation) => {
      // Only the tree of resources implements following a feed.
      const parts = [`'${lineOf({ ...operation, follow: null }, model)}'`, headedSender(operation, model)]
        .filter((part) => part !== '')
        .join(', ');
      return (
        `${comment([`${operation.summary}: {@link ${node.className}.${operation.sdk.method}} as a function.`], '')}` +
        `export const ${operation.operationId} = /* @__PURE__ */ ` +
        `flat<${node.className}['${operation.sdk.method}']>(${parts});\n` +
        operation.sdk.formerIds
          .map(
            (id) =>
              '\n' +
              `/** @deprecated Renamed to {@link ${operation.operationId}}. */\n` +
              `export const ${id} = ${operation.operationId};\n`,
          )
          .join('')
      );
    }),
  );
  return (
    `${[...new Set(senders)].sort().join('')}import { flat, headed } from '../../core/operation.ts';\n` +
    `${types.join('')}\n` +
    `${functions.join('\n')}`
  );
}

/** What the service for tests answers: the contract's example of each first success, of which a list ends there. */
export function examplesFile(model: ApiModel): string {
  const rows = model.operations.map((operation) => {
    const [success] = operation.successes;
    const list = operation.pagination === null ? {} : { hasMore: false };
    const content = isBinary(operation, model) ? 'bytes' : { ...(success?.example as object), ...list };
    const body = success?.mediaType == null ? null : content;
    const type = success?.mediaType?.includes('*') ? 'application/octet-stream' : (success?.mediaType ?? null);
    return `  ${operation.operationId}: ${JSON.stringify({
      method: operation.method.toUpperCase(),
      path: operation.path,
      status: success?.status,
      type,
      body,
    })},\n`;
  });
  return (
    'export interface Example {\n' +
    '  readonly method: string;\n' +
    '  readonly path: string;\n' +
    '  readonly status: number;\n' +
    '  readonly type: string | null;\n' +
    '  readonly body: unknown;\n' +
    '}\n\n' +
    '/** How each operation succeeds, by the examples of the contract. */\n' +
    'export const EXAMPLES: Readonly<Record<string, Example>> = {\n' +
    `${rows.join('')}};\n`
  );
}

/** What `client.request` takes and answers for each operation. */
export function requestsFile(model: ApiModel): string {
  const bodies = model.operations.flatMap((operation) => operation.body?.schemaName ?? []);
  const answers = model.operations.flatMap((operation) =>
    operation.successes.map(({ schemaName }) => schemaName ?? []).flat(),
  );
  const queries = model.operations.filter(hasQuery);
  const rows = model.operations.map(
    (operation) =>
      `  ${operation.operationId}: { parts: [${partsOf(operation)}]; answer: ${bodyType(operation, model)} };\n`,
  );
  return (
    line(
      'import type',
      model.operations.some((operation) => isBinary(operation, model)) ? ['Download'] : [],
      '../../core/download.ts',
    ) +
    line(
      'import type',
      model.operations.some((operation) => fileMembers(operation).length > 0) ? ['Upload'] : [],
      '../../core/files.ts',
    ) +
    line('import type', ['RequestOptions'], '../../core/options.ts') +
    line(
      'import type',
      [...bodies, ...answers.filter((name) => model.schemas[name]?.format !== 'binary'), ...queries.map(dataType)],
      '../types.gen.ts',
    ) +
    line(
      'import type',
      model.operations.flatMap(({ parameters }) => parameters.header).map(headerOption),
      './header-options.ts',
    ) +
    '\n' +
    '/** Inputs and answer of each operation that `client.request` calls by its id. */\n' +
    'export interface Requests {\n' +
    `${rows.join('')}}\n`
  );
}

function partsOf(operation: OperationModel): string {
  const { parameters, body } = operation;
  const members = [
    ...(parameters.path.length === 0
      ? []
      : [`readonly path: { ${parameters.path.map(({ name }) => `readonly ${name}: string`).join('; ')} }`]),
    ...(hasQuery(operation)
      ? [
          `readonly query${parameters.query.some(({ required }) => required) ? '' : '?'}: ` +
            `${dataType(operation)}['query']`,
        ]
      : []),
    ...(body === null
      ? []
      : [`readonly body${body.required ? '' : '?'}: ${paramsParameter(operation)[0]?.type ?? ''}`]),
  ];
  const required =
    members.some((member) => !/^readonly \w+\?/.test(member)) || parameters.header.some((header) => header.required);
  const type = [...(members.length === 0 ? [] : [`{ ${members.join('; ')} }`]), optionsType(operation)].join(' & ');
  return `parts${required ? '' : '?'}: ${type}`;
}
