/**
 * All addresses that are not operations: pages for people, the dashboard and the published contract. Created by
 * server/app.ts. Nothing here needs a credential, so nothing here may show data of a tenant. A Host header comes from
 * the caller and is used only if it has a valid form.
 */
import { join } from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Problem } from '../contract/problem.ts';
import type { ProblemPages } from '../contract/problem-facts.ts';
import type { QueuedLetter } from '../providers/mail/index.ts';
import { loadAssets } from './assets.ts';
import { Content, contentOf, sendContent } from './content.ts';
import { dashboard, DASHBOARD_PAGES } from './dashboard.ts';
import { explorerContract } from './explorer-contract.ts';
import { type ContractSummary, landingPage } from './landing.ts';
import { type Guides, guidesIn } from './guides/guides.ts';
import { guidePage, guidesPage } from './guides/pages.ts';
import { searchTargets } from './guides/search.ts';
import { layout, type Page } from './layout.ts';
import { outboxPage } from './outbox.ts';
import { isProblemCode, problemPage, problemsPage, unknownProblemPage } from './problems.ts';
import { builtFile, jsonContract, yamlContract } from './published-contract.ts';
import { explorerPage, notBuiltPage, referenceFor } from './reader-pages.ts';
import { isForPeople, refusalPage } from './refusal.ts';
import { EXPLORER_PAGE, GUIDES_PAGE, securityHeaders } from './security-headers.ts';

const AUTHORITY = /^(?:[\w.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Returns the origin that the caller used, for documents that name their own server. Empty if the Host header is
 * invalid, which makes such addresses relative.
 */
function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '');
  const host = request.host as string | undefined;
  return host !== undefined && AUTHORITY.test(host) ? `${request.protocol}://${host}` : '';
}

interface PagesOptions {
  /** Output folder of the documentation build. */
  readonly contractDir: string;
  /** Output folder of Vite. */
  readonly dashboardDir: string;
  /** Folder of the guides in Markdown. */
  readonly guidesDir: string;
  readonly publicInfo: PublicInfo;
  /** Unsent mail, in a demo without a mail server; null otherwise. */
  readonly outbox: (() => Promise<readonly QueuedLetter[]>) | null;
}

