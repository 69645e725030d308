/**
 * The provider that is part of the service: it checks lines of a machine-readable zone that the caller has read. Chosen
 * by index.ts.
 */
import { conclude, check, type Check } from '../../verification/check.ts';
import { judgeDocument, REQUIRED_CHECKS } from '../../verification/document.ts';
import type { VerificationProvider } from './provider.ts';

/** Checks of a document that need its picture. Without a reader of pictures they are not run. */
const OF_PICTURE: readonly Check[] = [
  check('image_quality', 'not_run', 'picture_not_read'),
  check('document_type_supported', 'not_run', 'picture_not_read'),
  check('tamper_signals', 'not_run', 'picture_not_read'),
];

/**
 * The part of the service that checks lines of a machine-readable zone which the caller has read. It does not look at
 * the picture, so that it never passes a document: the printed text was compared with nothing.
 */
export const embeddedProvider: VerificationProvider = {
  id: 'embedded',
  version: '1',
  verify: ({ mrzLines, person, today }) => {
    const { checks: found, fields, mrzType } = judgeDocument({ mrzLines, visual: null }, person, today);
    const checks = [...OF_PICTURE, ...found];
    return Promise.resolve({
      status: conclude(checks, REQUIRED_CHECKS),
      confidence: null,
      checks,
      extracted: { ...fields, mrzType },
    });
  },
};
