/** The settings of the providers of verifications. Used by settings-page.tsx. */
import type { Schemas } from '../../core/api.ts';
import { kindsIn } from './kinds.tsx';
import { membersOf, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';

type Settings = Schemas['ProviderSettings'];
type Type = keyof Settings;
/** Primary and fallback provider as one choice. */
type Route = 'none' | 'embedded' | 'connector' | 'embedded_connector' | 'connector_embedded';
type Draft = Record<Type, Route>;

const TYPES: readonly Type[] = ['documentOcr', 'faceMatch', 'liveness', 'registry'];
/** The service itself reads documents only. */
const ROUTES: Readonly<Record<Type, readonly Route[]>> = {
  documentOcr: ['embedded', 'connector', 'embedded_connector', 'connector_embedded', 'none'],
  faceMatch: ['connector', 'none'],
  liveness: ['connector', 'none'],
  registry: ['connector', 'none'],
};

const OF: Readonly<Record<Route, Schemas['ProviderRouteUpdate']>> = {
  none: { primary: null, fallback: null },
  embedded: { primary: 'embedded', fallback: null },
  connector: { primary: 'connector', fallback: null },
  embedded_connector: { primary: 'embedded', fallback: 'connector' },
  connector_embedded: { primary: 'connector', fallback: 'embedded' },
};

function routeOf({ primary, fallback }: Settings[Type]): Route {
  const found = (Object.keys(OF) as Route[]).find(
    (route) => OF[route].primary === primary && OF[route].fallback === fallback,
  );
  return found ?? 'none';
}

/** Who runs each type of verification, and who is asked if that is not possible. */
export const providers = (t: SettingsWords): Section<Draft> => {
  const w = t.sections.providers;
  const { choice } = kindsIn(t);
  const of = membersOf<Draft>('/providers');
  return {
    key: 'providers',
    title: w.title,
    explanation: w.explanation,
    toCome: null,
    draftOf: ({ providers: { documentOcr, faceMatch, liveness, registry } }) => ({
      documentOcr: routeOf(documentOcr),
      faceMatch: routeOf(faceMatch),
      liveness: routeOf(liveness),
      registry: routeOf(registry),
    }),
    patchOf: (draft, names) => ({
      providers: Object.fromEntries(names.map((name) => [name, OF[draft[name]]])),
    }),
    members: TYPES.map((type) =>
      of(
        type,
        choice(
          w.types[type],
          ROUTES[type].map((route) => [route, w.routes[route]] as const),
        ),
      ),
    ),
  };
};
