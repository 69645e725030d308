/** Signed checkpoints of the log, for download. Opened by audit-page.tsx. */
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Empty } from '../../ui/notice.tsx';
import { saveJson } from '../../ui/save-file.ts';

const words = inLanguages({
  en: {
    title: 'Checkpoints',
    lead:
      'Signed statements about the log up to a point. Keep some where the service cannot reach them: whoever has ' +
      'one can tell later whether the log was rewritten.',
    events: (count: string) => `${count} events`,
    root: 'root',
    save: 'Download',
    of: (count: string) => `the checkpoint of ${count} events`,
    none: 'No checkpoint yet',
    soon: 'One is made every five minutes when something has happened.',
  },
  pt: {
    title: 'Pontos de verificação',
    lead:
      'Declarações assinadas sobre a trilha até um ponto. Guarde alguns onde o serviço não alcance: quem tem um ' +
      'sabe depois se a trilha foi reescrita.',
    events: (count: string) => `${count} eventos`,
    root: 'raiz',
    save: 'Baixar',
    of: (count: string) => `o ponto de ${count} eventos`,
    none: 'Ainda não há pontos de verificação',
    soon: 'Um é feito a cada cinco minutos quando algo aconteceu.',
  },
});

/** Lists the checkpoints that the service has signed. */
export function CheckpointsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const format = useFormat();
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/audit/checkpoints',
    { params: { query: { limit: 25 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['AuditCheckpointList']) => page.cursor,
    },
  );
  const checkpoints = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Dialog title={t.title} side="right" wide onClose={onClose}>
      <p className="muted">{t.lead}</p>
      <Loaded query={pages}>
        {() =>
          checkpoints.length === 0 ? (
            <Empty title={t.none}>
              <p>{t.soon}</p>
            </Empty>
          ) : (
            <div>
              <ul className="audit-checkpoints">
                {checkpoints.map((checkpoint) => {
                  const count = format.number(checkpoint.treeSize);
                  return (
                    <li key={checkpoint.treeSize}>
                      <div className="audit-what">
                        <strong>{t.events(count)}</strong>
                        <span className="muted">
                          <time dateTime={checkpoint.timestamp}>{format.precise(checkpoint.timestamp)}</time>, {t.root}{' '}
                          <code>{checkpoint.rootHash.slice(0, 12)}…</code>
                        </span>
                      </div>
                      <Button
                        look="quiet"
                        small
                        onClick={() => saveJson(`checkpoint-${checkpoint.treeSize}.json`, checkpoint)}
                      >
                        {t.save}
                        <span className="visually-hidden"> {t.of(count)}</span>
                      </Button>
                    </li>
                  );
                })}
              </ul>
              <More pages={pages} count={checkpoints.length} />
            </div>
          )
        }
      </Loaded>
    </Dialog>
  );
}
