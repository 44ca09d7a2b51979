import type { SharedQuotas } from '../../access/shared-quotas.js';
import type { Database } from '../../db/connection/database.js';
import { formatDate, parseDate } from '../../domain/dates.js';
import { askingLimits } from '../../domain/document-requests.js';
import { paths } from '../../domain/doors/paths.js';
import { largestFile } from '../../domain/files.js';
import { isUuid } from '../../domain/rules.js';
import { factsOfRequest } from '../../mail/document-request-mail.js';
import { documentRequestTexts } from '../../mail/document-request-texts.js';
import { escapeHtml, fillTemplate, type Language, pickLanguage, shownName } from '../../mail/mail.js';
import { wordDate } from '../../mail/reminder-mail.js';
import {
  type AnswerProblem,
  type AskedDocument,
  answerByLink,
  findAsked,
  type LinkAnswer,
  languageOf,
  openByLink,
} from '../../requests/links.js';
import type { HttpResponse } from '../../web/response.js';
import { formIn, isMultipart, multipartOverheadBytes } from '../request/request.js';
import type { Endpoint, Handle, Incoming, RequestContext } from '../routing/endpoint.js';
import { tellingPageHeaders as headers } from './assets.js';
import { chosenLanguage, countedLink, languageLinks, limitLinks } from './link-pages.js';
import { htmlDocument, type PageFiles, resolveFiles } from './pages.js';

/** Reason why a form was not taken. */
type Problem = AnswerProblem | 'date';

/** A form that was not taken, and why. */
interface Refused {
  readonly requestId: string;
  readonly problem: Problem;
}

/** Addresses of what crops pictures. The page's script loads it when somebody wants it. */
interface CropFiles {
  readonly cropper: string;
  readonly look: string;
}

/** Renders what the page's script needs: its words, a limit, and what it loads. */
function scriptData(language: Language, files: CropFiles): string {
  const data = { ...documentRequestTexts[language].page.script, ...files, most: String(largestFile) };
  return Object.entries(data)
    .map(([name, text]) => ` data-${name}="${escapeHtml(text)}"`)
    .join('');
}

/** Renders the form that sends files. */
function fileForm(language: Language, { id, isReceived }: AskedDocument, wrong: string): string {
  const { page } = documentRequestTexts[language];
  const optional = ` <small>(${escapeHtml(page.optional)})</small>`;
  const described = wrong ? `wrong-${id} hint-${id}` : `hint-${id}`;
  return `<form method="post" enctype="multipart/form-data" class="files">
<input type="hidden" name="request" value="${id}">
<label for="file-${id}">${escapeHtml(page.files)}</label>
<input type="file" id="file-${id}" name="file" multiple accept=".pdf,application/pdf,image/*" aria-describedby="${described}">
<p class="hint" id="hint-${id}">${escapeHtml(page.hint)}</p>
<label for="date-${id}">${escapeHtml(page.statedDate)}${optional}</label>
<input type="date" id="date-${id}" name="date" max="9999-12-31">
<label for="words-${id}">${escapeHtml(page.words)}${optional}</label>
<textarea id="words-${id}" name="words" rows="2" maxlength="${askingLimits.words}"></textarea>
<button>${escapeHtml(isReceived ? page.more : page.send)}</button>
</form>`;
}

/** Renders the form for those who do not have the document. */
function noneForm(language: Language, { id }: AskedDocument): string {
  const { page } = documentRequestTexts[language];
  return `<details>
<summary>${escapeHtml(page.none)}</summary>
<form method="post" enctype="multipart/form-data">
<input type="hidden" name="request" value="${id}">
<label for="none-${id}">${escapeHtml(page.noneHint)}</label>
<textarea id="none-${id}" name="words" rows="2" required maxlength="${askingLimits.words}"></textarea>
<button class="quiet">${escapeHtml(page.sendNone)}</button>
</form>
</details>`;
}

/** Says what was received. */
function receivedText(language: Language, { isReceived, receivedAt, files }: AskedDocument): string {
  const { page } = documentRequestTexts[language];
  if (!isReceived && files > 0)
    return `<p class="partly" role="status">${escapeHtml(page.script.partly)}</p>`;
  if (!isReceived || !receivedAt) return '';
  const date = wordDate(language, formatDate(receivedAt));
  const what = fillTemplate(files > 0 ? page.received : page.receivedWords, { count: files, date });
  return `<p class="done" role="status">${escapeHtml(what)} ${escapeHtml(page.look)}</p>`;
}

/** Renders one request: what is asked, what was received, and the forms. */
function section(language: Language, asked: AskedDocument, refused: Refused | undefined): string {
  const { title, facts } = factsOfRequest(language, asked);
  const { problems } = documentRequestTexts[language];
  const problem =
    refused?.requestId === asked.id ? fillTemplate(problems[refused.problem], { date: '2031-12-31' }) : '';
  const wrong = problem && `<p class="wrong" id="wrong-${asked.id}" role="alert">${escapeHtml(problem)}</p>`;
  const rows = facts.map(
    ({ label, value }) =>
      `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value).replaceAll('\n', '<br>')}</dd>`,
  );
  return `<section class="asked" aria-labelledby="title-${asked.id}">
<h2 id="title-${asked.id}" dir="auto">${escapeHtml(title)}</h2>
${rows.length > 0 ? `<dl>${rows.join('')}</dl>` : ''}
${receivedText(language, asked)}
${wrong}
${fileForm(language, asked, wrong)}
${asked.isReceived ? '' : noneForm(language, asked)}
</section>`;
}

