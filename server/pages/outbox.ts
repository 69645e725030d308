/**
 * The page that shows the mail of an installation without a mail server. Used by router.ts, which has the page only
 * then: the letters contain links with secrets, so it must never exist beside real mail.
 */
import { html, type Html } from '../base/html.ts';
import type { QueuedLetter } from '../providers/mail/index.ts';
import type { Page } from './layout.ts';

/** Shows the unsent mail, because the demo has no mail server and its users must still follow their links. */
export function outboxPage(letters: readonly QueuedLetter[]): Page {
  return {
    title: 'Outbox · Compliance Onboarding API',
    description: 'Mail that waits in the demo, because no mail server is configured.',
    path: '/outbox',
    styles: ['site.css', 'outbox.css'],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<h1>Outbox</h1>
<p class="lead">Mail of the demo, newest first. With <code>SMTP_URL</code> it is delivered, and this page is gone.</p>
${
  letters.length === 0
    ? html`<p class="notice">No mail has been written in the last seven days.</p>`
    : html`<ol class="letters">
${letters.map(letter)}</ol>`
}
</main>`,
  };
}

function letter({ id, to, subject, text, queuedAt }: QueuedLetter): Html {
  const written = queuedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return html`<li><article aria-labelledby="l${id}">
<h2 id="l${id}">${subject}</h2>
<dl>
<div><dt>To</dt><dd>${to.name === null ? null : `${to.name}, `}<span class="address">${to.address}</span></dd></div>
<div><dt>Written</dt><dd><time datetime="${queuedAt}">${written}</time></dd></div>
</dl>
<div class="words">${text
    .trim()
    .split('\n\n')
    .map((paragraph) => html`<p>${linked(paragraph)}</p>`)}</div>
</article></li>
`;
}

/** Turns web addresses in the text into links. */
function linked(paragraph: string): Html {
  const pieces = paragraph
    .split(/(https?:\/\/\S+)/)
    .map((piece) => (/^https?:\/\/\S/.test(piece) ? html`<a href="${piece}">${piece}</a>` : html`${piece}`));
  return html`${pieces}`;
}
