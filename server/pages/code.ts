/**
 * Samples of code with a copy button, also several behind tabs. Used by the start page, the guides and the pages of
 * errors, which must name `CODE_STYLE` and `CODE_SCRIPT` among their files.
 */
import { html, type Html } from '../base/html.ts';

interface CodeSample {
  readonly label: string;
  readonly source: string;
}

/** Style and script of pages with code. */
export const CODE_STYLE = 'code.css';
export const CODE_SCRIPT = 'code.js';

/**
 * Renders one sample, or several behind tabs; without script they are shown one after the other. The copy button is in
 * the bar above the code.
 */
export function code(samples: readonly CodeSample[]): Html {
  return html`<div class="code">${samples.map(
    ({ label, source }) => html`
<figure data-label="${label}"><figcaption>${label}</figcaption><pre tabindex="0" aria-label="${label}"><code>${source.trim()}</code></pre></figure>`,
  )}
</div>`;
}
