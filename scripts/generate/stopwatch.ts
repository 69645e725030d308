export interface Lap { readonly step: string; readonly milliseconds: number }

/** Times named steps; steps that run side by side overlap. */
export class Stopwatch {
  readonly laps: Lap[] = [];

  async time<T>(step: string, work: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.laps.push({ step, milliseconds: Math.round(performance.now() - start) });
    }
  }
}
