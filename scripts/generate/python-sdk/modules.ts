/**
 * Writes the modules of argument types, errors and loggable members of the Python SDK. Used by index.ts. A member is
 * loggable only if it is harmless wherever it occurs.
 */
import { schemaName, schemaTypes } from '../../contract/contract.ts';
import type { Contract, Schema } from '../../contract/contract.ts';
import type { ApiModel, MemberModel, OperationModel } from '../model.ts';
import { pythonName } from '../naming.ts';
import { sharedImports } from './homes.ts';
import type { Homes } from './homes.ts';
import { isDownload } from './methods.ts';
import { isUnion } from './models.ts';
import { writtenOut } from './named-schemas.ts';
import { docstring, header, operationConstant, problemClass, str, withoutHidden } from './text.ts';
import { argumentType, literalType, memberType } from './types.ts';
import type { Naming } from './types.ts';

/** Returns a module of argument types, beside model instances. Type checkers check the dictionaries. */
export function paramsModule(home: string, doc: string, homes: Homes, naming: Naming): string {
  const own = [...naming.named].filter(([name]) => homes.get(name) === home);
  const body = own.map(([name, schema]) => {
    if (isUnion(schema)) return union(name, schema, naming);
    return schema.enum === undefined ? dictionary(name, schema, naming) : alternative(name, schema.enum, naming);
  });
  return (
    `${header()}"""${doc}"""\n\n` +
    'from __future__ import annotations\n\nimport sys\n' +
    'from collections.abc import Mapping, Sequence\n' +
    'from datetime import date, datetime\n' +
    'import builtins\n' +
    'from typing import Literal, TypeAlias, TypedDict\n' +
    'from uuid import UUID\n' +
    '\n' +
    'from compliance_onboarding._files import FileInput\n' +
    'from compliance_onboarding._generated import models\n' +
    `${sharedImports('params', home, homes)}\n` +
    'if sys.version_info >= (3, 11):\n' +
    '    from typing import Required\n' +
    'else:\n' +
    '    from typing_extensions import Required\n' +
    '\n' +
    `__all__ = [${own
      .map(([name]) => `"${name}"`)
      .sort()
      .join(', ')}]\n\n` +
    body.join('\n\n')
  );
}

function alternative(name: string, values: readonly unknown[], { models }: Naming): string {
  const literal = literalType(values);
  return `${name}: TypeAlias = ${models.has(name) ? `models.${name} | ` : ''}${literal}\n`;
}

/** Quotes names, because a variant may be declared later in the module. */
function union(name: string, schema: Schema, naming: Naming): string {
  const variants = (schema.oneOf ?? []).map((variant) => argumentType(variant, naming).split(' | ').at(-1) ?? 'object');
  return `${name}: TypeAlias = "${variants.join(' | ')}"\n`;
}

function dictionary(name: string, schema: Schema, naming: Naming): string {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {}).map(([member, property]) => {
    const type = argumentType(property, naming);
    const wrapped = required.has(member) ? `Required[${type}]` : type;
    const description = property.description === undefined ? '' : docstring(property.description, '    ');
    return `    ${pythonName(member)}: ${wrapped}\n${description}`;
  });
  const parents = (schema.allOf ?? []).map((part) => argumentType(part, naming).split(' | ').at(-1) ?? 'TypedDict');
  const bases = parents.length === 0 ? 'TypedDict' : parents.join(', ');
  const body = members.length === 0 ? '' : `\n${withoutHidden(members.join(''))}`;
  return `class ${name}(${bases}, total=False):\n${docstring(schema.description ?? name, '    ')}${body}`;
}

/**
 * Returns `errors.py`: one class per problem code, with its additional members. A code with the name of its status
 * needs no class of its own.
 */
