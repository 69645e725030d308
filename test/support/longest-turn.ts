/**
 * The longest time, in milliseconds of the processor, that one turn of the event loop takes while something is done in this process.
 * The processor's time and not the clock's: other programs on a busy machine do not count.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, done] = [0, used(), false];
  const turn = (): void => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  done = true;
  return longest;
}

function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
