/** Tests of every mail: both languages, links, escaped names. */
import { describe, expect, it } from 'vitest';
import { compose, localeOf, type Template, templateContext } from './compose.ts';
import { type TemplateName, templates } from './templates/index.ts';

const at = new Date('2026-11-21T15:30:00Z');
const values = {
  tenantName: 'Banco & Filhos <script>',
  inviterName: 'Ana "Souza"',
  administratorName: "D'Ávila",
  token: 'a+b/c=',
  expiresAt: at,
  at,
  until: at,
  ip: '203.0.113.7',
  remaining: 9,
  deciderName: 'Bruno Lima',
  listTitle: 'United Nations Security Council Consolidated List',
  screeningId: '0197f2e0-11aa-7b0c-8d3e-4f5a6b7c8d9e',
  dueAt: at,
  count: 3,
  critical: 1,
  process: 'onboarding',
  instanceId: '0197f301-40aa-7c0d-8e1f-2a3b4c5d6e7f',
};
const names = Object.keys(templates) as TemplateName[];

function letter(name: TemplateName, locale: 'en' | 'pt-BR', recipient: string | null = 'Maria') {
  const content = (templates[name] as Template<unknown>)[locale](
    values,
    templateContext(locale, 'https://onboarding.example.com'),
  );
  return compose(content, { address: 'maria@example.com', name: recipient }, locale);
}

describe.each(names)('the mail %s', (name) => {
  it('has content in both languages, as text and as HTML', () => {
    const [en, pt] = [letter(name, 'en'), letter(name, 'pt-BR')];
    expect(en.subject).not.toBe(pt.subject);
    expect(en.text).toMatch(/^Hello Maria,\n\n/);
    expect(pt.text).toMatch(/^Olá, Maria,\n\n/);
    for (const { text, html } of [en, pt]) {
      expect(text).not.toMatch(/undefined|\[object|NaN/);
      expect(html).not.toMatch(/undefined|\[object|NaN|<script/);
    }
  });
});

describe('a mail', () => {
  it('carries its token in the fragment of the link', () => {
    expect(letter('passwordReset', 'en').text).toContain('\nhttps://onboarding.example.com/reset#token=a%2Bb%2Fc%3D\n');
    expect(letter('invitation', 'pt-BR').html).toContain(
      '<a href="https://onboarding.example.com/invitation#token=a%2Bb%2Fc%3D">Aceitar o convite</a>',
    );
  });

  it('shows times in the time zone of its reader', () => {
    expect(letter('passwordReset', 'en').text).toContain('November 21, 2026 at 3:30 PM UTC');
    expect(letter('passwordReset', 'pt-BR').text).toContain('21 de novembro de 2026 às 12:30 (horário de Brasília)');
  });

  it('escapes names in HTML and leaves them unchanged in text', () => {
    const { text, html } = letter('invitation', 'en', '<b>Maria</b>');
    expect(text).toContain('Ana "Souza" invites you to work with Banco & Filhos <script>');
    expect(html).toContain('<p>Hello &lt;b&gt;Maria&lt;/b&gt;,</p>');
    expect(html).toContain('Ana &quot;Souza&quot; invites you to work with Banco &amp; Filhos &lt;script&gt;');
  });

  it('greets a recipient who has no name yet', () => {
    expect(letter('ownerInvitation', 'en', null).text).toMatch(/^Hello,\n/);
  });

  it('keeps subject and names on one line, without characters that reverse the text direction', () => {
    const content = { subject: 'One\r\nBcc: x@example.com \u202Eterces', paragraphs: ['Two\nlines\u2029here'] };
    const { subject, text, to } = compose(
      content,
      { address: 'a@example.com', name: `A\r\n\0B${'c'.repeat(300)}` },
      'en',
    );
    expect(subject).toBe('One Bcc: x@example.com terces');
    expect(to.name).toBe(`A B${'c'.repeat(77)}`);
    expect(text).toContain('\n\nTwo lines here\n\n');
  });

  it('is in English if there is no translation', () => {
    expect(['pt-BR', 'pt', 'PT-PT', 'en', 'es', null, undefined].map(localeOf)).toEqual([
      'pt-BR',
      'pt-BR',
      'pt-BR',
      'en',
      'en',
      'en',
      'en',
    ]);
  });
});
