/**
 * Serves the dashboard from its sources with hot reload. Used by `make dev`. Everything else is passed on to the
 * running service.
 */
import { createServer } from 'vite';

/** Serves the dashboard from its sources with hot reload, and forwards all other requests to the running service. */
export async function developDashboard(
  root: string,
  servicePort: string,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const server = await createServer({
    configFile: `${root}/server/pages/dashboard/vite.config.ts`,
    logLevel: 'warn',
    // The Host header is kept, because the service compares it with the origin of the page.
    server: {
      host: 'localhost',
      port: Number(servicePort) + 1,
      proxy: { '^/(?!dashboard/)': { target: `http://localhost:${servicePort}`, changeOrigin: false } },
    },
  });
  await server.listen();
  return {
    address: `${server.resolvedUrls?.local[0]?.replace(/\/dashboard\/$/, '') ?? ''}/sign-in`,
    close: () => server.close(),
  };
}