export function problemsModule(model: ApiModel): string {
  const bases = new Set<string>();
  const classes: string[] = [];
  const entries: string[] = [];
  for (const problem of model.problems) {
    const { code, status, title, description, members } = problem;
    const { name, base } = problemClass(problem);
    bases.add(base);
    entries.push(`    ${str(code)}: ${name},\n`);
    if (name !== base) {
      classes.push(
        `class ${name}(${base}):\n${docstring(`${status} \`${code}\`: ${title}.\n\n${description}`, '    ')}\n    ` +
          `problem_code: ClassVar[str | None] = ${str(code)}\n` +
          members.map((member) => problemMember(member, model)).join(''),
      );
    }
  }
  const own = model.problems.map((problem) => problemClass(problem).name).filter((name) => !bases.has(name));
  return (
    `${header()}"""One error class per problem code of the contract."""\n\n` +
    'from __future__ import annotations\n\n' +
    'from collections.abc import Mapping\n' +
    'from datetime import date\n' +
    'from typing import Any, ClassVar, Final\n' +
    '\n' +
    `from compliance_onboarding._errors import APIStatusError\nfrom compliance_onboarding._generated import models\n` +
    `from compliance_onboarding._status_errors import ${[...bases]
      .filter((name) => name !== 'APIStatusError')
      .sort()
      .join(', ')}\n\n` +
    `__all__ = [${[...own, 'PROBLEM_ERRORS'].sort().map(str).join(', ')}]\n\n` +
    `${classes.join('\n\n')}\n\nPROBLEM_ERRORS: Final[Mapping[str, type[APIStatusError]]] = {\n${entries.join('')}}\n`
  );
}

/**
 * Returns a member of a problem; its value is None if it is missing, because an older server or a proxy may have
 * responded.
 */
function problemMember({ name, python, schema, description }: MemberModel, model: ApiModel): string {
  const type = memberType(writtenOut(schema, model.schemas), 'models.').replace(/ \| None$/, '');
  return (
    '\n' +
    '    @property\n' +
    `    def ${python}(self) -> ${type} | None:\n` +
    `${docstring(description, '        ')}        return self._member(${str(name)}, ${type})\n`
  );
}

type Schemas = ApiModel['schemas'];

/**
 * Returns `shown.py`: the members whose values may be logged. A name is included only if it is harmless wherever the
 * contract uses it: an enumeration, a flag, or an object or list with declared members; never personal data.
 */
export function shownModule({ schemas }: ApiModel): string {
  const verdicts = new Map<string, boolean>();
  for (const schema of Object.values(schemas)) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      verdicts.set(name, (verdicts.get(name) ?? true) && harmless(property, schemas));
    }
  }
  const names = [...verdicts]
    .filter(([, verdict]) => verdict)
    .map(([name]) => name)
    .sort();
  return (
    `${header()}"""Members whose values may be logged."""\n\n` +
    'from typing import Final\n\n' +
    `SHOWN: Final = frozenset({${names.map(str).join(', ')}})\n`
  );
}

/** `within` holds the enclosing schemas, so that recursion ends: a schema is harmless if the rest of it is. */
function harmless(schema: Schema, schemas: Schemas, within: readonly string[] = []): boolean {
  if (schema['x-pii'] === true) return false;
  const name = schemaName(schema);
  if (name !== null) return within.includes(name) || harmless(schemas[name] ?? {}, schemas, [...within, name]);
  const below = (child: Schema) => harmless(child, schemas, within);
  const variants = schema.oneOf ?? schema.allOf;
  if (variants !== undefined) return variants.every((variant) => variant.type === 'null' || below(variant));
  const types = schemaTypes(schema).filter((type) => type !== 'null');
  if (schema.enum !== undefined || schema.const !== undefined) return true;
  if (types.length > 1) return false;
  if (schema.properties !== undefined) return true;
  return schema.items === undefined ? types[0] === 'boolean' : below(schema.items);
}

/** Returns `operations.py`: one constant per operation. */
export function operationsModule(model: ApiModel): string {
  const constants = model.operations.map((operation) => {
    const facts = [
      `name=${str(operation.operationId)}`,
      `method=${str(operation.method.toUpperCase())}`,
      `path=${str(operation.path)}`,
      ...security(operation),
      // A file may have a format that a later contract adds.
      ...(isDownload(operation, model) ? ['accept="*/*"'] : []),
      ...(operation.idempotent ? ['keyed=True'] : []),
    ];
    return `${operationConstant(operation)} = Operation(${facts.join(', ')})\n`;
  });
  return (
    `${header()}"""The operations of the contract."""\n\n` +
    'from compliance_onboarding._operation import Operation\n\n' +
    `${constants.join('')}`
  );
}

function security({ security }: OperationModel): string[] {
  const schemes = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))];
  return schemes.length === 0 ? [] : [`security=(${schemes.map((scheme) => `${str(scheme)},`).join(' ')})`];
}

/** Returns `contract.py`: facts of the contract that the runtime needs. */
export function contractModule(contract: Contract): string {
  const server = contract.servers?.[0];
  const address = (server?.url ?? '').replace(
    /\{([^}]+)\}/g,
    (_, name: string) => server?.variables?.[name]?.default ?? '',
  );
  const token = contract.components.securitySchemes?.['oauth2']?.flows?.['clientCredentials']?.tokenUrl;
  if (token === undefined) throw new Error('the contract has no OAuth 2.0 client-credentials flow');
  return (
    `${header()}"""Facts of the contract."""\n\n` +
    'from typing import Final\n\n' +
    `API_VERSION: Final = ${str(contract.info.version)}\n` +
    `DEFAULT_BASE_URL: Final = ${str(address)}\n` +
    `TOKEN_PATH: Final = ${str(token)}\n`
  );
}

/**
 * Returns `examples.py`: the example response of each operation, for tests of programs; a list ends with its first
 * page.
 */
export function examplesModule({ operations }: ApiModel): string {
  const entries = operations.map(({ operationId, successes: [success], pagination }) => {
    const example = pagination === null ? success?.example : { ...(success?.example as object), hasMore: false };
    const text = example === undefined ? 'The bytes of a file.' : JSON.stringify(example);
    const facts = [
      String(success?.status ?? 204),
      success?.mediaType == null ? 'None' : str(success.mediaType),
      success?.mediaType == null ? '""' : str(text),
    ];
    return `    ${str(operationId)}: (${facts.join(', ')}),\n`;
  });
  return (
    `${header()}"""The answers that the contract shows, for tests of programs."""\n\n` +
    'from collections.abc import Mapping\n' +
    'from typing import Final\n\n' +
    '#: Operation: status, media type and body.\n' +
    'EXAMPLES: Final[Mapping[str, tuple[int, str | None, str]]] = {\n' +
    `${entries.join('')}}\n`
  );
}
