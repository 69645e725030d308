/**
 * The published contract with the address of this installation in it, and the cache of files of the documentation
 * build. Used by router.ts, dashboard.ts and explorer-contract.ts. A file that was not built is null, not an error.
 */
import { readFile, stat } from 'node:fs/promises';

/**
 * Returns a file of the documentation build in derived form: computed once for all requests, even simultaneous ones,
 * and again after a new build. `null` if there is none: the service runs without its reader pages, and they say what is
 * missing.
 */
export function builtFile<T>(path: string, derive: (bytes: Buffer) => T): () => Promise<T | null> {
  let known: { readonly stamp: string; readonly value: Promise<T> } | null = null;
  return async () => {
    try {
      const { mtimeMs, size } = await stat(path);
      const stamp = `${mtimeMs}-${size}`;
      if (known?.stamp !== stamp) known = { stamp, value: readFile(path).then(derive) };
      return await known.value;
    } catch (error) {
      known = null;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
}

/** Addresses in the contract that depend on the origin of the service. */
const SERVERS = ['servers'] as const;
const TOKEN_URL = ['flows', 'clientCredentials', 'tokenUrl'] as const;

/** Placeholders of the two addresses, as JSON texts that occur nowhere else. */
const SERVER = '"@address-of-server@"';
const TOKEN = '"@address-of-token-endpoint@"';
const MARKS = new RegExp(`(${SERVER}|${TOKEN})`);

/** Renders a contract for one origin, so that tools that import it call this very installation. */
type ForOrigin = (origin: string) => Buffer;

export function jsonContract(bytes: Buffer): ForOrigin {
  return contractFor(JSON.parse(bytes.toString()) as ContractToServe);
}

export interface ContractToServe {
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, { readonly type?: string }>> };
}

/**
 * Prepares a contract once and assembles it for each origin, because it is large and any client may request it under
 * any host name.
 */
export function contractFor(contract: ContractToServe): ForOrigin {
  const parts = JSON.stringify(withAddresses(contract)).split(MARKS);
  return (origin) => {
    const addresses: Readonly<Record<string, string>> = { [SERVER]: origin || '/', [TOKEN]: tokenUrlAt(origin) };
    return Buffer.from(
      parts.map((part) => (Object.hasOwn(addresses, part) ? JSON.stringify(addresses[part]) : part)).join(''),
    );
  };
}

/** The list of servers is indented, and no other first-level member of the document is between its lines. */
const SERVERS_IN_YAML = /^servers:\n +(- .*\n(?: .*\n)*)/dm;
const TOKEN_URL_IN_YAML = /^ +tokenUrl: (\S+)/dm;

/**
 * Replaces only the two values in the YAML, which keeps its comments, order and line breaks. They are found in the
 * text, because parsing it would block the service for a second.
 */
export function yamlContract(bytes: Buffer): ForOrigin {
  const text = bytes.toString();
  const [servers, tokenUrl] = [rangeOf(text, SERVERS_IN_YAML), rangeOf(text, TOKEN_URL_IN_YAML)];
  return (origin) => {
    const list = `- url: ${JSON.stringify(origin || '/')}\n    description: This installation\n`;
    const address = JSON.stringify(tokenUrlAt(origin));
    return Buffer.from(
      `${text.slice(0, servers[0])}${list}${text.slice(servers[1], tokenUrl[0])}${address}${text.slice(tokenUrl[1])}`,
    );
  };
}

/** Replaces the addresses. The contract for readers names the security scheme differently from the contract itself. */
function withAddresses(contract: ContractToServe): object {
  const served = replaceAt(contract, SERVERS, [{ url: SERVER.slice(1, -1), description: 'This installation' }]);
  const scheme = Object.entries(contract.components?.securitySchemes ?? {}).find(
    ([, { type }]) => type === 'oauth2',
  )?.[0];
  return scheme === undefined
    ? served
    : replaceAt(served, ['components', 'securitySchemes', scheme, ...TOKEN_URL], TOKEN.slice(1, -1));
}

function tokenUrlAt(origin: string): string {
  return `${origin}/oauth/token`;
}

function replaceAt(node: object, [name, ...rest]: readonly string[], value: unknown): object {
  if (name === undefined) return node;
  const child = (node as Record<string, unknown>)[name];
  return { ...node, [name]: rest.length === 0 ? value : replaceAt((child ?? {}) as object, rest, value) };
}

/** Returns the position of the group. */
function rangeOf(text: string, pattern: RegExp): readonly [number, number] {
  const [, range] = pattern.exec(text)?.indices ?? [];
  if (range === undefined) throw new Error(`the contract has no text that matches ${pattern.source}`);
  return range;
}
