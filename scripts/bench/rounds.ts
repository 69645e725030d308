/** Runs every contender once per round, always in the same order: A B C, A B C, … */
export async function alternate<Name extends string, T>(
  rounds: number, contenders: Readonly<Record<Name, () => T | Promise<T>>>, onRound: (round: number) => void = () => {},
): Promise<Record<Name, T[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 1; round <= rounds; round++) {
    onRound(round);
    for (const name of names) results[name].push(await contenders[name]());
  }
  return results;
}
