/** `make generate`: generates everything that follows from openapi.yaml. */
import { resolve } from 'node:path';
import { generate, PARTS } from './generate/pipeline.ts';
import type { Outcome, Part } from './generate/pipeline.ts';
import { ContractError } from './contract/read.ts';
import { misused, readOptions } from './options.ts';

const HELP = `Generate everything that follows from openapi.yaml: server types, both SDKs, reference page, explorer.

Usage: npx node scripts/generate.ts [options]
  --check         write nothing; fail on any finding of the linter and on a stale generated file, and name it
  --only <part>   only this part (repeatable): ${PARTS.join(', ')}
  --quiet         print problems only
  --root <folder> the project (default: this one)
  --help          this text

Exit status: 0 done, 1 the contract or a generated file is wrong, 2 wrong options, 3 a tool of the host is missing.`;

const { values } = readOptions({
  options: {
    check: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    quiet: { type: 'boolean', default: false },
    root: { type: 'string', default: resolve(import.meta.dirname, '..') },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const start = performance.now();
  try {
    const outcome = await generate(values.root, partsOf(), values.check ? 'check' : 'write');
    return report(outcome, performance.now() - start);
  } catch (error) {
    console.error(error instanceof ContractError ? error.message : error);
    return 1;
  }
}

/**
 * Returns the parts to generate. `--check` compares committed files, so it leaves out the pages, which are not
 * committed.
 */
function partsOf(): Part[] {
  const unknown = values.only?.find((part) => !PARTS.includes(part as Part));
  if (unknown !== undefined) misused(`--only ${unknown}: known parts are ${PARTS.join(', ')}`);
  return PARTS.filter((part) => (values.only?.includes(part) ?? true) && !(part === 'docs' && values.check));
}

function report({ findings, changes, missing, watch }: Outcome, milliseconds: number): number {
  for (const { place, severity, rule, message } of findings) console.error(`${place} ${severity} ${rule}: ${message}`);
  const refused = findings.filter(({ severity }) => severity === 'error').length;
  if (refused > 0) {
    console.error(
      `Nothing was ${values.check ? 'compared' : 'written'}: the linter refuses openapi.yaml for ` +
        `${refused === 1 ? 'the finding' : `the ${refused} errors`} above.`,
    );
    return 1;
  }
  for (const { message } of missing) console.error(message);
  for (const { path, kind } of changes) {
    if (values.check) console.error(`${path} is ${kind}; run make generate`);
    else if (!values.quiet) console.log(`${kind === 'left over' ? 'removed' : 'wrote'} ${path}`);
  }
  if (!values.quiet) {
    for (const { step, milliseconds: ms } of watch.laps) console.log(`${String(ms).padStart(6)} ms  ${step}`);
    console.log(`${String(Math.round(milliseconds)).padStart(6)} ms  in all`);
  }
  if (values.check && (findings.length > 0 || changes.length > 0)) return 1;
  return missing.length > 0 ? 3 : 0;
}
