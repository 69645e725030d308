/**
 * Rules for names in one place, so that both SDKs, their guides and the code samples agree. Used by the model, the
 * generators, the formatter and the rules about names. A changed rule renames what SDKs have published.
 */

/** Turns `fundsRecovery.events` into ['fundsRecovery', 'events']. */
export function resourcePath(resource: string): readonly string[] {
  return resource.split('.');
}

/**
 * Returns the argument name of a parameter: `idempotencyKey` for `Idempotency-Key`, `totpCode` for `X-TOTP-Code` (RFC
 * 6648: the `X-` has no meaning).
 */
export function argumentName({ name, in: place }: { readonly name: string; readonly in: string }): string {
  if (place === 'query') return name;
  return camelCase(place === 'header' ? name.replace(/^x-/i, '') : name);
}

/** Splits `externalId` into ['external', 'Id'] and `Idempotency-Key` into ['Idempotency', 'Key']; OAuth is one word. */
function words(name: string): string[] {
  return name
    .replaceAll('OAuth', 'Oauth')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

export function camelCase(name: string): string {
  return words(name)
    .map((word, index) => (index === 0 ? word.toLowerCase() : capital(word)))
    .join('');
}

export function pascalCase(name: string): string {
  return words(name).map(capital).join('');
}

export function snakeCase(name: string): string {
  return words(name)
    .map((word) => word.toLowerCase())
    .join('_');
}

/**
 * Returns `TENANT_STATUS_ACTIVE` for the value `active` of `TenantStatus`, following Protocol Buffers, because in Go
 * and C++ the constants of all enumerations share one namespace. `DESCENDING` replaces the sign of a sort order.
 */
export function constantName(enumeration: string, value: unknown): string {
  return snakeCase(`${enumeration} ${String(value).replace(/^-/, 'descending ')}`).toUpperCase();
}

const PYTHON_KEYWORDS = new Set([
  'False',
  'None',
  'True',
  'and',
  'as',
  'assert',
  'async',
  'await',
  'break',
  'class',
  'continue',
  'def',
  'del',
  'elif',
  'else',
  'except',
  'finally',
  'for',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'lambda',
  'nonlocal',
  'not',
  'or',
  'pass',
  'raise',
  'return',
  'try',
  'while',
  'with',
  'yield',
]);

/** PEP 8: a keyword gets one trailing underscore (`from_`); soft keywords such as `type` do not. */
export function pythonName(name: string): string {
  const snake = snakeCase(name);
  return PYTHON_KEYWORDS.has(snake) ? `${snake}_` : snake;
}

/**
 * Returns the wire name that the Python package derives from a member's name; if the real one differs, the generator
 * states it.
 */
export function camelName(python: string): string {
  const [first = '', ...rest] = python.split('_');
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}
