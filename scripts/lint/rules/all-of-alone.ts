import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

const SIBLINGS = new Set(['allOf', 'title', 'description', 'unevaluatedProperties', 'example', 'examples', 'deprecated']);

/** `allOf` beside `properties` or `required` is read differently by the validator and by the generators. */
export const allOfAlone: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if (schema.allOf === undefined) continue;
    const others = Object.keys(schema).filter((keyword) => !SIBLINGS.has(keyword) && !keyword.startsWith('x-'));
    if (others.length > 0) report(pointer, `Move ${others.map((keyword) => `\`${keyword}\``).join(', ')} into a member of \`allOf\`.`);
    for (const [index, member] of schema.allOf.entries()) {
      if (member.additionalProperties === false) report([...pointer, 'allOf', index], 'A closed member refuses what its neighbours declare; close the whole with `unevaluatedProperties: false`.');
    }
  }
};
