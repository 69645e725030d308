import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MissingTool } from './missing-tool.ts';

/** The project's own Python environment, made by `scripts/python.sh` from the pinned list; `consequence` is what cannot be done without. */
export function requirePython(root: string, consequence: string): void {
  if (existsSync(join(root, '.venv/bin/datamodel-codegen'))) return;
  throw new MissingTool(
    `${consequence}: the Python environment .venv is missing. Install Python 3.11 or newer with its `
    + 'venv module (Debian and Ubuntu: python3 python3-venv; Fedora: python3; macOS: brew install python), '
    + 'then run scripts/python.sh and repeat.',
  );
}
