/**
 * Lists and ends sessions. Used for the user's own ones (account-page.tsx) and by the team page for those of a member.
 * The program is a guess from what the browser said about itself.
 */
import { useMemo, useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, done } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Problems } from '../../ui/problems.tsx';
import { announce } from '../../ui/toasts.tsx';

const words = inLanguages({
  en: {
    none: 'No open session',
    unknown: 'Unknown program',
    on: (program: string, system: string) => `${program} on ${system}`,
    current: 'This one',
    factor: 'Second factor',
    address: 'unknown address',
    opened: (ip: string, created: string, seen: string) => `${ip}, opened ${created}, last used ${seen}`,
    end: 'End',
    endOf: (program: string) => `End the session of ${program}`,
    ended: 'Session ended.',
    endOthers: 'End all others',
    question: 'End all other sessions?',
    consequence: 'Wherever else you are signed in, you have to sign in again.',
    othersEnded: 'Your other sessions have ended.',
  },
  pt: {
    none: 'Nenhuma sessão aberta',
    unknown: 'Programa desconhecido',
    on: (program: string, system: string) => `${program} no ${system}`,
    current: 'Esta',
    factor: 'Segundo fator',
    address: 'endereço desconhecido',
    opened: (ip: string, created: string, seen: string) => `${ip}, aberta ${created}, usada ${seen}`,
    end: 'Encerrar',
    endOf: (program: string) => `Encerrar a sessão de ${program}`,
    ended: 'Sessão encerrada.',
    endOthers: 'Encerrar todas as outras',
    question: 'Encerrar todas as outras sessões?',
    consequence: 'Onde mais você estiver conectado, será preciso entrar de novo.',
    othersEnded: 'Suas outras sessões terminaram.',
  },
});

/** Lists the sessions of a user, each with a button that ends it. */
export function SessionList({
  userId,
  own,
  mayEnd,
}: {
  readonly userId: string;
  readonly own: boolean;
  readonly mayEnd: boolean;
}) {
  const t = useWords(words);
  const [error, setError] = useState<unknown>(null);
  const [asking, setAsking] = useState(false);
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/users/{userId}/sessions',
    { params: { path: { userId }, query: { limit: 25 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['SessionList']) => page.cursor,
    },
  );
  const sessions = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const revoke = (sessionId: string) =>
    done(client.DELETE('/v1/users/{userId}/sessions', { params: { path: { userId }, query: { sessionId } } }));

  const end = async (sessionId: string) => {
    setError(null);
    try {
      await revoke(sessionId);
      announce(t.ended);
    } catch (refusal) {
      setError(refusal);
    }
    await pages.refetch();
  };
  // Ends the sessions one by one, because the operation that ends all would end this one too.
  const endOthers = async () => {
    const read = () =>
      answerOf(client.GET('/v1/users/{userId}/sessions', { params: { path: { userId }, query: { limit: 25 } } }));
    let page = await read();
    for (;;) {
      for (const { id, current } of page.items) if (!current) await revoke(id);
      if (!page.hasMore) break;
      page = await read();
    }
    announce(t.othersEnded);
    await pages.refetch();
  };

  return (
    <div className="stack">
      {error !== null && <Problems error={error} />}
      <Loaded query={pages}>
        {() =>
          sessions.length === 0 ? (
            <Empty title={t.none} />
          ) : (
            <>
              <ul className="account-sessions">
                {sessions.map((session) => (
                  <Item
                    key={session.id}
                    session={session}
                    end={mayEnd && !session.current ? () => end(session.id) : null}
                  />
                ))}
              </ul>
              {pages.hasNextPage && <More pages={pages} count={sessions.length} />}
              {own && mayEnd && sessions.length > 1 && (
                <div className="buttons">
                  <Button onClick={() => setAsking(true)}>{t.endOthers}</Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
      {asking && (
        <ConfirmDialog title={t.question} action={t.endOthers} danger run={endOthers} onClose={() => setAsking(false)}>
          <p>{t.consequence}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Item({
  session: { ip, userAgent, createdAt, lastSeenAt, current, mfa },
  end,
}: {
  readonly session: Schemas['Session'];
  readonly end: (() => Promise<void>) | null;
}) {
  const t = useWords(words);
  const format = useFormat();
  const name = deviceName(userAgent, t);
  return (
    <li>
      <div>
        <p className="row">
          <strong>{name}</strong>
          {current && <Badge tone="good">{t.current}</Badge>}
          {mfa && <Badge>{t.factor}</Badge>}
        </p>
        <p className="hint">{t.opened(ip ?? t.address, format.relative(createdAt), format.relative(lastSeenAt))}</p>
      </div>
      {end !== null && (
        <Button look="quiet-danger" small aria-label={t.endOf(name)} onClick={() => void end()}>
          {t.end}
        </Button>
      )}
    </li>
  );
}

const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Names the program and the system of a session, as far as its user agent tells them. */
function deviceName(
  userAgent: string | null,
  t: { readonly unknown: string; readonly on: (program: string, system: string) => string },
): string {
  const [program, system] = programOf(userAgent);
  if (program === null) return t.unknown;
  return system === null ? program : t.on(program, system);
}

/** Returns the program and the system in a user agent, if they are known. */
function programOf(userAgent: string | null): readonly [string | null, string | null] {
  if (userAgent === null || userAgent === '') return [null, null];
  const program = PROGRAMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return program === undefined
    ? [userAgent.slice(0, 60), null]
    : [program, SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null];
}
