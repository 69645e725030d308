/**
 * Draws a PDF in the page. Loaded by document-card.tsx when a PDF is shown, because the library is large. A damaged
 * file shows a message instead; nothing inside a file may run.
 */
import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Loading } from '../../../ui/loaded.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { startWorker } from './trusted-worker.ts';

const words = inLanguages({
  en: {
    page: (number: number, count: number) => `Page ${number} of ${count}`,
    broken: 'The document cannot be shown. Save the file to open it elsewhere.',
  },
  pt: {
    page: (number: number, count: number) => `Página ${number} de ${count}`,
    broken: 'Não foi possível mostrar o documento. Salve o arquivo para abri-lo em outro lugar.',
  },
});

/** Draws each page of a PDF when it scrolls into view. Scripts, forms and links of the file do not work. */
export default function PdfPages({ file }: { readonly file: Blob }) {
  const t = useWords(words);
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let cancelled = false;
    const port = startWorker(workerAddress);
    const worker = PDFWorker.fromPort({ port });
    const opening = file.arrayBuffer().then((data) => {
      const task = getDocument({
        data,
        worker,
        isEvalSupported: false,
        enableXfa: false,
        useSystemFonts: true,
        useWorkerFetch: false,
        verbosity: 0,
      });
      return task.promise;
    });
    opening.then(
      (opened) => {
        if (!cancelled) setPdf(opened);
      },
      () => {
        if (!cancelled) setBroken(true);
      },
    );
    return () => {
      cancelled = true;
      worker.destroy();
      port.terminate();
    };
  }, [file]);
  if (broken) return <Notice tone="warning">{t.broken}</Notice>;
  if (pdf === null) return <Loading />;
  return (
    <>
      {Array.from({ length: pdf.numPages }, (_, index) => (
        <PdfPage key={index} pdf={pdf} number={index + 1} />
      ))}
    </>
  );
}

/** Ratio of A4, used until the page is loaded. */
const USUAL_RATIO = 210 / 297;

function PdfPage({ pdf, number }: { readonly pdf: PDFDocumentProxy; readonly number: number }) {
  const t = useWords(words);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ratio, setRatio] = useState(USUAL_RATIO);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (frame.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) setNear(true);
      },
      { rootMargin: '300px' },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!near) return;
    let drawing: { cancel: () => void } | null = null;
    let cancelled = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (cancelled || canvas.current === null || frame.current === null) return;
      const size = page.getViewport({ scale: 1 });
      setRatio(size.width / size.height);
      const viewport = page.getViewport({
        scale: (frame.current.clientWidth * Math.min(devicePixelRatio, 2)) / size.width,
      });
      canvas.current.width = Math.floor(viewport.width);
      canvas.current.height = Math.floor(viewport.height);
      const canvasContext = canvas.current.getContext('2d');
      if (canvasContext === null) return;
      const task = page.render({ canvasContext, viewport });
      drawing = task;
      await task.promise;
      canvas.current?.setAttribute('data-drawn', 'true');
    };
    // Removing a page while it is drawn is no failure.
    draw().catch(() => undefined);
    return () => {
      cancelled = true;
      drawing?.cancel();
    };
  }, [near, pdf, number]);
  return (
    <div ref={frame} className="pdf-page" style={{ aspectRatio: ratio }}>
      {near && <canvas ref={canvas} role="img" aria-label={t.page(number, pdf.numPages)} />}
    </div>
  );
}
