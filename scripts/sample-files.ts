/** Draws source files for a reader who does not know the project, to find those that are not understood alone. */
import { execFileSync } from 'node:child_process';
import { shuffled } from '../test/support/courses.ts';
import { randomOf } from '../test/support/random.ts';
import { misused, readOptions } from './options.ts';

const HELP = `Draw source files for a reader who may open no other file.

For each file the reader answers: what is it for, what calls it, what could go wrong?

Usage: npx node scripts/sample-files.ts [options]
  --seed <number>   the seed of the draw (default: 1)
  --count <number>  how many files (default: 30)
  --help            this text

Exit status: 0 done, 2 wrong options.`;

const { values } = readOptions({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(HELP);
} else {
  const [seed, count] = [Number(values.seed), Number(values.count)];
  if (!Number.isInteger(seed)) misused('--seed must be a whole number');
  if (!Number.isInteger(count) || count < 1) misused('--count must be a whole number above 0');
  const files = execFileSync('git', ['ls-files', 'server', 'scripts', 'sdks', 'test'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(ts|tsx|py)$/.test(path) && !/\/_?generated\//.test(path));
  for (const path of shuffled(files, randomOf(seed)).slice(0, count)) console.log(path);
}
