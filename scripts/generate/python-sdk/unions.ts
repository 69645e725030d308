import { pythonName } from '../naming.ts';
import { schemaName } from '../schema.ts';
import type { Schema } from '../schema.ts';
import { str } from './text.ts';

/** Whether a schema is a union of objects; the dialect demands a tag of each. */
export function isUnion(schema: Schema): boolean {
  return schema.discriminator !== undefined && schema.oneOf !== undefined;
}

/**
 * The generator makes a closed class of a union: one more variant, and answers could no longer be read. This makes
 * it an alias with a last variant for all that is unknown, and lets the variants send their tag.
 */
export function withOpenUnions(source: string, schemas: ReadonlyMap<string, Schema>): string {
  const unions = [...schemas].filter(([, schema]) => isUnion(schema));
  if (unions.length === 0) return source;
  const variants = variantsOf(schemas);
  const opened = unions.reduce((text, [name, schema]) => replaced(text, new RegExp(`^class ${name}\\(RootModel\\[[\\s\\S]*?\\]\\):\\n(?: .*\\n|\\n(?= ))+`, 'm'), alias(name, schema)), source);
  const tagged = [...variants].reduce((text, name) => replaced(text, new RegExp(`^class ${name}\\(Model\\):`, 'm'), `class ${name}(Variant):`), opened);
  return tagged.replace('from pydantic import ', 'from typing import TypeAlias\n\nfrom compliance_onboarding._union import UNKNOWN, UnknownVariant, Variant, variant_of\nfrom pydantic import Discriminator, Tag, ');
}

/** Names of the objects that are part of a union. */
export function variantsOf(schemas: ReadonlyMap<string, Schema>): ReadonlySet<string> {
  return new Set([...schemas.values()].filter(isUnion).flatMap((schema) => Object.values(tagsOf(schema))));
}

function alias(name: string, schema: Schema): string {
  const tag = schema.discriminator?.propertyName ?? '';
  const tags = Object.entries(tagsOf(schema));
  const members = [...tags.map(([value, variant]) => `Annotated[${variant}, Tag(${str(value)})]`), 'Annotated[UnknownVariant, Tag(UNKNOWN)]'];
  const known = `frozenset({${tags.map(([value]) => str(value)).join(', ')}})`;
  const description = schema.description === undefined ? '' : `${JSON.stringify(schema.description)}\n`;
  return `${name}: TypeAlias = Annotated[${members.join(' | ')}, Discriminator(variant_of(${str(tag)}, ${str(pythonName(tag))}, ${known}))]\n${description}`;
}

/** Value of the tag → name of the variant. */
function tagsOf({ discriminator }: Schema): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(discriminator?.mapping ?? {}).map(([value, $ref]) => [value, schemaName({ $ref }) ?? '']));
}

function replaced(source: string, pattern: RegExp, text: string): string {
  if (!pattern.test(source)) throw new Error(`models.py has nothing of the form ${pattern}`);
  return source.replace(pattern, () => text);
}
