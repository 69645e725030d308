import { UnresolvedReference } from '../generate/contract.ts';
import type { Contract } from '../generate/contract.ts';
import { inAnyState } from './partial.ts';
import type { Pointer, Rule } from './rule.ts';
import { rules } from './rules/index.ts';

/** What Redocly hands to a rule; only what is used here. */
interface Location { child(path: Pointer): Location }
interface Context { readonly location: Location; report(problem: { message: string; location: Location }): void }

/** House rules as a Redocly plugin: each runs once over the whole document and reports by JSON Pointer. */
export default function plugin() {
  return {
    id: 'house',
    rules: { oas3: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, () => visitor(rule)])) },
  };
}

function visitor(rule: Rule) {
  return {
    Root(root: Partial<Contract>, { location, report }: Context) {
      try {
        rule(inAnyState(root), (pointer, message) => { report({ message, location: location.child(pointer) }); });
      } catch (error) {
        // `no-unresolved-refs` reports the broken reference itself; this rule has nothing to add.
        if (!(error instanceof UnresolvedReference)) throw error;
      }
    },
  };
}
