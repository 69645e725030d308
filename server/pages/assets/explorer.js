/** Sets up the explorer so that no request leaves this origin, and so that it calls the installation it came from. */
const { createApiReference } =
  /** @type {{ Scalar: { createApiReference: (target: Element, options: object) => void } }} */ (
    /** @type {unknown} */ (window)
  ).Scalar;
const target = /** @type {HTMLElement} */ (document.getElementById('explorer'));
target.replaceChildren();
// The library sets light colours when it loads, and again when it first queries the system: dark pages would flash, and
// Chromium leaves some text in the colour of the flash. Setting the mode and storing a choice beforehand prevents both.
const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const chosen = localStorage.getItem('colorMode');
const mode = chosen ?? preferred;
document.body.classList.toggle('dark-mode', mode === 'dark');
document.body.classList.toggle('light-mode', mode !== 'dark');
if (chosen === null) {
  localStorage.setItem('colorMode', preferred);
  // A mode that the reader did not choose is not stored, so the next visit follows the system again.
  addEventListener('pagehide', () => {
    if (localStorage.getItem('colorMode') === preferred) localStorage.removeItem('colorMode');
  });
}

createApiReference(target, {
  url: '/explorer/openapi.json',
  servers: [{ url: location.origin, description: 'This installation' }],
  // Fonts, telemetry, the assistant and the proxy would all call another host.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  theme: 'default',
  // Every operation has its own samples, for curl and both SDKs.
  hiddenClients: true,
  authentication: {
    preferredSecurityScheme: 'API key',
    securitySchemes: {
      'OAuth 2.0 token': {
        flows: {
          clientCredentials: {
            tokenUrl: `${location.origin}/oauth/token`,
            // RFC 6749 section 2.3.1: the form is the alternative to HTTP Basic; a key's characters need no encoding in
            // it.
            'x-scalar-credentials-location': 'body',
          },
        },
      },
    },
  },
});
