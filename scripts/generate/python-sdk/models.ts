import { schemaName } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { camelName, pythonName, snakeCase } from '../naming.ts';
import { references, sharedImports } from './homes.ts';
import type { Homes } from './homes.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { docstring, header, str } from './text.ts';
import { memberType } from './types.ts';

/** Unused imports are removed afterwards by the formatter. */
const IMPORTS = `from datetime import date
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from compliance_onboarding._base import PERSONAL, Known, Model, OpenStrEnum
from compliance_onboarding._instant import AwareDatetime
from compliance_onboarding._union import UNKNOWN, UnknownVariant, Variant, variant_of
`;

/**
 * A module of models. It has no limits of the contract: the server enforces them, and a client that repeats them refuses answers
 * as soon as a later server widens one.
 */
export function modelsModule(home: string, doc: string, homes: Homes, schemas: NamedSchemas): string {
  const names = [...homes].filter(([, one]) => one === home).map(([name]) => name);
  const variants = variantsOf(schemas);
  const written = inOrderOfUse(names, schemas).map(({ name, isCyclic }) => {
    const schema = schemas.get(name) ?? {};
    if (schema.enum !== undefined) return enumeration(name, schema);
    return isUnion(schema) ? union(name, schema) : object(name, schema, variants.has(name), isCyclic);
  });
  return `${header()}"""${doc}"""\n\n${IMPORTS}${sharedImports('models', home, homes)}\n`
    + `__all__ = [${[...names].sort().map(str).join(', ')}]\n\n\n${written.join('\n\n')}`;
}

/** What is used stands before what uses it, so that annotations are names and not text to be evaluated; in a cycle one cannot. */
function inOrderOfUse(names: readonly string[], schemas: NamedSchemas): readonly { readonly name: string; readonly isCyclic: boolean }[] {
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

/** An enumeration that may grow; type checkers see text, so that a branch for what is unknown is never called unreachable. */
function enumeration(name: string, schema: Schema): string {
  const values = (schema.enum ?? []).filter((value) => value !== null).map((value) => `    ${memberName(value)}: Known = Known(${str(String(value))})\n`);
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
  const members = inline.flatMap((part) => Object.entries(part.properties ?? {}))
    .map(([member, property]) => field(member, property, required.has(member), isVariant, isCyclic));
  return `class ${name}(${bases.join(', ') || (isVariant ? 'Variant' : 'Model')}):\n`
    + `${docstring(schema.description ?? `\`${name}\`.`, '    ')}${members.length === 0 ? '' : `\n${members.join('')}`}`;
}

/** A single possible value is a limit, too, except where it tells a variant from the others. */
function field(wire: string, schema: Schema, isRequired: boolean, isVariant: boolean, isCyclic: boolean): string {
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
  const fallback = tag !== null ? ` = ${str(tag)}` : isRequired ? '' : ' = None';
  return `    ${name}: ${isCyclic ? str(annotation).replaceAll('\\"', "'") : annotation}${fallback}\n${schema.description === undefined ? '' : docstring(schema.description, '    ')}`;
}

/** Whether a schema is a union of objects; the dialect demands a tag of each. */
export function isUnion(schema: Schema): boolean {
  return schema.discriminator !== undefined && schema.oneOf !== undefined;
}

/** Names of the objects that are part of a union. */
function variantsOf(schemas: NamedSchemas): ReadonlySet<string> {
  return new Set([...schemas.values()].filter(isUnion).flatMap((schema) => Object.values(tagsOf(schema))));
}

/** A union has a last variant for all that is unknown: a later server may add one. */
function union(name: string, schema: Schema): string {
  const tag = schema.discriminator?.propertyName ?? '';
  const tags = Object.entries(tagsOf(schema));
  const members = [...tags.map(([value, variant]) => `Annotated[${variant}, Tag(${str(value)})]`), 'Annotated[UnknownVariant, Tag(UNKNOWN)]'];
  const known = `frozenset({${tags.map(([value]) => str(value)).join(', ')}})`;
  return `${name}: TypeAlias = Annotated[${members.join(' | ')}, Discriminator(variant_of(${str(tag)}, ${str(pythonName(tag))}, ${known}))]\n`
    + `${schema.description === undefined ? '' : docstring(schema.description, '')}`;
}

/** Value of the tag → name of the variant. */
function tagsOf({ discriminator }: Schema): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(discriminator?.mapping ?? {}).map(([value, $ref]) => [value, schemaName({ $ref }) ?? '']));
}
