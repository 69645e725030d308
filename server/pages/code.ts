import { html, type Html } from '../base/html.ts';

interface CodeSample {
  readonly label: string;
  readonly source: string;
}

/** The style and the script that a page with code needs. */
export const CODE_STYLE = 'code.css';
export const CODE_SCRIPT = 'code.js';

/** One sample, or several behind tabs; without script all of them are shown one after the other. The button that copies stands in the bar above the code. */
export function code(samples: readonly CodeSample[]): Html {
  return html`<div class="code">${samples.map(({ label, source }) => html`
<figure data-label="${label}"><figcaption>${label}</figcaption><pre tabindex="0" aria-label="${label}"><code>${source.trim()}</code></pre></figure>`)}
</div>`;
}
