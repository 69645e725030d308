/** Tests of the page of unsent mail. */
import { describe, expect, it } from 'vitest';
import { outboxPage } from './outbox.ts';

const letter = {
  id: '0197a000-0000-7000-8000-000000000001',
  template: 'invitation',
  queuedAt: '2026-11-21T15:30:00.120Z',
  to: { address: 'ana@example.com', name: 'Ana <b>' },
  subject: 'Invitation to A & B',
  html: '<p>ignored</p>',
  text: 'Hello Ana,\n\nAccept the invitation:\nhttp://localhost:8080/invitation#token=a"b\n\nbye javascript:alert(1)\n',
};

describe('the outbox page', () => {
  it('shows the recipient of a letter, its time, and its link as a clickable one', () => {
    const markup = outboxPage([letter]).body.text;
    expect(markup).toContain('Invitation to A &amp; B</h2>');
    expect(markup).toContain('Ana &lt;b&gt;, <span class="address">ana@example.com</span>');
    expect(markup).toContain('<time datetime="2026-11-21T15:30:00.120Z">2026-11-21 15:30:00 UTC</time>');
    expect(markup).toContain(
      '<a href="http://localhost:8080/invitation#token=a&quot;b">http://localhost:8080/invitation#token=a&quot;b</a>',
    );
  });

  it('uses nothing of the HTML of the letter and turns only web addresses into links', () => {
    const markup = outboxPage([letter]).body.text;
    expect(markup).not.toContain('ignored');
    expect(markup.match(/<a /g)).toHaveLength(1);
  });

  it('says that there is nothing to show', () => {
    expect(outboxPage([]).body.text).toContain('No mail has been written');
  });
});
