/** Prints what the built package weighs in a bundle. Run it after `npm run build`. */
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const dist = join(import.meta.dirname, '../dist');

async function weigh(title: string, source: string): Promise<void> {
  const entry = '\0entry.js';
  const bundle = await rolldown({
    input: entry,
    plugins: [{ name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null) }],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const code = output.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
  console.log(`${title.padEnd(44)} ${kilobytes(code.length)} min  ${kilobytes(gzipSync(code).length)} gzip`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(6)} kB`;
}

await weigh('the whole client', `export { ComplianceOnboarding } from ${JSON.stringify(join(dist, 'index.js'))};`);
await weigh('one flat function (functions entry)', `export { createApplication, createClient } from ${JSON.stringify(join(dist, 'functions.js'))};`);
