/**
 * What the reference and the explorer owe to people without a mouse or a screen: tables that scroll can be reached by
 * keyboard, and fields have names. Both pages draw themselves while one reads, so this looks again after each change.
 */
let scheduled = 0;

repair();
new MutationObserver(() => {
  scheduled ||= requestAnimationFrame(repair);
}).observe(document.documentElement, { childList: true, subtree: true });

function repair() {
  scheduled = 0;
  for (const table of document.querySelectorAll('.md-table-wrapper:not([tabindex]), .markdown table:not([tabindex])')) {
    table.setAttribute('tabindex', '0');
  }
  for (const editor of document.querySelectorAll('.code-input-lite__editor[role="combobox"]')) {
    const label = document.querySelector(`label[for="${CSS.escape(editor.parentElement?.id ?? '')}"]`);
    editor.setAttribute('aria-label', label?.textContent ?? editor.getAttribute('data-placeholder') ?? 'Value');
    // It says that it is a combobox, but never whether it is open: to assistive technology it is a text field.
    editor.setAttribute('role', 'textbox');
  }
}
