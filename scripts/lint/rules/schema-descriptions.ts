import type { Rule } from '../rule.ts';

/** Named schemas and their members are explained; a reference is explained where it points. */
export const schemaDescriptions: Rule = (contract, report) => {
  for (const [name, schema] of Object.entries(contract.components.schemas ?? {})) {
    const pointer = ['components', 'schemas', name];
    if ((schema.description ?? '') === '') report(pointer, `Describe \`${name}\`.`);
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      const explained = property.$ref !== undefined || property.oneOf !== undefined || (property.description ?? '') !== '';
      if (!explained) report([...pointer, 'properties', member], `Describe \`${member}\`.`);
    }
  }
};
