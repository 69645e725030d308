/**
 * Serves the built dashboard: one document for all its paths, and its files. Used by router.ts. Before it is built, the
 * document says so (returns false); a manifest without the entry throws.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { BoundedMap } from '../base/bounded-map.ts';
import { html, type Html } from '../base/html.ts';
import { Content, sendContent } from './content.ts';
import { builtFile } from './published-contract.ts';
import { dashboardPolicy, permissionsPolicy } from './security-headers.ts';

interface DashboardPage {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** Whether its document may use the camera. */
  readonly usesCamera?: boolean;
}

/** Paths of the dashboard. All of them and their subpaths return the same document, whose script renders the page. */
export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  { path: '/sign-in', name: 'Sign in', description: 'Sign in to the dashboard.' },
  {
    path: '/invitation',
    name: 'Accept your invitation',
    description: 'Join a tenant with the link from your invitation.',
  },
  { path: '/forgot', name: 'Forgotten password', description: 'Ask for a link to choose a new password.' },
  { path: '/reset', name: 'Choose a new password', description: 'Choose a new password with the link from the mail.' },
  {
    path: '/applications',
    name: 'Applications',
    description: 'People who apply, what is missing of them, and their documents.',
  },
  {
    path: '/camera',
    name: 'Camera',
    description: 'Photograph a document of an application with the camera of a telephone.',
    usesCamera: true,
  },
  {
    path: '/businesses',
    name: 'Companies',
    description: 'Companies with what is missing of them, their owners, their powers, and who may sign.',
  },
  {
    path: '/screenings',
    name: 'Screening',
    description: 'Who was screened against watch lists, what was found, and what people decided about it.',
  },
  {
    path: '/monitoring',
    name: 'Monitoring',
    description: 'What has changed about customers since their approval, and whether everybody is watched.',
  },
  { path: '/work', name: 'My work', description: 'Everything that waits for you, the first due first.' },
  {
    path: '/cases',
    name: 'Cases',
    description: 'Reviews of people, by queue and due time, with checklists, notes and resolutions.',
  },
  {
    path: '/risk',
    name: 'Risk models',
    description: 'How risk is scored, version by version, what a change would move, and why somebody has a level.',
  },
  {
    path: '/workflows',
    name: 'Workflows',
    description: 'Processes that run by themselves: their versions, what waits in them, and what has stopped.',
  },
  {
    path: '/funds-recovery',
    name: 'Funds recovery',
    description: 'Watch recoveries of funds unfold, and play them through in the sandbox.',
  },
  { path: '/onboarding', name: 'Go live', description: 'What is left to do before a tenant goes live.' },
  {
    path: '/team',
    name: 'Team',
    description: 'Invite colleagues, give them roles, and help them when they are locked out.',
  },
  {
    path: '/audit',
    name: 'Audit log',
    description: 'Search what was done, and prove that nothing was changed afterwards.',
  },
  {
    path: '/settings',
    name: 'Settings',
    description:
      'Branding, retention and sign-in, what names are compared with, and the rules of decisions, queues ' +
      'and cases.',
  },
  { path: '/tenants', name: 'Tenants', description: 'The tenants of the platform.' },
  {
    path: '/watch-lists',
    name: 'Watch lists',
    description: 'The lists that every tenant is screened against, and their versions.',
  },
  { path: '/keys', name: 'API keys', description: 'Create, narrow, rotate and revoke API keys.' },
  { path: '/sandbox', name: 'Sandbox', description: 'Switch the sandbox, see who lives in it, and let time pass.' },
  { path: '/account', name: 'Account', description: 'Your second factor, your password and your sessions.' },
];

/** Used part of Vite's manifest: one entry per chunk, by the name of its source. */
interface Manifest {
  readonly [source: string]: { readonly file: string; readonly imports?: readonly string[] };
}

const ENTRY = 'main.tsx';
const STYLES = 'style.css';
const BASE = '/dashboard';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Data about the installation in the document, for the script. */
export interface DashboardData {
  readonly demo: boolean;
  readonly outbox: boolean;
}

/** Serves the dashboard that Vite has built into `folder`. Until it has been built, `document` returns false. */
export function dashboard(folder: string, { demo, outbox }: DashboardData) {
  const head = builtFile(join(folder, 'manifest.json'), (bytes) => headOf(JSON.parse(bytes.toString()) as Manifest));
  const files = new BoundedMap<string, Content>(200);

  return {
    /** Renders the document for each request, because the nonce of its policy must be used only once. */
    async document(request: Request, response: Response, page: DashboardPage): Promise<boolean> {
      const links = await head();
      if (links === null) return false;
      const nonce = randomBytes(16).toString('base64url');
      const text = documentOf(page, {
        links,
        nonce,
        demo,
        outbox,
      }).text;
      response.set('Content-Security-Policy', dashboardPolicy(nonce));
      if (page.usesCamera === true) response.set('Permissions-Policy', permissionsPolicy({ camera: '(self)' }));
      await sendContent(request, response, new Content('text/html; charset=utf-8', Buffer.from(text)), 'no-store');
      return true;
    },
    /** Serves the files. Their names contain digests of their content, so they may be cached for ever. */
    serve: (async (request, response, next) => {
      const { name } = request.params;
      const type = TYPES[extname(name)];
      if (type === undefined || !/^[\w.-]+$/.test(name) || name.startsWith('.')) return next();
      const known = files.get(name);
      const content =
        known ??
        (await readFile(join(folder, name)).then(
          (bytes) => new Content(type, bytes),
          () => null,
        ));
      if (content === null) return next();
      if (known === undefined) files.set(name, content);
      await sendContent(request, response, content, 'public, max-age=31536000, immutable');
    }) satisfies RequestHandler<{ name: string }>,
  };
}

function headOf(manifest: Manifest): Html {
  const entry = manifest[ENTRY];
  const styles = manifest[STYLES];
  if (entry === undefined || styles === undefined)
    throw new Error(`the manifest of the dashboard has no ${entry === undefined ? ENTRY : STYLES}`);
  const imported = [...importsOf(manifest, ENTRY)];
  return html`<link rel="stylesheet" href="${BASE}/${styles.file}">\n${imported.map(
    (source) => html`<link rel="modulepreload" href="${BASE}/${manifest[source]?.file ?? ''}">\n`,
  )}<script type="module" src="${BASE}/${entry.file}"></script>`;
}

/** Returns the modules that the entry imports before it can start, directly and indirectly. */
function importsOf(manifest: Manifest, source: string, found = new Set<string>()): Set<string> {
  for (const imported of manifest[source]?.imports ?? []) {
    if (!found.has(imported)) importsOf(manifest, imported, found.add(imported));
  }
  return found;
}

function documentOf(
  { name, description }: DashboardPage,
  { links, nonce, demo, outbox }: DashboardData & { readonly links: Html; readonly nonce: string },
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>${name} · Compliance Onboarding</title>
<meta name="description" content="${description}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${links}
</head>
<body>
<div id="dashboard" data-demo="${String(demo)}"${outbox ? html` data-outbox="/outbox"` : null}></div>
<noscript><p>This page needs JavaScript. Everything it does can also be done with the API: see
<a href="/reference">the reference</a>.</p></noscript>
</body>
</html>
`;
}
