/**
 * A refusal as a page for a person who opened an address in a browser. Used by router.ts. Programs must get the problem
 * document, so the decision between both is strict; the address asked for is not repeated in the page.
 */
import type { Request } from 'express';
import { html, type Html } from '../base/html.ts';
import { problems } from '../contract/generated/problems.ts';
import type { Problem } from '../contract/problem.ts';
import type { Page } from './layout.ts';

const API = /^\/(?:v1|api|oauth)(?:\/|$)/;

const PLACES = [
  ['/guides', 'Guides', 'how things are done, with programs'],
  ['/reference', 'Reference', 'every operation of the API'],
  ['/sign-in', 'Dashboard', 'for the people of a tenant'],
  ['/problems', 'Errors', 'what each error code means'],
  ['/', 'Start', 'what there is here'],
] as const;

/**
 * Returns whether a person sees the answer: a browser that navigates prefers HTML, a program prefers JSON or accepts
 * anything. A request that sends data comes from a program or from the script of a page.
 */
export function isForPeople(request: Request): boolean {
  return (
    ['GET', 'HEAD'].includes(request.method) &&
    request.accepts(['application/problem+json', 'application/json', 'text/html']) === 'text/html'
  );
}

/** Renders a refusal in words for people, with links. The requested URL is not repeated. */
export function refusalPage({ code, status, headers }: Problem, path: string, requestId: string): Page {
  const { title, text } = wordsOf(status, API.test(path), headers['Allow'] ?? '');
  return {
    title: `${title} · Compliance Onboarding API`,
    description: problems[code].title,
    path: '',
    styles: ['site.css', 'problems.css'],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<p class="crumb">${status}</p>
<h1>${title}</h1>
<p class="lead">${text}</p>
<ul class="places">${PLACES.map(
      ([href, name, what]) => html`
<li><a href="${href}">${name}</a>: ${what}</li>`,
    )}
</ul>
<p class="hint">A program is answered with the error code <a href="/problems/${code}"><code>${code}</code></a>.
This request has the id <code>${requestId}</code>.</p>
</main>`,
  };
}

function wordsOf(status: number, isOfApi: boolean, allowed: string): { readonly title: string; readonly text: Html } {
  if (status === 404 && isOfApi)
    return {
      title: 'The API has no such address',
      text: html`Check the spelling, or look through <a href="/reference">the reference</a>, which lists every
operation.`,
    };
  if (status === 404)
    return { title: 'There is no page at this address', text: html`Check the spelling, or go on from here.` };
  if (status === 405) {
    const methods = allowed === '' ? null : html` It takes ${allowed}.`;
    return {
      title: 'This address is for programs',
      text: html`A browser cannot read it.${methods} <a href="/reference">The reference</a> says what it does.`,
    };
  }
  if (status < 500) return { title: 'The address is not valid', text: html`Check the spelling, or go on from here.` };
  return {
    title: 'Something went wrong here',
    text: html`This is a fault of the service. Load the page again; if it stays, name the id below when you ask for
help.`,
  };
}
