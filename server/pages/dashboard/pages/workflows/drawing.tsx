/** The diagram of a process or of an instance. It is shown as an image, in which nothing of a file can run. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Loaded } from '../../ui/loaded.tsx';
import './workflows.css';

const words = inLanguages({
  en: { process: 'Diagram of the process', instance: 'Diagram with what is under way, passed and stopped' },
  pt: { process: 'Diagrama do processo', instance: 'Diagrama com o que está em andamento, feito e parado' },
});

interface Props {
  readonly of: 'definition' | 'instance';
  readonly id: string;
  /** Grows with every change, after which the drawing is another. */
  readonly version: number;
}

export function Drawing({ of, id, version }: Props) {
  const t = useWords(words);
  const drawing = useQuery({
    queryKey: ['workflow-drawing', of, id, version],
    queryFn: () => (of === 'definition' ? answerOf(definitionDrawing(id)) : answerOf(instanceDrawing(id))),
    refetchOnWindowFocus: false,
  });
  return (
    <Loaded query={drawing}>
      {(file) => <Picture file={file} name={of === 'definition' ? t.process : t.instance} />}
    </Loaded>
  );
}

const definitionDrawing = (workflowDefinitionId: string) =>
  client.GET('/v1/workflows/definitions/{workflowDefinitionId}/diagram', {
    params: { path: { workflowDefinitionId } },
    parseAs: 'blob',
  });

const instanceDrawing = (workflowInstanceId: string) =>
  client.GET('/v1/workflows/instances/{workflowInstanceId}/diagram', {
    params: { path: { workflowInstanceId } },
    parseAs: 'blob',
  });

function Picture({ file, name }: { readonly file: Blob; readonly name: string }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <div className="workflow-drawing" role="group" aria-label={name} tabIndex={0}>
      {address !== null && <img src={address} alt={name} />}
    </div>
  );
}
