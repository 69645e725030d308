/**
 * Facts about a problem code that the documentation build adds to the catalogue; the pages of the codes read them from
 * `docs/dist/problems.json`. Types only, used by both.
 */
export interface ProblemFacts {
  readonly example: object;
  /** Members of this code in addition to the common ones. */
  readonly members: readonly { readonly name: string; readonly description: string }[];
  /**
   * Operations that may answer with the code, in the order of the contract. Empty if the code concerns no operation, so
   * that any address may answer with it.
   */
  readonly operations: readonly string[];
  readonly classes: Readonly<Record<'typescript' | 'python', { readonly name: string; readonly base: string }>>;
}

export interface ProblemPages {
  readonly operations: Readonly<
    Record<string, { readonly summary: string; readonly method: string; readonly path: string }>
  >;
  readonly problems: Readonly<Record<string, ProblemFacts>>;
}
