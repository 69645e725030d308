/** Writes the models of the Python SDK. Used by index.ts. Limits are left out, so that later servers can relax them. */
import { schemaName } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { camelName, pythonName, snakeCase } from '../naming.ts';
import { references, sharedImports } from './homes.ts';
import type { Homes } from './homes.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { docstring, header, str, withoutHidden } from './text.ts';
import { memberType } from './types.ts';

/** The formatter removes unused imports afterwards. */
const IMPORTS = `from datetime import date
import builtins
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from compliance_onboarding._base import PERSONAL, Known, Model, OpenStrEnum
from compliance_onboarding._instant import AwareDatetime
from compliance_onboarding._union import UNKNOWN, UnknownVariant, Variant, variant_of
`;

/**
 * Returns a module of models. It does not contain the limits of the contract: the server enforces them, and a client
 * that enforced them too would refuse responses once a later server relaxes one.
 */
export function modelsModule(home: string, doc: string, homes: Homes, schemas: NamedSchemas): string {
  const names = [...homes].filter(([, one]) => one === home).map(([name]) => name);
  const variants = variantsOf(schemas);
  const written = inOrderOfUse(names, schemas).map(({ name, isCyclic }) => {
    const schema = schemas.get(name) ?? {};
    if (schema.enum !== undefined) return enumeration(name, schema);
    return isUnion(schema) ? union(name, schema) : object(name, schema, variants.has(name), isCyclic);
  });
  return (
    `${header()}"""${doc}"""\n\n${IMPORTS}${sharedImports('models', home, homes)}\n` +
    `__all__ = [${[...names].sort().map(str).join(', ')}]\n\n\n${written.join('\n\n')}`
  );
}

/**
 * Orders schemas before those that use them, so that annotations are names and not text to be evaluated; a cycle cannot
 * be ordered.
 */
function inOrderOfUse(
  names: readonly string[],
  schemas: NamedSchemas,
): readonly { readonly name: string; readonly isCyclic: boolean }[] {
  const own = new Set(names);
  const written: { name: string; isCyclic: boolean }[] = [];
  const seen = new Map<string, 'begun' | 'done'>();
  const visit = (name: string): void => {
    if (!own.has(name) || seen.has(name)) return;
    seen.set(name, 'begun');
    const used = references(schemas.get(name) ?? {});
    used.forEach(visit);
    const isCyclic = used.some((other) => own.has(other) && seen.get(other) !== 'done');
    seen.set(name, 'done');
    written.push({ name, isCyclic });
  };
  names.forEach(visit);
  return written;
}

/**
 * Returns an open enumeration; type checkers see `str`, so that they do not report a branch for unknown values as
 * unreachable.
 */
function enumeration(name: string, schema: Schema): string {
  const values = (schema.enum ?? [])
    .filter((value) => value !== null)
    .map((value) => `    ${memberName(value)}: Known = Known(${str(String(value))})\n`);
  return `class ${name}(OpenStrEnum):\n${docstring(schema.description ?? `\`${name}\`.`, '    ')}\n${values.join('')}`;
}

function memberName(value: unknown): string {
  const name = snakeCase(String(value).replace(/^-/, 'descending ')).toUpperCase();
  return /^[A-Z]/.test(name) ? name : `VALUE_${name}`;
}

function object(name: string, schema: Schema, isVariant: boolean, isCyclic: boolean): string {
  const parts = schema.allOf ?? [];
  const bases = parts.flatMap((part) => schemaName(part) ?? []);
  const inline = [...parts.filter((part) => part.$ref === undefined), schema];
  const required = new Set(inline.flatMap((part) => part.required ?? []));
  const members = inline
    .flatMap((part) => Object.entries(part.properties ?? {}))
    .map(([member, property]) => field(member, property, { isRequired: required.has(member), isVariant, isCyclic }));
  const body = members.length === 0 ? '' : `\n${withoutHidden(members.join(''))}`;
  return (
    `class ${name}(${bases.join(', ') || (isVariant ? 'Variant' : 'Model')}):\n` +
    `${docstring(schema.description ?? `\`${name}\`.`, '    ')}${body}`
  );
}

interface FieldOf {
  readonly isRequired: boolean;
  /** Whether the object is part of a union. */
  readonly isVariant: boolean;
  /** Whether the object refers to itself, directly or through others. */
  readonly isCyclic: boolean;
}

/** Returns a field. A single possible value is also a limit and is omitted, except where it distinguishes a variant. */
function field(wire: string, schema: Schema, { isRequired, isVariant, isCyclic }: FieldOf): string {
  const name = pythonName(wire);
  const tag = isVariant && typeof schema.const === 'string' ? schema.const : null;
  const { const: _, ...open } = schema;
  const plain = tag === null ? memberType(open) : memberType({ const: tag });
  const type = isRequired || /\bNone$|^Any$/.test(plain) ? plain : `${plain} | None`;
  const facts = [
    ...(camelName(name) === wire ? [] : [`Field(alias=${str(wire)})`]),
    ...(schema['x-pii'] === true ? ['PERSONAL'] : []),
  ];
  const annotation = facts.length === 0 ? type : `Annotated[${[type, ...facts].join(', ')}]`;
  const none = isRequired ? '' : ' = None';
  const fallback = tag !== null ? ` = ${str(tag)}` : none;
  const written = isCyclic ? str(annotation).replaceAll('\\"', "'") : annotation;
  const description = schema.description === undefined ? '' : docstring(schema.description, '    ');
  return `    ${name}: ${written}${fallback}\n${description}`;
}

/** Returns whether a schema is a union of objects; the dialect requires a tag in each. */
export function isUnion(schema: Schema): boolean {
  return schema.discriminator !== undefined && schema.oneOf !== undefined;
}

/** Returns the names of the objects that are part of a union. */
function variantsOf(schemas: NamedSchemas): ReadonlySet<string> {
  return new Set([...schemas.values()].filter(isUnion).flatMap((schema) => Object.values(tagsOf(schema))));
}

/** Returns a union with a last variant for unknown tags, because a later server may add variants. */
function union(name: string, schema: Schema): string {
  const tag = schema.discriminator?.propertyName ?? '';
  const tags = Object.entries(tagsOf(schema));
  const members = [
    ...tags.map(([value, variant]) => `Annotated[${variant}, Tag(${str(value)})]`),
    'Annotated[UnknownVariant, Tag(UNKNOWN)]',
  ];
  const known = `frozenset({${tags.map(([value]) => str(value)).join(', ')}})`;
  return (
    `${name}: TypeAlias = Annotated[${members.join(' | ')}, Discriminator(variant_of(${str(tag)}, ` +
    `${str(pythonName(tag))}, ${known}))]\n` +
    `${schema.description === undefined ? '' : docstring(schema.description, '')}`
  );
}

/** Returns the variant for each value of the tag. */
function tagsOf({ discriminator }: Schema): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(discriminator?.mapping ?? {}).map(([value, $ref]) => [value, schemaName({ $ref }) ?? '']),
  );
}
