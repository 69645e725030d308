import type { UploadedFile } from '../contract/request.ts';
import type { BodyLimits } from './body-limits.ts';
import { hasBody, readBody, type Hold } from './body.ts';
import type { Exchange } from './exchange.ts';
import { readForm } from './form.ts';
import { readJson } from './json-reader.ts';
import { isUtf8Declared, mediaTypeOf } from './media-type.ts';
import { isJson } from './outcome.ts';
import { Problem } from './problem.ts';
import { readMultipart } from './uploads.ts';

const MULTIPART = 'multipart/form-data';

/** What an operation takes as a body. */
export interface BodyRule {
  readonly mediaTypes: readonly string[];
  readonly required: boolean;
  /** The part of a multipart body that is a file. */
  readonly fileField: string | null;
  /** What a body that is no file may be; null when there is none. */
  readonly limits: BodyLimits | null;
}

export interface Received {
  readonly mediaType: string | null;
  readonly body: unknown;
  readonly file: UploadedFile | undefined;
}

const NOTHING: Received = { mediaType: null, body: undefined, file: undefined };

/** Reads the body that the operation takes; everything about its media type is decided before the first byte is read. */
export function receive({ request, place, awaitBody }: Pick<Exchange, 'request' | 'place' | 'awaitBody'>, rule: BodyRule): Received | Promise<Received> {
  if (rule.mediaTypes.length === 0) return NOTHING;
  const field = request.headers['content-type'];
  const present = hasBody(request);
  if (!present && (field === undefined || !rule.required)) {
    if (rule.required) throw missing(rule);
    return NOTHING;
  }
  const mediaType = field === undefined ? null : mediaTypeOf(field);
  if (mediaType === null || !rule.mediaTypes.includes(mediaType)) throw new Problem('unsupported_media_type');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new Problem('unsupported_media_type', { detail: 'Compressed bodies are not supported.' });
  if (!present) throw missing(rule);
  awaitBody();
  const hold: Hold = (bytes) => place?.hold(bytes);
  return mediaType === MULTIPART ? receiveMultipart(request, rule, hold) : receiveText(request, mediaType, field ?? '', rule, hold);
}

async function receiveText(request: Exchange['request'], mediaType: string, field: string, rule: BodyRule, hold: Hold): Promise<Received> {
  if (!isUtf8Declared(field)) throw new Problem('unsupported_media_type', { detail: 'Only UTF-8 is supported.' });
  const { limits } = rule;
  if (limits === null) throw new TypeError('a body without limits is not part of the dialect');
  const bytes = await readBody(request, limits.bytes, hold);
  if (bytes.length === 0) {
    if (rule.required) throw missing(rule);
    return NOTHING;
  }
  return { mediaType, body: isJson(mediaType) ? readJson(bytes, limits.shape) : readForm(bytes), file: undefined };
}

async function receiveMultipart(request: Exchange['request'], { fileField }: BodyRule, hold: Hold): Promise<Received> {
  if (fileField === null) throw new TypeError('a multipart body without a file is not part of the dialect');
  const { fields, file } = await readMultipart(request, fileField, hold);
  return { mediaType: MULTIPART, body: fields, file };
}

function missing({ mediaTypes }: BodyRule): Problem {
  return mediaTypes.includes(MULTIPART) ? new Problem('multipart_malformed', { detail: 'The body is missing.' })
    : new Problem('malformed_json', { detail: 'The body is missing.' });
}
