/**
 * Expands the short forms that a designer may write. Used by the completion of operations. A short form that cannot be
 * resolved is an error with its place.
 */
import { isMap, isScalar, isSeq } from 'yaml';
import type { Document, YAMLMap } from 'yaml';
import { pageOf, words } from './components.ts';
import type { Facts } from './implied.ts';
import { FormatError, at, keyOf, membersOf, oneOf, put, reference, textAt } from './nodes.ts';
import { problemResponse } from './problems.ts';

/**
 * Short forms that a designer may write and that `make format` expands: `security: read`, `requestBody: NoteCreate`,
 * `'200': Note` and `'409': [note_closed]`. None of them remains in the file, which is plain OpenAPI.
 */

/** Expands `read` into every credential that has the scope, as most operations have it. */
export function spellOutSecurity(document: Document, operation: YAMLMap): void {
  const scope = textAt(operation, 'security');
  if (scope === undefined) return;
  const scopes = membersOf(
    at(document.contents, 'components', 'securitySchemes', 'oauth2', 'flows', 'clientCredentials', 'scopes'),
  ).map(keyOf);
  if (!scopes.includes(scope))
    throw new FormatError(
      at(operation, 'security'),
      `there is no scope \`${scope}\`${oneOf(scope, scopes, `they are ${scopes.join(', ')}`)}`,
    );
  put(
    document,
    operation,
    'security',
    ['bearerAuth', 'apiKey', 'oauth2'].map((scheme) => ({ [scheme]: [scope] })),
  );
}

/** Expands `NoteCreate` into a JSON body of that schema, with the example of that name. */
export function spellOutBody(document: Document, operation: YAMLMap): void {
  const schema = textAt(operation, 'requestBody');
  if (schema === undefined) return;
  known(document, schema, at(operation, 'requestBody'));
  const description =
    textAt(document.contents, 'components', 'schemas', schema, 'description') ?? `The ${words(schema)}.`;
  put(document, operation, 'requestBody', {
    required: true,
    description,
    content: { 'application/json': mediaOf(document, schema) },
  });
}

interface Answer {
  readonly responses: YAMLMap;
  readonly status: string;
  readonly value: unknown;
  readonly facts: Facts;
}

/**
 * Expands `Note` into a response of that schema, or a page of it if the operation states `x-pagination`; a list names
 * problem codes.
 */
export function spellOutResponse(document: Document, { responses, status, value, facts }: Answer): void {
  if (isSeq(value)) {
    put(document, responses, status, problemResponse(document, value, status, facts));
    return;
  }
  if (!isScalar(value) || typeof value.value !== 'string') return;
  const schema = value.value;
  known(document, schema, value);
  const isPage = facts.isList && status === '200';
  put(document, responses, status, {
    description: isPage ? 'One page.' : `The ${words(schema)}.`,
    content: { 'application/json': isPage ? pageMedia(document, schema) : mediaOf(document, schema) },
  });
}

function known(document: Document, schema: string, node: unknown): void {
  const schemas = membersOf(at(document.contents, 'components', 'schemas')).map(keyOf);
  if (!schemas.includes(schema))
    throw new FormatError(
      node,
      `there is no schema \`${schema}\`${oneOf(schema, schemas, 'write it under `components/schemas`')}`,
    );
}

/** Returns a media type with the example of its schema; without an example, the linter demands one. */
function mediaOf(document: Document, schema: string) {
  const hasExample = isMap(at(document.contents, 'components', 'examples', schema));
  return {
    schema: reference('schemas', schema),
    ...(hasExample && { examples: { [exampleKey(schema)]: reference('examples', schema) } }),
  };
}

/** Returns a page with the example of its item as its example. */
function pageMedia(document: Document, schema: string) {
  const example = at(document.contents, 'components', 'examples', schema, 'value');
  const items = isMap(example) ? [example.toJS(document) as unknown] : [];
  const value = { items, cursor: null, hasMore: false };
  return { schema: reference('schemas', pageOf(schema)), examples: { onePage: { summary: 'One page', value } } };
}

function exampleKey(schema: string): string {
  return schema.charAt(0).toLowerCase() + schema.slice(1);
}
