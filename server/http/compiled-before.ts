let known: Map<string, unknown> | null = null;

/** For `make dev`, where one contract follows another in a process: what both have in common is compiled once. */
export function rememberCompiled(): void {
  known ??= new Map();
}

/** Compiles, or returns what came of the same input before; without memory, as in production, it always compiles. */
export function compiledBefore<T>(input: readonly unknown[], compile: () => T): T {
  if (known === null) return compile();
  // Before compiling, which changes the documents that it is given.
  const key = JSON.stringify(input);
  const before = known.get(key);
  if (before !== undefined) return before as T;
  const compiled = compile();
  known.set(key, compiled);
  return compiled;
}
