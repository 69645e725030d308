/**
 * Runs a TypeScript command of this project with the Node that the project installs, even if the `node` on the path is
 * older. This file is plain JavaScript, because Node before 22.18 cannot run TypeScript.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LEAST = 24;
const PROJECT_NODE = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

export async function runOnProjectNode(command) {
  if (Number.parseInt(process.versions.node) >= LEAST) {
    await import(command.href);
  } else if (existsSync(PROJECT_NODE)) {
    process.exitCode =
      spawnSync(PROJECT_NODE, [fileURLToPath(command), ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
  } else {
    console.error(
      `This needs Node ${LEAST} or later and runs on ${process.version}. Run npm ci in the folder of the project, ` +
        'which brings one, or install it.',
    );
    process.exitCode = 3;
  }
}
