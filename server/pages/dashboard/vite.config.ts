import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** What the service serves under /dashboard/: one script to begin with, one for each page, and a manifest that names them. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  cacheDir: join(import.meta.dirname, '../../../build/vite'),
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, '../../../build/dashboard'),
    emptyOutDir: true,
    assetsDir: '.',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: join(import.meta.dirname, 'main.tsx') },
  },
});
