/** How the package is built: entries and formats. Read by tsdown when the package is packed. */
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', functions: 'src/functions.ts', testing: 'src/testing.ts' },
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: true,
  sourcemap: true,
  tsconfig: 'tsconfig.json',
});
