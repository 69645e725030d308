import { inAnyState, UnresolvedReference } from '../contract/contract.ts';
import type { Contract } from '../contract/contract.ts';
import type { Rule } from './rule.ts';
import type { Pointer } from '../contract/walk.ts';
import { rules } from './rules/index.ts';

/** What Redocly hands to a rule; only what is used here. */
interface Location { child(path: Pointer): Location }
interface Context { readonly location: Location; report(problem: { message: string; location: Location }): void }

/** House rules as a Redocly plugin: each runs once over the whole document and reports by JSON Pointer. */
export default function plugin() {
  return {
    id: 'house',
    configs: { all: { rules: Object.fromEntries(Object.keys(rules).map((name) => [`house/${name}`, 'error'])) } },
    rules: { oas3: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, () => visitor(rule)])) },
  };
}

/** Documents without the structure that OpenAPI demands, which `struct` reports; one rule that stumbles over it stands for all. */
const unreadable = new WeakSet<object>();

function visitor(rule: Rule) {
  return {
    Root(root: Partial<Contract>, { location, report }: Context) {
      try {
        rule(inAnyState(root), (pointer, message) => { report({ message, location: location.child(pointer) }); });
      } catch (error) {
        // `no-unresolved-refs` reports the broken reference itself; this rule has nothing to add.
        if (error instanceof UnresolvedReference || unreadable.has(root)) return;
        unreadable.add(root);
        report({ message: `The rules of the house cannot read this: ${(error as Error).message}. Mend what \`struct\` reports first.`, location });
      }
    },
  };
}
