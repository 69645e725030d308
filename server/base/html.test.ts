/** Tests of the template tag that escapes values in HTML. */
import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('markup', () => {
  it('escapes inserted values, in text and in attributes', () => {
    const hostile = `"><img src=x onerror='alert(1)'> & more`;
    expect(html`<p title="${hostile}">${hostile}</p>`.text).not.toMatch(/<img|title="">/);
  });

  it('keeps nested markup and joins lists', () => {
    expect(html`<ul>${['a', '<b>'].map((item) => html`<li>${item}</li>`)}</ul>${null}${7}`.text).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>7',
    );
  });
});
