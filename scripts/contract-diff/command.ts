/**
 * The command `make diff`: options, comparison, output, exit status. Called by scripts/diff.ts. The exit status decides
 * whether CI passes.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NoBase, baseContract } from './base-contract.ts';
import { comparisonOf, isAcceptable, whyUnversioned } from './change.ts';
import { compare } from './compare.ts';
import { formats } from './formats.ts';
import type { FormatName } from './formats.ts';
import { editsBetween, locator } from './locate.ts';
import { readContract } from '../contract/read.ts';

const HELP = `Compare openapi.yaml with an earlier contract: breaking, non-breaking or docs-only, and which version that
needs.

Usage: npx node scripts/diff.ts [base] [options]
  base              a file, or a commit, branch or tag that has openapi.yaml (default: the last tag v1.2.3)
  --revision FILE   compare this file instead of openapi.yaml
  --format FORMAT   text (default), json, markdown, or github (annotations of a CI run)
  --bump            print the lowest version that the contract may have, and nothing else
  --help            this text

Exit status: 0 the version fits the changes, or there is nothing to compare with,
             1 the version is too low, or something vanished against the policy of sunsets,
             2 wrong usage, the comparison failed, or a version is not of the form 1.2.3 (the changes are told all
             the same).`;

/** Destination of the output, one line at a time. */
interface Said {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

/** Runs `make diff` with these arguments and returns its exit status. */
export async function diffCommand(
  root: string,
  args: readonly string[],
  { out, error: complain }: Said,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    const { base, revision, format, bump, help } = optionsOf(args);
    if (help) {
      out(HELP);
      return 0;
    }
    const files = { base: baseContract(root, base, folder), revision: resolve(revision ?? join(root, 'openapi.yaml')) };
    const [before, after] = [readContract(files.base), readContract(files.revision)];
    const comparison = comparisonOf(await compare(root, files), before.info.version, after.info.version);
    if (bump && comparison.needed !== null) {
      out(comparison.needed);
      return 0;
    }
    if (!bump)
      out(
        formats[format](
          comparison,
          locator(readFileSync(files.revision, 'utf8'), editsBetween(files.base, files.revision)),
          relative(process.cwd(), files.revision),
        ),
      );
    if (comparison.needed === null) {
      complain(whyUnversioned(comparison));
      return 2;
    }
    return isAcceptable(comparison) ? 0 : 1;
  } catch (error) {
    if (error instanceof NoBase) {
      out(error.message);
      return 0;
    }
    complain(error instanceof Error ? error.message : String(error));
    return 2;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function optionsOf(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      revision: { type: 'string' },
      format: { type: 'string', default: 'text' },
      bump: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { format } = values;
  if (!isFormat(format)) throw new Error(`there is no format ${format}: ${Object.keys(formats).join(', ')}`);
  if (positionals.length > 1) throw new Error('there is one base; see --help');
  return { ...values, format, base: positionals[0] || undefined };
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
