/** What stopped an instance, and how it goes on. Shown by instance-page.tsx. */
import { useState } from 'react';
import { api, client } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { NoteDialog } from './note-dialog.tsx';
import type { Incident } from './workflow-words.ts';

const words = inLanguages({
  en: {
    title: 'What stopped it',
    stopped: 'stopped',
    resolve: 'Do it again',
    about: 'Remove the cause first, for example by other variables. If it fails again, that is a new incident.',
    resolved: 'It is being done again.',
  },
  pt: {
    title: 'O que a parou',
    stopped: 'parado',
    resolve: 'Fazer de novo',
    about: 'Remova antes a causa, por exemplo com outras variáveis. Se falhar de novo, é um novo incidente.',
    resolved: 'Está sendo feito de novo.',
  },
});

export function InstanceIncidents({ instanceId }: { readonly instanceId: string }) {
  const t = useWords(words);
  const incidents = api.useQuery('get', '/v1/workflows/incidents', {
    params: { query: { instanceId, status: ['open'], limit: 100 } },
  });
  return (
    <Section title={t.title}>
      <Loaded query={incidents}>
        {({ items }) => (
          <ul>
            {items.map((incident) => (
              <OneIncident key={incident.id} incident={incident} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function OneIncident({ incident }: { readonly incident: Incident }) {
  const t = useWords(words);
  const may = useMay();
  const format = useRecordFormat(incident.environment);
  const [resolving, setResolving] = useState(false);
  const { id: workflowIncidentId, elementId, message, createdAt } = incident;
  return (
    <li>
      <span className="row">
        <Badge tone="danger">{t.stopped}</Badge> <code>{elementId}</code>
        <span lang="en">{message}</span>
        <time className="muted" dateTime={createdAt}>
          {format.dateTime(createdAt)}
        </time>
        {may('resolveWorkflowIncident') && (
          <Button small onClick={() => setResolving(true)}>
            {t.resolve}
          </Button>
        )}
      </span>
      {resolving && (
        <NoteDialog
          title={t.resolve}
          about={t.about}
          done={t.resolved}
          close={() => setResolving(false)}
          send={(note, idempotencyKey) =>
            answerOf(
              client.POST('/v1/workflows/incidents/{workflowIncidentId}/resolve', {
                params: { path: { workflowIncidentId }, header: { 'Idempotency-Key': idempotencyKey } },
                body: { note },
              }),
            )
          }
        />
      )}
    </li>
  );
}
