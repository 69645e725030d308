/** Tests that the processes which the guides offer can be activated as they are. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile } from './bpmn/compile.ts';
import { read } from './bpmn/read.ts';
import { soundness } from './soundness.ts';

const FOLDER = join(import.meta.dirname, '../../docs/examples/workflows');
const files = globSync('*.bpmn', { cwd: FOLDER }).sort();

describe('The standard processes', () => {
  it('are four', () => {
    expect(files.map((file) => basename(file))).toEqual([
      'business.bpmn',
      'enhanced.bpmn',
      'individual.bpmn',
      'periodic-review.bpmn',
    ]);
  });

  it.each(files)('%s has no finding, and can neither be stuck nor run for ever', async (file) => {
    const { root, findings } = await read(readFileSync(join(FOLDER, file)));
    const compiled = compile(root!);
    const all = [...findings, ...compiled.findings, ...soundness(compiled.program)];
    expect(all.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
