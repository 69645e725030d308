import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The one file of the explorer that the service serves itself. The page around it must switch off what would leave
 * the origin: `withDefaultFonts: false, telemetry: false, agent.disabled, mcp.disabled, hideClientButton: true,
 * showDeveloperTools: 'never'` and no `proxyUrl`.
 */
export function explorerScript(root: string): Buffer {
  return readFileSync(join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'));
}
