/**
 * The security headers of pages, above all the policies that say which scripts may run. Used by router.ts, dashboard.ts
 * and reader-pages.ts. A policy that is too strict breaks a page without any error on the server; one that is too loose
 * is a hole.
 */
import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

type Directives = Readonly<Record<string, string>>;

const BASE: Directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  // Scripts send all forms, so a form sent without one must not submit a password.
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Policy of our own pages: no inline script or style, and no string ever becomes markup (Trusted Types). */
const OWN_PAGE = policy({ 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" });

/**
 * Returns the policy of the dashboard: scripts come from files only; images of documents are shown from memory; a
 * worker of our own draws PDF pages, and its URL is the only thing that a Trusted Types policy may create. Style
 * elements need the nonce.
 */
export function dashboardPolicy(nonce: string): string {
  return policy({
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data: blob:",
    'worker-src': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'dashboard',
  });
}

/** Policy of the guides, whose search form requests a page of ours and works without a script. */
export const GUIDES_PAGE = policy({
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
  'form-action': "'self'",
});

/**
 * Policy of the explorer, which creates styles at run time and previews downloads from blobs. Scripts still come from
 * files only.
 */
export const EXPLORER_PAGE = policy({
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'media-src': "'self' blob:",
  'font-src': "'self' data:",
  'worker-src': "'self' blob:",
});

/**
 * Returns the policy of the reference, which is one file: its inline scripts are allowed by their hashes, and no
 * others.
 */
export function referencePolicy(markup: string): string {
  const hashes = inlineScripts(markup)
    .filter((script) => script !== '')
    .map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return policy({
    'script-src': ["'self'", ...hashes].join(' '),
    'style-src': "'self' 'unsafe-inline'",
    'font-src': 'data:',
    'worker-src': 'blob:',
  });
}

/** Sets the headers of every page, whatever its scripts. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': OWN_PAGE,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy(),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  next();
};

const DEVICES = ['accelerometer', 'camera', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'payment', 'usb'];

/** Returns the policy that no page may use a device, but those that are given. */
export function permissionsPolicy(given: Readonly<Record<string, string>> = {}): string {
  return DEVICES.map((device) => `${device}=${given[device] ?? '()'}`).join(', ');
}

function policy(directives: Directives): string {
  return Object.entries({ ...BASE, ...directives })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** Returns the texts between script tags, as an HTML parser cuts them: up to the first `</script`. */
function inlineScripts(markup: string): string[] {
  const scripts: string[] = [];
  const opening = /<script(?:\s[^>]*)?>/g;
  for (let tag = opening.exec(markup); tag !== null; tag = opening.exec(markup)) {
    const end = markup.indexOf('</script', opening.lastIndex);
    if (end < 0) break;
    scripts.push(markup.slice(opening.lastIndex, end));
    opening.lastIndex = end;
  }
  return scripts;
}
