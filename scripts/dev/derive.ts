/** Generates what the service does not run by: the types of its source, both SDKs and the pages. Usage: node derive.ts ROOT */
import { generate } from '../generate/pipeline.ts';

const start = performance.now();
const { missing, changes } = await generate(process.argv[2] as string, ['server', 'typescript', 'python', 'docs'], 'write');
for (const { message } of missing) console.error(message);
console.log(`dev: types, SDKs and pages generated, ${changes.length} files changed, ${Math.round(performance.now() - start)} ms`);
