/** `make test`: every check and test, one after the other, with one count at the end. */
import { readOptions } from './options.ts';
import { stepsOf } from './test/steps.ts';
import type { Result } from './test/result.ts';

const HELP = `Run every check and test of the project against a real PostgreSQL, both SDKs and a real browser.

Usage: npx node scripts/test.ts [options]
  --only <text>   only the steps whose name contains the text (repeatable)
  --soak          the long campaigns in full instead of their bounded part
  --list          list the steps
  --help          this text

The full output of each step is kept in build/test/. The last line is "N passed, N failed".
Exit status: 0 all passed, 1 something failed, 2 wrong options, 3 a tool of the host is missing.`;

const { values } = readOptions({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    soak: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const all = stepsOf({ soak: values.soak });
  const steps = all.filter(({ name }) => values.only.length === 0 || values.only.some((text) => name.includes(text)));
  const unknown = values.only.find((text) => !all.some(({ name }) => name.includes(text)));
  if (unknown !== undefined) {
    console.error(`No step has "${unknown}" in its name. The steps are:\n  ${all.map(({ name }) => name).join('\n  ')}`);
    return 2;
  }
  if (values.list) {
    console.log(steps.map(({ name }) => name).join('\n'));
    return 0;
  }
  const begun = performance.now();
  let passed = 0;
  let failed = 0;
  const figures: string[] = [];
  for (const [index, step] of steps.entries()) {
    console.log(`[${index + 1}/${steps.length}] ${step.name}`);
    const start = performance.now();
    const result = await settle(step.run);
    passed += result.passed;
    failed += result.failed;
    figures.push(...(result.figures ?? []).map((figure) => `${step.name}: ${figure}`));
    console.log(`    ${result.passed} passed, ${result.failed} failed in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    for (const figure of result.figures ?? []) console.log(`    ${figure}`);
    if (result.failed > 0) console.log(result.complaint ?? '');
  }
  console.log(`\n${figures.join('\n')}\nin ${((performance.now() - begun) / 1000).toFixed(0)} s; full output in build/test/`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** A step that breaks is a failure, and the others still run. */
async function settle(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    return { passed: 0, failed: 1, complaint: `    ${error instanceof Error ? error.message : String(error)}` };
  }
}
