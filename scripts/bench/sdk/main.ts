/** The section of the SDKs alone: `node scripts/bench/sdk/main.ts`, about a minute. */
import { render } from '../table.ts';
import { measureSdks } from './index.ts';
import { sdkSection } from './section.ts';

console.log(render([sdkSection(await measureSdks({ rounds: 5, calls: 500, deadlines: 20 }))]));
