/** Tests of the reference page that `make dev` makes of a contract without a full build. */
import { describe, expect, it } from 'vitest';
import { undrawn } from './pass.ts';

const PAGE = `<body>
      <div id="redoc"><div><script>colours()</script></div><h1>Before</h1></div>
      <script type="module">
      const{hydrate}=library();

      const __redoc_definition = {"info":{"title":"Before"}};
      const __redoc_options = {"a":1};

      hydrate(__redoc_definition, __redoc_options, document.getElementById('redoc'));
      </script>
</body>`;

describe('the reference page of a contract that was just saved', () => {
  it('is the last page without its prerendered part and with the new contract', () => {
    const page = undrawn(PAGE, '{"info":{"title":"After"}}');
    expect(page).not.toContain('Before');
    expect(page).toContain('<div id="redoc"></div>');
    expect(page).toContain(
      'const __redoc_definition = {"info":{"title":"After"}};\n      const __redoc_options = {"a":1};',
    );
  });

  it('escapes a text of the contract that would end the script', () => {
    const page = undrawn(PAGE, JSON.stringify({ info: { title: '</script><script>' } })) ?? '';
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    const [, definition = ''] = /__redoc_definition = (.*);\n/.exec(page) ?? [];
    expect(JSON.parse(definition)).toEqual({ info: { title: '</script><script>' } });
  });

  it('is left to the full build if the last page has another form', () => {
    expect(undrawn('<body>another page</body>', '{}')).toBeNull();
  });

  it('can be made from a page that was not prerendered', () => {
    const again = undrawn(undrawn(PAGE, '{"n":1}') ?? '', '{"n":2}');
    expect(again).toBe(undrawn(PAGE, '{"n":2}'));
  });
});
