/** Tests of rendering guides. */
import { describe, expect, it } from 'vitest';
import { renderGuide } from './render.ts';

const names = new Set(['errors', 'feed']);
const render = (markdown: string) => renderGuide('feed', markdown, names);
const body = (markdown: string): string => render(`# Title\n\n${markdown}`).body.text;

describe('A guide on the site', () => {
  it('takes its title from the first heading and its contents from those below it', () => {
    const { title, contents } = render(
      "<!-- Generated. -->\n# Follow the `feed`\n\n## Come back\n\n### Deeper\n\n## Don't stop",
    );
    expect(title).toBe('Follow the feed');
    expect(contents).toEqual([
      { id: 'come-back', text: 'Come back' },
      { id: 'dont-stop', text: "Don't stop" },
    ]);
  });

  it('links to other guides, to its own headings and to files that the service serves', () => {
    expect(
      body(
        '[e](errors.md#in-the-sdks) [h](#come-back) [i](README.md) [o](../../openapi.yaml) [w](https://example.com/a)',
      ).match(/href="[^"]*"/g),
    ).toEqual([
      'href="/guides/errors#in-the-sdks"',
      'href="#come-back"',
      'href="/guides"',
      'href="/openapi.yaml"',
      'href="https://example.com/a"',
    ]);
  });

  it('names the path in the project of a file that the service does not serve', () => {
    expect(body('[decision 19](../decisions/0019-contract-evolution.md)')).toBe(
      '<p>decision 19 <span class="source">(docs/decisions/0019-contract-evolution.md)</span></p>\n',
    );
  });

  it.each(['[x](javascript:alert)', '[x](data:text/html,x)', '[x](http://example.com)'])(
    'makes no link of %s',
    (markdown) => {
      expect(body(markdown)).toBe('<p>x</p>\n');
    },
  );

  it('shows markup as text', () => {
    expect(
      body('<script>alert(1)</script>\n\na <b onclick="x">bold</b> word ![img](https://example.com/x.png)'),
    ).not.toMatch(/<(?:script|b|img)/);
    expect(body('`<code>` and "quotes"')).toContain('<code>&lt;code&gt;</code> and &quot;quotes&quot;');
  });

  it('puts the copy button above the code, in a bar with the name of the language', () => {
    expect(body('```js\nif (a < b) c();\n```')).toContain(
      '<figcaption>JavaScript</figcaption><pre tabindex="0" aria-label="JavaScript"><code>if (a &lt; b) ' +
        'c();</code></pre>',
    );
  });

  it('gives equal headings different ids', () => {
    expect(body('## Same\n\n## Same').match(/id="[^"]*"/g)).toEqual(['id="same"', 'id="same-1"']);
  });
});
