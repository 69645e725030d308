import type { Rule } from '../rule.ts';
import { schemaName } from '../../generate/schema.ts';
import type { Schema } from '../../generate/schema.ts';

/** Members whose name alone says that they identify a person. */
const PERSONAL = /^(fullName|firstName|lastName|middleName|socialName|motherName|birthDate|dateOfBirth|email|phone|phoneNumber|taxId|documentNumber|passportNumber|street|postalCode)$/;

/** Logs redact what is marked `x-pii`, itself or within, so nothing personal may miss the mark. */
export const personalData: Rule = (contract, report) => {
  const schemas = contract.components.schemas ?? {};
  for (const [owner, schema] of Object.entries(schemas)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const marked = [member, ...(member.oneOf ?? [])].some((candidate) => isMarked(schemas[schemaName(candidate) ?? ''] ?? candidate));
      if (PERSONAL.test(name) && !marked && member['x-pii'] !== true) report(['components', 'schemas', owner, 'properties', name], `Mark \`${name}\` with \`x-pii: true\`.`);
    }
  }
};

function isMarked(schema: Schema): boolean {
  return schema['x-pii'] === true || Object.values(schema.properties ?? {}).some((member) => member['x-pii'] === true);
}
