import type { Instant } from './time.ts';

interface Step {
  readonly at: Instant;
  readonly take: () => void;
}

/** What will happen, by time; at the same instant in the order in which it was planned. */
export class Agenda {
  readonly #steps: Step[] = [];

  add(at: Instant, take: () => void): void {
    const index = this.#steps.findLastIndex((other) => other.at <= at);
    this.#steps.splice(index + 1, 0, { at, take });
  }

  get nextAt(): Instant | null {
    return this.#steps[0]?.at ?? null;
  }

  /** Takes every step up to and including `until`, those that are added on the way included. */
  runUntil(until: Instant, arrive: (at: Instant) => void): void {
    for (let step = this.#steps[0]; step !== undefined && step.at <= until; step = this.#steps[0]) {
      this.#steps.shift();
      arrive(step.at);
      step.take();
    }
  }
}
