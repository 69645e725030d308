/**
 * Checks documents against the published schema of the directory (DICT). Used by the house test of the directory's
 * documents.
 */
import type { Document, DocumentValue } from '../../server/providers/directory/index.ts';
import {
  directorySchema,
  type DocumentName,
  type Element,
  type LeafType,
} from '../../server/simulators/directory/wire/schema.ts';

/** Form of the leaves of each type, as the patterns and formats of the published schema define it. */
const forms: Readonly<Record<LeafType, RegExp>> = {
  text: /^[^]{1,2000}$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  integer: /^\d+$/,
  amount: /^\d+\.\d{2}$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  duration: /^PT\d+H$/,
  boolean: /^(true|false)$/,
  ispb: /^[\da-zA-Z]{8}$/,
  transaction: /^\w{32}$/,
  email: /^[a-z\d.]+@[a-z\d.]+$/,
  phone: /^\+\d{2,15}$/,
  taxId: /^(\d{11}|\d{14})$/,
  branch: /^\d{1,4}$/,
  account: /^[a-zA-Z\d]{1,20}$/,
};

/**
 * Returns every difference of a document from the published schema: elements, types, enumerations, and required
 * elements.
 */
export function schemaProblems(name: DocumentName, document: Document): string[] {
  const schema = directorySchema[name];
  const unknown = Object.entries(document)
    .filter(([element, value]) => value !== undefined && !Object.hasOwn(schema, element))
    .map(([element]) => `${name}.${element} is unknown`);
  return [
    ...unknown,
    ...Object.entries(schema).flatMap(([element, described]) =>
      elementProblems(`${name}.${element}`, described, document[element], document),
    ),
  ];
}

function elementProblems(
  path: string,
  { presence, type }: Element,
  value: DocumentValue | undefined,
  document: Document,
): string[] {
  if (value === undefined) {
    const isMissing =
      typeof presence === 'object'
        ? document[presence.requiredIf[0]] === presence.requiredIf[1]
        : presence === 'required';
    return isMissing ? [`${path} is missing`] : [];
  }
  if (typeof type === 'string')
    return typeof value === 'string' && forms[type].test(value)
      ? []
      : [`${path} is no ${type}: ${JSON.stringify(value)}`];
  if ('document' in type)
    return typeof value === 'object' && !Array.isArray(value)
      ? schemaProblems(type.document, value as Document)
      : [`${path} has no elements`];
  if ('listOf' in type)
    return Array.isArray(value)
      ? value.flatMap((entry) => schemaProblems(type.listOf, entry as Document))
      : [`${path} is no list`];
  return typeof value === 'string' && type.includes(value)
    ? []
    : [`${path} has no such value: ${JSON.stringify(value)}`];
}