interface PublicInfo {
  /** Configured address of the installation; `null` takes it from each request. */
  readonly publicUrl: string | null;
  /** Whether the demo tenant was created, so that the pages say where its sign-in is. */
  readonly demo: boolean;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

interface Pages {
  readonly router: Router;
  /** Sends a page for a refusal outside the operations if a person sees the answer; returns false otherwise. */
  readonly showRefusal: (request: Request, response: Response, problem: Problem, requestId: string) => boolean;
}

/** Serves the pages for people and the published contract. They need no credential and never see one. */
export function createPages({ contractDir, guidesDir, dashboardDir, publicInfo, outbox }: PagesOptions): Pages {
  const { publicUrl, demo } = publicInfo;
  const assets = loadAssets();
  const built = <T>(name: string, derive: (bytes: Buffer) => T) => builtFile(join(contractDir, name), derive);
  const summary = built('landing.json', (bytes) => JSON.parse(bytes.toString()) as ContractSummary);
  const tryItContract = built('contract.docs.json', explorerContract);
  const json = built('openapi.json', jsonContract);
  const json30 = built('openapi-3.0.json', jsonContract);
  const yaml = built('openapi.yaml', yamlContract);
  const explorerScript = built('explorer/standalone.js', (bytes) => new Content(SCRIPT, bytes));
  const problemFacts = built('problems.json', (bytes) => JSON.parse(bytes.toString()) as ProblemPages);
  const guides = guidesIn(guidesDir);
  const targets = lastResult((found: Guides, facts: ProblemPages | null) => searchTargets(found.all, facts));
  const reference = built('reference.html', (bytes) => referenceFor(bytes.toString(), HTML, assets.base));

  const show = (request: Request, response: Response, page: Page) =>
    sendContent(request, response, contentOf(HTML, layout(assets.base, page).text));
  const notBuilt = (request: Request, response: Response) =>
    show(request, response.status(503), notBuiltPage(request.path));

  const publish = (type: string, source: typeof json) => async (request: Request, response: Response) => {
    const render = await source();
    if (render === null) return notBuilt(request, response);
    await sendContent(request, response, contentOf(type, render(originOf(request, publicUrl))));
  };

  const router = Router();
  const page = (path: string, handler: (request: Request, response: Response) => Promise<void>) =>
    router.get(path, securityHeaders, handler);

  page('/', async (request, response) => {
    const contract = await summary();
    if (contract === null) return notBuilt(request, response);
    await show(
      request,
      response,
      landingPage(contract, originOf(request, publicUrl), { demo, outbox: outbox !== null }),
    );
  });
  const app = dashboard(dashboardDir, { demo, outbox: outbox !== null });
  for (const dashboardPage of DASHBOARD_PAGES) {
    page(`${dashboardPage.path}{/*rest}`, async (request, response) => {
      if (!(await app.document(request, response, dashboardPage))) await notBuilt(request, response);
    });
  }
  router.get('/dashboard/:name', securityHeaders, app.serve);
  if (outbox !== null) {
    page('/outbox', async (request, response) => {
      const content = new Content(HTML, Buffer.from(layout(assets.base, outboxPage(await outbox())).text));
      await sendContent(request, response, content, 'no-store');
    });
  }
  page('/problems', (request, response) => show(request, response, problemsPage()));
  page('/problems/:code', async (request, response) => {
    const code = String(request.params['code']);
    await (isProblemCode(code)
      ? show(request, response, problemPage(code, await problemFacts()))
      : show(request, response.status(404), unknownProblemPage()));
  });
  page('/guides', async (request, response) => {
    const found = await guides();
    const query = new URL(request.url, 'http://localhost').searchParams.get('q') ?? '';
    await (found === null
      ? notBuilt(request, response)
      : show(
          request,
          response.set('Content-Security-Policy', GUIDES_PAGE),
          guidesPage(found, targets(found, await problemFacts()), query),
        ));
  });
  router.get('/guides/:name', securityHeaders, async (request: Request, response: Response, next: NextFunction) => {
    const found = await guides();
    const guide = found?.all.find(({ name }) => name === request.params['name']);
    if (found === null || guide === undefined) return next();
    await show(request, response.set('Content-Security-Policy', GUIDES_PAGE), guidePage(found, guide));
  });
  page('/reference', async (request, response) => {
    const render = await reference();
    if (render === null) return notBuilt(request, response);
    const file = render(originOf(request, publicUrl));
    await sendContent(request, response.set('Content-Security-Policy', file.policy), file.content);
  });
  page('/explorer', (request, response) =>
    show(request, response.set('Content-Security-Policy', EXPLORER_PAGE), explorerPage()),
  );
  page('/explorer/standalone.js', async (request, response) => {
    const script = await explorerScript();
    return script === null ? notBuilt(request, response) : sendContent(request, response, script);
  });
  page('/explorer/openapi.json', publish('application/json; charset=utf-8', tryItContract));
  // RFC 9512 registers application/yaml.
  page('/openapi.json', publish('application/json; charset=utf-8', json));
  page('/openapi-3.0.json', publish('application/json; charset=utf-8', json30));
  page('/openapi.yaml', publish('application/yaml; charset=utf-8', yaml));
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    page(path, (request, response) =>
      sendContent(request, response, assets.content('favicon.svg'), 'public, max-age=86400'),
    );
  }
  router.get('/assets/:release/*name', securityHeaders, assets.serve);

  const showRefusal: Pages['showRefusal'] = (request, response, problem, requestId) => {
    if (!isForPeople(request)) return false;
    securityHeaders(request, response, () => undefined);
    const content = new Content(
      HTML,
      Buffer.from(layout(assets.base, refusalPage(problem, request.path, requestId)).text),
    );
    void sendContent(request, response.status(problem.status).set(problem.headers), content, 'no-store');
    return true;
  };
  return { router, showRefusal };
}

/** Caches the last result while the arguments are the same objects. */
function lastResult<A extends object, B, R>(derive: (a: A, b: B) => R): (a: A, b: B) => R {
  let last: { readonly a: A; readonly b: B; readonly result: R } | null = null;
  return (a, b) => {
    if (last?.a !== a || last.b !== b) last = { a, b, result: derive(a, b) };
    return last.result;
  };
}
