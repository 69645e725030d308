/**
 * The field that takes a picture with the camera of the device. Used by camera-page.tsx. A picture that is blurred,
 * dark or hidden by a reflection is said to be so before it is uploaded. Only a document with a policy of its own may
 * use the camera (server/pages/dashboard.ts).
 */
import { useEffect, useRef, useState } from 'react';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import type { FieldState } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Flaw, flawsOf, JUDGED_WIDTH } from './picture-quality.ts';
import './camera.css';

const words = inLanguages({
  en: {
    live: 'What the camera sees',
    taken: 'The picture',
    take: 'Take the picture',
    again: 'Take it again',
    starting: 'The camera is starting…',
    refused:
      'The camera cannot be used. Allow it for this page in the settings of the browser, and load the page again.',
    clear: 'The picture is sharp and evenly lit.',
    flaws: {
      dark: 'The picture is too dark. Look for more light.',
      blurred: 'The picture is blurred. Hold the device still, and wait until the camera has focused.',
      glare: 'A reflection hides a part. Tilt the document, or turn off the flash.',
    },
  },
  pt: {
    live: 'O que a câmera vê',
    taken: 'A foto',
    take: 'Tirar a foto',
    again: 'Tirar de novo',
    starting: 'A câmera está abrindo…',
    refused: 'A câmera não pode ser usada. Permita o uso nas configurações do navegador e carregue a página de novo.',
    clear: 'A foto está nítida e bem iluminada.',
    flaws: {
      dark: 'A foto está escura demais. Procure mais luz.',
      blurred: 'A foto está tremida. Segure o aparelho firme e espere a câmera focar.',
      glare: 'Um reflexo esconde uma parte. Incline o documento ou desligue o flash.',
    },
  },
});

type Camera = { readonly stream: MediaStream } | 'starting' | 'refused';

/** The rear camera of a telephone, at a resolution at which a zone is legible. */
const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: 'environment', width: { ideal: 2560 }, height: { ideal: 1440 } },
};

/** Opens the camera while the component is shown, and lets it go afterwards. */
function useCamera(): Camera {
  const [camera, setCamera] = useState<Camera>('starting');
  useEffect(() => {
    let isOver = false;
    let opened: MediaStream | undefined;
    const release = () => opened?.getTracks().forEach((track) => track.stop());
    const open = async (): Promise<void> => {
      try {
        opened = await navigator.mediaDevices.getUserMedia(WANTED);
        if (isOver) release();
        else setCamera({ stream: opened });
      } catch {
        setCamera('refused');
      }
    };
    void open();
    return () => {
      isOver = true;
      release();
    };
  }, []);
  return camera;
}

interface Taken {
  readonly file: File;
  readonly flaws: readonly Flaw[];
}

/** Takes what a video shows now. */
async function pictureOf(video: HTMLVideoElement): Promise<Taken> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('the browser cannot draw');
  const drawn = (width: number): CanvasRenderingContext2D => {
    canvas.width = width;
    canvas.height = Math.round((width * video.videoHeight) / video.videoWidth);
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    return context;
  };
  const flaws = flawsOf(drawn(JUDGED_WIDTH).getImageData(0, 0, canvas.width, canvas.height));
  drawn(video.videoWidth);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
  if (blob === null) throw new Error('the browser cannot write the picture');
  return { file: new File([blob], `camera-${Date.now()}.jpg`, { type: 'image/jpeg' }), flaws };
}

export function Viewfinder({ field: { id, value, messages, change } }: { readonly field: FieldState<File | null> }) {
  const t = useWords(words);
  const camera = useCamera();
  const video = useRef<HTMLVideoElement>(null);
  // A video without a first frame has no size, so no picture can be taken of it.
  const [isReady, setIsReady] = useState(false);
  const [flaws, setFlaws] = useState<readonly Flaw[]>([]);
  const stream = typeof camera === 'string' ? null : camera.stream;
  const isLive = stream !== null && value === null;
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream, isLive]);
  if (camera === 'refused') return <Notice tone="warning">{t.refused}</Notice>;
  if (camera === 'starting') return <p role="status">{t.starting}</p>;
  const take = async (): Promise<void> => {
    if (video.current === null) return;
    const { file, flaws: found } = await pictureOf(video.current);
    setFlaws(found);
    change(file);
  };
  const again = (): void => {
    setIsReady(false);
    change(null);
  };
  return (
    <div className="viewfinder">
      {value === null ? (
        <video ref={video} autoPlay playsInline muted aria-label={t.live} onLoadedData={() => setIsReady(true)} />
      ) : (
        <Preview file={value} label={t.taken} />
      )}
      {value !== null && (
        <Notice tone={flaws.length > 0 ? 'warning' : 'good'} role="status">
          {flaws.length > 0 ? flaws.map((flaw) => t.flaws[flaw]).join(' ') : t.clear}
        </Notice>
      )}
      <Button
        id={id}
        look={value === null ? 'primary' : 'plain'}
        aria-describedby={messages.length > 0 ? `${id}-error` : undefined}
        busy={value === null && !isReady}
        onClick={() => (value === null ? void take() : again())}
      >
        {value === null ? t.take : t.again}
      </Button>
      {messages.length > 0 && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {messages.join(' ')}
        </p>
      )}
    </div>
  );
}

/** Shows a picture from memory. */
function Preview({ file, label }: { readonly file: File; readonly label: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <img src={address} alt={label} />;
}
