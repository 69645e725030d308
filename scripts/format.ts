/** `make format`: adds to openapi.yaml what follows from its other content. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { formatContract, unformatted } from './contract/format/index.ts';
import { readOptions } from './options.ts';

const HELP = `Complete openapi.yaml: statuses, headers and parameters that follow, page envelopes, the order of members,
the map at the top.

Usage: npx node scripts/format.ts [options]
  --check         write nothing; fail when the file is not formatted
  --root <folder> the project (default: this one)
  --help          this text

Exit status: 0 done, 1 something stands in the way or, with --check, the file is not formatted, 2 wrong options.`;

const { values } = readOptions({
  options: {
    check: { type: 'boolean', default: false },
    root: { type: 'string', default: resolve(import.meta.dirname, '..') },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = main(join(values.root, 'openapi.yaml'));

function main(file: string): number {
  const text = readFileSync(file, 'utf8');
  const name = relative(process.cwd(), file);
  const formatted = formatContract(text);
  const stale = values.check ? unformatted(text) : null;
  const finding = 'message' in formatted ? formatted : stale;
  if (finding !== null) {
    console.error(`${name}:${finding.line}:${finding.column} ${finding.message}`);
    return 1;
  }
  if ('text' in formatted && formatted.text !== text) {
    writeFileSync(file, formatted.text);
    console.log(`wrote ${name}`);
  }
  return 0;
}
