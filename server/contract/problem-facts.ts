/** What the documentation build knows of a problem code beside the catalogue; the pages of the codes read it from `docs/dist/problems.json`. */
export interface ProblemFacts {
  readonly example: object;
  /** What comes with this code beside what comes with every one. */
  readonly members: readonly { readonly name: string; readonly description: string }[];
  /** The operations that may answer it, in the order of the contract. Empty: it says nothing about an operation, so any address may answer it. */
  readonly operations: readonly string[];
  readonly classes: Readonly<Record<'typescript' | 'python', { readonly name: string; readonly base: string }>>;
}

export interface ProblemPages {
  readonly operations: Readonly<Record<string, { readonly summary: string; readonly method: string; readonly path: string }>>;
  readonly problems: Readonly<Record<string, ProblemFacts>>;
}