/** Renders the page of a link. Links that open nothing have the same page, whatever the reason. */
function requestPage(
  language: Language,
  asked: readonly AskedDocument[],
  refused: Refused | undefined,
  { styles: [style = '', reading = '', look = ''], modules }: Pick<PageFiles, 'styles' | 'modules'>,
): string {
  const [script = '', cropper = ''] = modules ?? [];
  const texts = documentRequestTexts[language];
  const [first] = asked;
  const title = first ? shownName(language, first.organization) : 'Expiration gateway';
  const lead = first ? fillTemplate(texts.page.lead, { organization: title }) : texts.page.unknown;
  const body = `<main id="main"${first ? ` class="request"${scriptData(language, { cropper, look })}` : ''}>
${first ? '' : '<div class="refusal">'}
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(lead)}</p>
${asked.map((one) => section(language, one, refused)).join('\n')}
${first ? languageLinks(language, texts.page.languages) : '</div>'}
</main>`;
  // Links that open nothing have nothing to tell.
  const head = first ? [`<script src="${script}" type="module"></script>`] : [];
  const styles = [style, reading];
  return htmlDocument({ language, title: escapeHtml(title), head, styles, layout: 'reading', body });
}

interface DocumentRequestOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly quotas: SharedQuotas;
  readonly uptime: () => number;
}

/** An answer, and whether the page's script has sent it. */
interface SentAnswer extends LinkAnswer {
  readonly isByScript: boolean;
}

/** Reads a form. What is no text or no file counts as left out. The page's script also says that it was opened. */
async function answerIn(contentType: string, body: Uint8Array): Promise<SentAnswer | 'date' | 'opened'> {
  const form = await formIn(contentType, body);
  if (form.has('opened')) return 'opened';
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim().slice(0, askingLimits.words).toWellFormed() : '';
  };
  const statedDate = text('date') ? parseDate(text('date')) : null;
  if (statedDate === undefined) return 'date';
  // A browser sends an empty file without a name where none was chosen.
  const sent = form
    .getAll('file')
    .filter((file) => file instanceof File && (file.size > 0 || file.name)) as File[];
  const files = await Promise.all(
    sent
      .slice(0, askingLimits.files + 1)
      .map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  // PostgreSQL stores no NUL.
  return {
    requestId: text('request').toLowerCase(),
    files,
    words: text('words').replaceAll('\0', '') || null,
    statedDate,
    isByScript: form.has('script'),
    isPart: form.has('more'),
  };
}

/**
 * Creates the endpoint of links that ask for documents. GET shows what is asked and changes nothing, because scanners of
 * mail open links before people do. POST takes files and words. Nothing is shown of the workspace but what is asked, and
 * nothing of what was received but how much it is.
 */
export function documentRequestEndpoint({
  database,
  clock,
  quotas,
  uptime,
}: DocumentRequestOptions): Endpoint {
  const use = limitLinks({
    ...{ quotas, uptime, kind: 'request', perMinute: askingLimits.perMinute },
    message: documentRequestTexts.en.problems.often,
  });

  /** Finds what a link asks for, and counts the use. */
  async function find({ id = '' }: Incoming, exchange: RequestContext): Promise<AskedDocument[]> {
    const asked = await findAsked(database, id, clock());
    use(id, asked.length > 0, exchange.sender);
    return asked;
  }

  async function answer(
    { header, query }: Incoming,
    asked: readonly AskedDocument[],
    refused?: Refused,
  ): Promise<HttpResponse> {
    const { styles, modules } = await resolveFiles(
      ['style.css', 'reading.css', 'corners.css'],
      [],
      ['asked.js', 'crop.js'],
    );
    const accepted = (header('accept-language') ?? '').split(/[,;\s]+/);
    const language =
      chosenLanguage(query) ?? (asked.length > 0 ? languageOf(asked) : pickLanguage(...accepted));
    const status = asked.length === 0 ? 404 : refused ? 400 : 200;
    return { status, headers, body: requestPage(language, asked, refused, { styles, modules }) };
  }

  const show: Handle = async (request, exchange) => answer(request, await find(request, exchange));
  const act: Handle = async (request, { body }) => {
    const { id = '', header, query } = request;
    const asked = await findAsked(database, id, clock());
    const type = header('content-type');
    if (asked.length === 0 || !isMultipart(type)) return answer(request, []);
    const given = await answerIn(type, body);
    if (given === 'opened') {
      await openByLink(database, id, clock());
      return { status: 204, headers, body: null };
    }
    const [first] = asked;
    if (given === 'date') return answer(request, asked, { requestId: first?.id ?? '', problem: 'date' });
    const result = isUuid(given.requestId) ? await answerByLink(database, id, given, clock()) : 'unknown';
    if (result === 'unknown') return answer(request, []);
    if (result !== 'received') return answer(request, asked, { requestId: given.requestId, problem: result });
    // The script shows the page again once it has sent all files.
    if (given.isByScript) return { status: 204, headers, body: null };
    // Reloading the page must not send the files again.
    const lang = chosenLanguage(query);
    const location = `${paths.documentRequest.replace('{id}', id)}${lang ? `?lang=${lang}` : ''}`;
    return { status: 303, headers: { ...headers, Location: location }, body: null };
  };
  return {
    path: paths.documentRequest,
    door: 'page',
    isSecret: true,
    methods: {
      GET: { access: 'public', handle: show },
      POST: {
        access: 'public',
        handle: act,
        // Nobody without a link takes memory.
        admits: async (request, exchange) => {
          const isAsked = (await find(request, exchange)).length > 0;
          // Each link has a share of the memory of its own.
          if (isAsked) exchange.memory.caller = countedLink('request', request.id ?? '');
          return isAsked;
        },
        body: { limit: () => largestFile + multipartOverheadBytes, check: () => {} },
      },
    },
  };
}
