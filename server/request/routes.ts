/**
 * Finds the operation of a path, in a tree that is built once. Used by api.ts and by test tools. Fixed segments win
 * over parameters; two operations at one place throw at the start.
 */

/** Targets of a path, by method in upper case. */
export type Methods<T> = Map<string, T>;

export interface Match<T> {
  readonly methods: Methods<T>;
  /** The path segments of the parameters, in order and still percent-encoded. */
  readonly values: readonly string[];
}

interface Node<T> {
  readonly fixed: Map<string, Node<T>>;
  variable: Node<T> | null;
  methods: Methods<T> | null;
}

/**
 * A tree of path segments, built once. The cost of a look-up depends on the number of segments and not on the number of
 * operations. Fixed segments take precedence over parameters; case and trailing slashes are significant.
 */
export class Routes<T> {
  readonly #root: Node<T> = node();

  add(method: string, template: string, target: T): void {
    const methods = this.methodsAt(template);
    if (methods.has(method)) throw new Error(`two operations at ${method} ${template}`);
    methods.set(method, target);
  }

  /**
   * Returns the methods of a path. A path of the contract without operations is still a resource, which refuses every
   * method.
   */
  methodsAt(template: string): Methods<T> {
    let current = this.#root;
    for (const segment of template.slice(1).split('/')) {
      if (segment.startsWith('{')) current = current.variable ??= node();
      else {
        const next = current.fixed.get(segment) ?? node<T>();
        current.fixed.set(segment, next);
        current = next;
      }
    }
    return (current.methods ??= new Map());
  }

  find(path: string): Match<T> | null {
    const segments = path.slice(1).split('/');
    const values: string[] = [];
    const methods = this.#walk(this.#root, segments, 0, values);
    return methods === null ? null : { methods, values };
  }

  #walk(at: Node<T>, segments: readonly string[], depth: number, values: string[]): Methods<T> | null {
    const segment = segments[depth];
    if (segment === undefined) return at.methods;
    const fixed = at.fixed.get(segment);
    if (fixed !== undefined) {
      const found = this.#walk(fixed, segments, depth + 1, values);
      if (found !== null) return found;
    }
    if (at.variable === null || segment === '') return null;
    values.push(segment);
    const found = this.#walk(at.variable, segments, depth + 1, values);
    if (found === null) values.pop();
    return found;
  }
}

function node<T>(): Node<T> {
  return { fixed: new Map(), variable: null, methods: null };
}
