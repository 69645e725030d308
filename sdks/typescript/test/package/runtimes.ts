/**
 * The JavaScript runtimes of this machine. Used by package.test.ts and by the step that installs more. A runtime that
 * does not start is left out.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** A program that runs JavaScript. */
export interface Runtime {
  /** `Node 22.23.3` */
  readonly name: string;
  readonly command: string;
  /** What stands before the file. */
  readonly args: readonly string[];
}

/** Where the step "other runtimes" of `make test` puts what the registry has for this machine. */
const INSTALLED = resolve(import.meta.dirname, '../../../../build/runtimes/node_modules');
const machine = `${process.platform}-${process.arch}`;

const KNOWN: readonly Runtime[] = [
  { name: 'Node', command: process.execPath, args: [] },
  { name: 'Node', command: `${INSTALLED}/node20-${machine}/bin/node`, args: [] },
  { name: 'Node', command: `${INSTALLED}/node22-${machine}/bin/node`, args: [] },
  { name: 'Node', command: '/usr/bin/node', args: [] },
  { name: 'Bun', command: `${INSTALLED}/bun-${machine}/bin/bun`, args: ['run'] },
  {
    name: 'Deno',
    command: `${INSTALLED}/deno-${machine}/deno`,
    args: ['run', '--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual'],
  },
];

/** The runtimes that are there, each version once. */
export function runtimes(): readonly Runtime[] {
  const found = KNOWN.filter(({ command }) => existsSync(command)).map((runtime) => {
    const version = /\d+\.\d+\.\d+/.exec(execFileSync(runtime.command, ['--version'], { encoding: 'utf8' }))?.[0] ?? '';
    return { ...runtime, name: `${runtime.name} ${version}` };
  });
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}
