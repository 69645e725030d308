/**
 * A small change of the sources that breaks a promise, made on purpose to see which test finds it. Used by the lists
 * of faults and by main.ts, which checks that a test finds each.
 */
export interface Fault {
  /** Sentence that says what is broken; it is also the name of the fault. */
  readonly breaks: string;
  readonly file: string;
  /** Text that occurs exactly once in the file, and its replacement. */
  readonly before: string;
  readonly after: string;
  /** Whether files are generated again after the change: only for a fault of openapi.yaml. */
  readonly generate?: true;
}
