/** Sets up the explorer so that no request leaves this origin, and so that it calls the installation it came from. */
const { createApiReference } = /** @type {{ Scalar: { createApiReference: (target: Element, options: object) => void } }} */ (/** @type {unknown} */ (window)).Scalar;
const target = /** @type {HTMLElement} */ (document.getElementById('explorer'));
target.replaceChildren();
// The explorer sets this itself, but after its first drawing: dark pages would flash.
document.body.classList.add(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark-mode' : 'light-mode');

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
    preferredSecurityScheme: 'apiKey',
    securitySchemes: {
      oauth2: {
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
