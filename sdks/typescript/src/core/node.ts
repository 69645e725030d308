/**
 * The file system of Node, Deno and Bun, found without an import. Used by downloads and files. Throws where there is
 * none, such as in browsers.
 */
import { ComplianceOnboardingError } from './errors.ts';

/** Functions of `node:fs/promises` that this package uses. */
interface FileSystem {
  readonly readFile: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
  readonly open: (
    path: string,
    flags: string,
  ) => Promise<{ readonly writeFile: (data: Uint8Array) => Promise<void>; readonly close: () => Promise<void> }>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly rm: (path: string, options: { readonly force: boolean }) => Promise<void>;
}

interface Process {
  readonly getBuiltinModule?: (id: string) => object | undefined;
}

/** Returns the file system without an import, which bundlers for browsers could not resolve. */
export function fileSystem(): FileSystem {
  const found = (globalThis as { process?: Process }).process?.getBuiltinModule?.('node:fs/promises');
  if (found === undefined) throw new ComplianceOnboardingError('Paths need Node 20.16 or later, Deno or Bun');
  return found as FileSystem;
}
