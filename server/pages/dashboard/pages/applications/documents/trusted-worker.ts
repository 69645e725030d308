/** Trusted Types, as far as the dashboard needs them: TypeScript's own library does not know them yet. */
interface Policies {
  readonly createPolicy: (name: string, rules: { readonly createScriptURL: (address: string) => string }) => { readonly createScriptURL: (address: string) => string };
}

declare global {
  var trustedTypes: Policies | undefined;
}

/** Only files of the dashboard itself become scripts. */
const createScriptURL = (address: string): string => {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin || !url.pathname.startsWith('/dashboard/')) throw new TypeError('not a script of the dashboard');
  return url.href;
};

/** The one policy that the Content-Security-Policy names; browsers without Trusted Types go without. */
const policy = globalThis.trustedTypes?.createPolicy('dashboard', { createScriptURL }) ?? { createScriptURL };

export function startWorker(address: string): Worker {
  return new Worker(policy.createScriptURL(address), { type: 'module' });
}
