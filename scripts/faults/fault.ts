/** A small change of the sources that breaks a promise, put in on purpose to see which test finds it. */
export interface Fault {
  /** What is broken, in a sentence; it also names the fault. */
  readonly breaks: string;
  readonly file: string;
  /** A text that stands in the file exactly once, and what stands there instead. */
  readonly before: string;
  readonly after: string;
  /** Generated files follow the change: only for a fault of openapi.yaml. */
  readonly generate?: true;
}
