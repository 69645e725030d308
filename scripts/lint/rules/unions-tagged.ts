import { schemaName } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** A union of objects names its tag, maps every variant, and each variant requires the tag as a `const`. */
export const unionsTagged: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const variants = (schema.oneOf ?? []).map((member) => schemaName(member)).filter((name) => name !== null);
    if (variants.length < 2) continue;
    const tag = schema.discriminator?.propertyName;
    if (tag === undefined) { report(pointer, 'Give this union a `discriminator`.'); continue; }
    const mapped = new Set(Object.values(schema.discriminator?.mapping ?? {}));
    for (const name of variants) {
      if (!mapped.has(`#/components/schemas/${name}`)) report(pointer, `\`${name}\` is missing in \`discriminator.mapping\`.`);
      const variant = contract.components.schemas?.[name];
      if (variant?.properties?.[tag]?.const === undefined || variant.required?.includes(tag) !== true) {
        report(['components', 'schemas', name], `Require \`${tag}\` with a \`const\`, as the union demands.`);
      }
    }
  }
};
