/** `make diff BASE=…`: prints what changed in the contract, and which version the changes require. */
import { resolve } from 'node:path';
import { diffCommand } from './contract-diff/command.ts';

process.exitCode = await diffCommand(resolve(import.meta.dirname, '..'), process.argv.slice(2), {
  out: console.log,
  error: console.error,
});
