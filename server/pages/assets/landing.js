/** This script of the start page shows whether the service is ready. */
void showStatus();

async function showStatus() {
  const status = /** @type {HTMLElement} */ (document.getElementById('status'));
  const [state, words] = /** @type {[string, string]} */ (
    await fetch('/readyz', { headers: { Accept: 'application/json' }, cache: 'no-store' })
      .then(async (response) => {
        await response.text();
        return response.ok ? ['ready', 'Ready for requests'] : ['down', 'Not ready'];
      })
      .catch(() => ['down', 'Not reachable'])
  );
  status.dataset.state = state;
  /** @type {HTMLElement} */ (status.querySelector('[data-text]')).textContent = words;
}
