/** Sets up the explorer so that no request leaves this origin, and so that it calls the installation it came from. */
const { createApiReference } = /** @type {{ Scalar: { createApiReference: (target: Element, options: object) => void } }} */ (/** @type {unknown} */ (window)).Scalar;
const target = /** @type {HTMLElement} */ (document.getElementById('explorer'));
target.replaceChildren();
// The library puts itself into light colours when it loads, and once more when it first asks the system: dark pages would flash,
// and Chromium leaves some text in the colour of the flash. So it finds its mode set, and a choice that it need not ask for.
const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const chosen = localStorage.getItem('colorMode');
const mode = chosen ?? preferred;
document.body.classList.toggle('dark-mode', mode === 'dark');
document.body.classList.toggle('light-mode', mode !== 'dark');
if (chosen === null) {
  localStorage.setItem('colorMode', preferred);
  // What nobody chose is not kept: the next visit follows the system again.
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
  // Every operation carries samples of its own, for curl and both SDKs.
  hiddenClients: true,
  authentication: {
    preferredSecurityScheme: 'API key',
    securitySchemes: {
      'OAuth 2.0 token': {
        flows: {
          clientCredentials: {
            tokenUrl: `${location.origin}/oauth/token`,
            // RFC 6749 section 2.3.1: the form is the alternative to HTTP Basic; a key's characters need no encoding in it.
            'x-scalar-credentials-location': 'body',
          },
        },
      },
    },
  },
});
