import type { Rule } from '../rule.ts';
import { schemaName } from '../../generate/schema.ts';

/** Members whose name alone says that they identify a person. */
const PERSONAL = /^(fullName|firstName|lastName|middleName|socialName|motherName|birthDate|email|phone|phoneNumber|taxId|documentNumber|passportNumber|street|postalCode|nationality)$/;

/** Logs redact what is marked `x-pii`, so nothing personal may miss the mark. */
export const personalData: Rule = (contract, report) => {
  const schemas = contract.components.schemas ?? {};
  for (const [owner, schema] of Object.entries(schemas)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const candidates = [member, ...(member.oneOf ?? [])];
      const marked = candidates.some((candidate) => candidate['x-pii'] === true || schemas[schemaName(candidate) ?? '']?.['x-pii'] === true);
      if (PERSONAL.test(name) && !marked) report(['components', 'schemas', owner, 'properties', name], `Mark \`${name}\` with \`x-pii: true\`.`);
    }
  }
};
