/**
 * Starts the worker that reads PDF files (pdf-pages.tsx) under the page's policy for scripts. It throws for any address
 * that is not a file of the dashboard.
 */

/** The used part of Trusted Types, which TypeScript's own library does not declare yet. */
interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string };
}

declare global {
  var trustedTypes: Policies | undefined;
}

/** Allows only files of the dashboard as scripts. */
const createScriptURL = (address: string): string => {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin || !url.pathname.startsWith('/dashboard/'))
    throw new TypeError('the script must be below /dashboard/ on this origin');
  return url.href;
};

/** The only policy that the Content-Security-Policy allows. Browsers without Trusted Types do not need one. */
const policy = globalThis.trustedTypes?.createPolicy('dashboard', { createScriptURL }) ?? { createScriptURL };

export function startWorker(address: string): Worker {
  return new Worker(policy.createScriptURL(address), { type: 'module' });
}
