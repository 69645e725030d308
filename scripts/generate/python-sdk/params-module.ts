import { pythonName } from '../naming.ts';
import type { Schema } from '../schema.ts';
import { argumentType, literalType } from './argument-type.ts';
import type { Naming } from './argument-type.ts';
import { isUnion } from './unions.ts';
import { docstring, header } from './text.ts';

/** `params.py`: what arguments may be, beside model instances. Dictionaries are checked by type checkers. */
export function paramsModule(names: ReadonlySet<string>, naming: Naming): string {
  const own = [...naming.named].filter(([name]) => names.has(name));
  const body = own.map(([name, schema]) => {
    if (isUnion(schema)) return union(name, schema, naming);
    return schema.enum === undefined ? dictionary(name, schema, naming) : alternative(name, schema.enum, naming);
  });
  return `${header()}"""Types of arguments: the values of an enumeration, and dictionaries in place of models."""\n\n`
    + 'from __future__ import annotations\n\nimport sys\n'
    + 'from collections.abc import Mapping, Sequence\nfrom datetime import date, datetime\nfrom typing import Literal, TypeAlias, TypedDict\nfrom uuid import UUID\n\n'
    + 'from compliance_onboarding._generated import models\n\n'
    + 'if sys.version_info >= (3, 11):\n    from typing import Required\nelse:\n    from typing_extensions import Required\n\n'
    + `__all__ = [${own.map(([name]) => `"${name}"`).sort().join(', ')}]\n\n`
    + body.join('\n\n');
}

function alternative(name: string, values: readonly unknown[], { models }: Naming): string {
  const literal = literalType(values);
  return `${name}: TypeAlias = ${models.has(name) ? `models.${name} | ` : ''}${literal}\n`;
}

/** Quoted: a variant may be declared further down. */
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
  return `class ${name}(${bases}, total=False):\n${docstring(schema.description ?? name, '    ')}${members.length === 0 ? '' : `\n${members.join('')}`}`;
}
