import { describe, expect, it } from 'vitest';
import { outboxPage } from './outbox.ts';

const letter = {
  id: '0197a000-0000-7000-8000-000000000001', template: 'invitation', queuedAt: '2026-11-21T15:30:00.120Z',
  to: { address: 'ana@example.com', name: 'Ana <b>' }, subject: 'Invitation to A & B', html: '<p>ignored</p>',
  text: 'Hello Ana,\n\nAccept the invitation:\nhttp://localhost:8080/invitation#token=a"b\n\nbye javascript:alert(1)\n',
};

describe('the outbox page', () => {
  it('shows whom a letter is for, when it was written, and its link as one that can be followed', () => {
    const markup = outboxPage([letter]).body.text;
    expect(markup).toContain('Invitation to A &amp; B</h2>');
    expect(markup).toContain('Ana &lt;b&gt;, <span class="address">ana@example.com</span>');
    expect(markup).toContain('<time datetime="2026-11-21T15:30:00.120Z">2026-11-21 15:30:00 UTC</time>');
    expect(markup).toContain('<a href="http://localhost:8080/invitation#token=a&quot;b">http://localhost:8080/invitation#token=a&quot;b</a>');
  });

  it('takes nothing from the HTML of the letter and makes links only of addresses of the web', () => {
    const markup = outboxPage([letter]).body.text;
    expect(markup).not.toContain('ignored');
    expect(markup.match(/<a /g)).toHaveLength(1);
  });

  it('says when there is nothing to show', () => {
    expect(outboxPage([]).body.text).toContain('No mail has been written');
  });
});
