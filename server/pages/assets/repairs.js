/**
 * Makes the reference and the explorer accessible without a mouse or a screen: scrolling areas can be reached by
 * keyboard, and fields and buttons have names. Both pages render while the reader scrolls, so this runs after each
 * change.
 */
let scheduled = 0;

repair();
new MutationObserver(() => {
  scheduled ||= requestAnimationFrame(repair);
}).observe(document.documentElement, { childList: true, subtree: true });

function repair() {
  scheduled = 0;
  for (const scroller of document.querySelectorAll(
    ':is(.md-table-wrapper, .markdown table, ul.endpoints):not([tabindex])',
  )) {
    scroller.setAttribute('tabindex', '0');
  }
  for (const button of document.querySelectorAll('button[class~="group/copy-button"]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  // WCAG 2.5.3: the accessible name of a button must contain its visible text.
  for (const button of document.querySelectorAll('button[aria-label]:is(.show-more, [aria-haspopup="menu"])')) {
    const [written, label] = [button.textContent?.trim() ?? '', button.getAttribute('aria-label') ?? ''];
    if (!label.toLowerCase().includes(written.toLowerCase())) button.setAttribute('aria-label', `${label}: ${written}`);
  }
  // The placeholder looks like a secret that was already entered.
  for (const field of document.querySelectorAll('input[placeholder^="QUxMIFlPVVIg"]'))
    field.setAttribute('placeholder', 'Paste it here');
  for (const editor of document.querySelectorAll('.code-input-lite__editor[role="combobox"]')) {
    const label = document.querySelector(`label[for="${CSS.escape(editor.parentElement?.id ?? '')}"]`);
    editor.setAttribute('aria-label', label?.textContent ?? editor.getAttribute('data-placeholder') ?? 'Value');
    // It claims to be a combobox but never says whether it is open. For assistive technology it is a text field.
    editor.setAttribute('role', 'textbox');
  }
}
