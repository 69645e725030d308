/**
 * The contract for readers, with samples and access in words. Used by the pipeline and `make dev`. Programs get the
 * contract as written instead.
 */
import { METHODS } from '../contract/contract.ts';
import type { Contract, Operation, PathItem, SecurityRequirement } from '../contract/contract.ts';
import { access, schemeTitle } from './access.ts';
import type { CodeSample } from './code-samples/sample.ts';

/**
 * Returns the contract for readers: samples on every operation, who may call it in words, titles of tags and of
 * security schemes, and no tag without operations. Only this copy has them; clients and tools get the contract as
 * written.
 */
export function docsContract(
  contract: Contract,
  samples: ReadonlyMap<string, readonly CodeSample[]>,
): Contract & { readonly externalDocs: object } {
  const used = new Set(
    Object.values(contract.paths).flatMap((item) => METHODS.flatMap((method) => item[method]?.tags ?? [])),
  );
  const { securitySchemes = {}, ...components } = contract.components;
  return {
    ...contract,
    // The page is served by the installation that it describes.
    servers: [{ url: '/', description: 'This installation' }],
    externalDocs: { url: '/openapi-3.0.json', description: 'OpenAPI 3.0 for generators of clients in other languages' },
    ...(contract.tags !== undefined && {
      tags: contract.tags
        .filter((tag) => used.has(tag.name))
        .map((tag) => ({ ...tag, 'x-displayName': tagTitle(tag.name) })),
    }),
    components: { ...components, securitySchemes: titled(securitySchemes) },
    paths: withOperations(contract.paths, (operation) => ({
      ...operation,
      description: `${operation.description.trimEnd()}\n\n${access(operation)}`,
      security: operation.security.map((requirement): SecurityRequirement => titled(requirement)),
      'x-codeSamples': samples.get(operation.operationId) ?? [],
    })),
  };
}

/** Titles of tags whose names are abbreviations. */
const TAGS: Readonly<Record<string, string>> = {
  oauth: 'OAuth 2.0',
  auth: 'Sign-in',
  admin: 'Platform',
  audit: 'Audit log',
};

function tagTitle(name: string): string {
  return TAGS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}

/** Renames schemes to their titles, because both pages show the declared name of a scheme. */
function titled<V>(schemes: Readonly<Record<string, V>>): Record<string, V> {
  return Object.fromEntries(Object.entries(schemes).map(([name, value]) => [schemeTitle(name), value]));
}

/** Placeholder for the origin from which the reference is served; server/pages/reader-pages.ts replaces it. */
const ORIGIN = 'https://address-of-this-installation.invalid';

/**
 * Returns the contract as the reference shows it: with the address of the server, and a link to the explorer at every
 * operation. The search of the reference drops line breaks without replacing them by spaces, so every paragraph becomes
 * one line.
 */
export function referenceContract(readers: Contract): Contract {
  const contract: Contract = {
    ...readers,
    servers: [{ url: ORIGIN, description: 'This installation' }],
    paths: withOperations(readers.paths, (operation, path, method) => ({
      ...operation,
      description:
        `${operation.description}\n\n` +
        `[Try it in the explorer](${ORIGIN}/explorer#tag/${operation.tags[0] ?? ''}/${method.toUpperCase()}${path})`,
    })),
  };
  return JSON.parse(JSON.stringify(contract), (name, value: unknown) =>
    name === 'description' && typeof value === 'string' ? value.replaceAll(WITHIN_PARAGRAPH, ' ') : value,
  ) as Contract;
}

/**
 * A line break between two words of Markdown, if the next line begins no list item, heading, quotation, table row or
 * code.
 */
const WITHIN_PARAGRAPH = /(?<=\S)\n *(?=\S)(?!(?:[*+-]|\d+[.)]|#+|>) |\||```)/g;

type Change = (
  operation: Operation,
  path: string,
  method: string,
) => Operation & { readonly 'x-codeSamples'?: readonly CodeSample[] };

function withOperations(paths: Contract['paths'], change: Change): Contract['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([key, value]) => {
          const operation = METHODS.includes(key as (typeof METHODS)[number])
            ? item[key as (typeof METHODS)[number]]
            : undefined;
          return [key, operation === undefined ? value : change(operation, path, key)];
        }),
      ) as PathItem,
    ]),
  );
}
