/** Who is about to take a row that each transaction of a kind needs, in this process; other processes are not known. */
const arriving = new Map<string, number>();

/** Tells of each key whether others are at it, and counts this one in until the answer's `leave` is called. */
export function arrive(keys: Iterable<string>): { readonly othersWait: boolean; readonly leave: () => void } {
  const mine = [...keys];
  let othersWait = false;
  for (const key of mine) {
    const others = arriving.get(key) ?? 0;
    othersWait ||= others > 0;
    arriving.set(key, others + 1);
  }
  return {
    othersWait,
    leave() {
      for (const key of mine) {
        const left = (arriving.get(key) ?? 0) - 1;
        if (left > 0) arriving.set(key, left);
        else arriving.delete(key);
      }
    },
  };
}
