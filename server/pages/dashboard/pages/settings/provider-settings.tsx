/** The settings of the providers of verifications. Used by settings-page.tsx. */
import type { Schemas } from '../../core/api.ts';
import { kindsIn } from './kinds.tsx';
import { membersOf, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';

type Settings = Schemas['ProviderSettings'];
type Provider = Settings['documentOcr']['primary'];
/** Primary and fallback provider as one choice. */
type Route = 'none' | 'embedded' | 'connector' | 'embedded_connector' | 'connector_embedded';
type ConnectorRoute = Extract<Route, 'none' | 'connector'>;

interface Draft {
  readonly documentOcr: Route;
  readonly faceMatch: Route;
  readonly liveness: Route;
  readonly registry: ConnectorRoute;
}

const ROUTES: Readonly<Record<Route, { readonly primary: Provider; readonly fallback: Provider }>> = {
  embedded: { primary: 'embedded', fallback: null },
  connector: { primary: 'connector', fallback: null },
  embedded_connector: { primary: 'embedded', fallback: 'connector' },
  connector_embedded: { primary: 'connector', fallback: 'embedded' },
  none: { primary: null, fallback: null },
};

/** Returns the choice that a route is. One provider named twice, or only as the second, is asked alone. */
function routeOf({ primary, fallback }: Settings['documentOcr']): Route {
  if (primary === null) return fallback ?? 'none';
  if (fallback === null || fallback === primary) return primary;
  return primary === 'embedded' ? 'embedded_connector' : 'connector_embedded';
}

const connectorRoute = ({ primary }: Settings['registry']): ConnectorRoute => primary ?? 'none';

/** Who runs each type of verification, and who is asked if that is not possible. */
export const providers = (t: SettingsWords): Section<Draft> => {
  const w = t.sections.providers;
  const { choice } = kindsIn(t);
  const of = membersOf<Draft>('/providers');
  const everyRoute = [
    ['embedded', w.routes.embedded],
    ['connector', w.routes.connector],
    ['embedded_connector', w.routes.embedded_connector],
    ['connector_embedded', w.routes.connector_embedded],
    ['none', w.routes.none],
  ] as const;
  const connectorOnly = [
    ['connector', w.routes.connector],
    ['none', w.routes.none],
  ] as const;
  return {
    key: 'providers',
    title: w.title,
    explanation: w.explanation,
    draftOf: ({ providers: { documentOcr, faceMatch, liveness, registry } }) => ({
      documentOcr: routeOf(documentOcr),
      faceMatch: routeOf(faceMatch),
      liveness: routeOf(liveness),
      registry: connectorRoute(registry),
    }),
    patchOf: (draft, names) => ({
      providers: {
        ...(names.includes('documentOcr') && { documentOcr: ROUTES[draft.documentOcr] }),
        ...(names.includes('faceMatch') && { faceMatch: ROUTES[draft.faceMatch] }),
        ...(names.includes('liveness') && { liveness: ROUTES[draft.liveness] }),
        ...(names.includes('registry') && { registry: patchOfConnector(draft.registry) }),
      },
    }),
    members: [
      of('documentOcr', choice(w.types.documentOcr, everyRoute)),
      of('faceMatch', choice(w.types.faceMatch, everyRoute)),
      of('liveness', choice(w.types.liveness, everyRoute)),
      of('registry', choice(w.types.registry, connectorOnly)),
    ],
  };
};

const patchOfConnector = (route: ConnectorRoute) => ({ primary: route === 'none' ? null : route });
