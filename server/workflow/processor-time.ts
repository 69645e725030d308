/** The clock by which the engine limits its work: a busy machine takes nothing off it. */

/** Returns the processor time that all threads of this process have used, in milliseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1000);
}
