/**
 * Makes a Redocly plugin of the lint rules of this project. Loaded by Redocly through scripts/lint/redocly.yaml. A rule
 * that throws on a broken document is not reported twice.
 */
import { inAnyState, UnresolvedReference } from '../contract/contract.ts';
import type { Contract } from '../contract/contract.ts';
import type { Pointer } from '../contract/walk.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules/index.ts';

/** Arguments that Redocly passes to a rule; only the members used here. */
interface Location {
  child(path: Pointer): Location;
}
interface Context {
  readonly location: Location;
  report(problem: { message: string; location: Location }): void;
}

/**
 * Redocly plugin with the lint rules of this project: each runs once over the whole document and reports by JSON
 * Pointer.
 */
export default function plugin() {
  return {
    id: 'house',
    configs: { all: { rules: Object.fromEntries(Object.keys(rules).map((name) => [`house/${name}`, 'error'])) } },
    rules: { oas3: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, () => visitor(name, rule)])) },
  };
}

/**
 * Documents without the structure that OpenAPI demands, which `struct` reports. Only the first rule that fails on such
 * a document reports this.
 */
const unreadable = new WeakSet<object>();

function visitor(name: string, rule: Rule) {
  return {
    Root(root: Partial<Contract>, { location, report }: Context) {
      const wrong = name === VALUES ? [] : valuesOfAnotherForm(root);
      const isAbout = (pointer: Pointer) =>
        wrong.some((place) => place.every((step, index) => step === pointer[index]));
      try {
        rule(inAnyState(root), (pointer, message) => {
          if (!isAbout(pointer)) report({ message, location: location.child(pointer) });
        });
      } catch (error) {
        // Reports nothing if another rule already does: `no-unresolved-refs` reports a broken reference, and the rule
        // about values reports a wrong form.
        if (error instanceof UnresolvedReference || wrong.length > 0 || unreadable.has(root)) return;
        unreadable.add(root);
        report({
          message:
            `The rules of the house cannot read this: ${(error as Error).message}. Mend what ` +
            '`struct` reports first.',
          location,
        });
      }
    },
  };
}

const VALUES = 'extension-values';
const known = new WeakMap<object, readonly Pointer[]>();

/** Returns where members of the dialect have a value of a wrong form, because one message about each is enough. */
function valuesOfAnotherForm(root: Partial<Contract>): readonly Pointer[] {
  const found = known.get(root) ?? placesOf(root);
  known.set(root, found);
  return found;
}

function placesOf(root: Partial<Contract>): Pointer[] {
  const places: Pointer[] = [];
  try {
    rules[VALUES]?.(inAnyState(root), (pointer) => places.push(pointer));
  } catch {
    // The rule itself reports that it cannot read the document.
  }
  return places;
}
