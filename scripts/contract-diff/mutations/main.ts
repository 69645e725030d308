/** Applies every kind of change to openapi.yaml and prints the expected and the actual verdicts. */
import { resolve } from 'node:path';
import { readContract } from '../../contract/read.ts';
import { operationSites } from '../../contract/walk.ts';
import { readOptions } from '../../options.ts';
import { cutTo } from './cut.ts';
import { confusionTable, mistaken, mutate, mutations } from './run.ts';

const HELP = `Hold the verdicts of make diff to changes whose verdict is known.

Usage: npx node scripts/contract-diff/mutations/main.ts [options]
  --cut N      make them in about so many operations of the contract, from all over it (default: in all)
  --places N   places of the contract for each kind of change (default: 1)
  --seed N     which places (default: 5)
  --whole      let Redocly read the whole contract each time, not just what a change reaches
  --only TEXT  only the kinds whose name contains the text
  --help       this text

Exit status: 0 every verdict is as expected, 1 some are not.`;

const { values } = readOptions({
  options: {
    cut: { type: 'string' },
    places: { type: 'string', default: '1' },
    seed: { type: 'string', default: '5' },
    whole: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const root = resolve(import.meta.dirname, '../../..');
  const kinds = mutations.filter(({ name }) => name.includes(values.only));
  const whole = readContract(`${root}/openapi.yaml`);
  const contract = values.cut === undefined ? whole : cutTo(whole, Number(values.cut), kinds);
  const trials = await mutate(root, contract, kinds, {
    places: Number(values.places),
    seed: Number(values.seed),
    whole: values.whole,
  });
  const mistakes = mistaken(trials);
  if (mistakes.length > 0) console.log(mistakes.join('\n'));
  console.log(
    `${kinds.length} kinds of change, ${trials.length} trials in ${operationSites(contract).length} of ` +
      `${operationSites(whole).length} operations\n` +
      `${confusionTable(trials)}`,
  );
  return mistakes.length > 0 ? 1 : 0;
}
