/**
 * How the dashboard is built and served during development. Used by Vite only. The service reads the manifest that it
 * writes (server/pages/dashboard.ts).
 */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { DASHBOARD_PAGES } from '../dashboard.ts';

const ENTRY = join(import.meta.dirname, 'main.tsx');

/** Serves one document at every path of the dashboard during development, as the service does in production. */
function documents(): Plugin {
  return {
    name: 'documents of the dashboard',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const isPage = DASHBOARD_PAGES.some(({ path }) => path === `/${request.url?.split(/[/?]/)[1] ?? ''}`);
        if (!isPage || request.headers.accept?.includes('text/html') !== true) return next();
        const markup =
          '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ' +
          'content="width=device-width, initial-scale=1"></head><body><div id="dashboard" data-demo="true" ' +
          'data-outbox="/outbox"></div><script type="module" src="/main.tsx"></script></body></html>';
        server.transformIndexHtml(request.url ?? '/', markup).then((text) => {
          response.setHeader('Content-Type', 'text/html; charset=utf-8');
          response.end(text);
        }, next);
      });
    },
  };
}

/**
 * Builds what the service serves under /dashboard/: an entry script, one script per page, and a manifest that names
 * them.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  cacheDir: join(import.meta.dirname, '../../../build/vite'),
  plugins: [react(), documents()],
  build: {
    outDir: join(import.meta.dirname, '../../../build/dashboard'),
    emptyOutDir: true,
    assetsDir: '.',
    assetsInlineLimit: 0,
    // scripts/dashboard.ts checks sizes. The PDF viewer is large and loads when a file is opened.
    chunkSizeWarningLimit: 2_000,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    // All styles come with the document. They are only 7 kB, and a page that is opened while the service is unreachable
    // must not lack its own.
    cssCodeSplit: false,
    rolldownOptions: { input: ENTRY },
  },
});
