import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { navigate } from '../../app/router';
import { may } from '../../app/session';
import { useQuery } from '../../data/answers';
import { asSender, request } from '../../data/client';
import { faultOf } from '../../data/fault';
import { RetryUpload, Upload } from '../../generated/operations/inbox';
import { formatBytes } from '../../i18n/dates';
import { formatNumber, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { useAnswers, type WaitingAnswer } from '../../requests/received';
import { askedText, DeclineDialog, recipientName } from '../../requests/steps';
import { Button } from '../../ui/button';
import { addressHere, FilePreview, isShown, type StoredFile, saveFile } from '../../ui/files';
import { Card, PageHead } from '../../ui/page';
import { Bones, FaultNote } from '../../ui/state';
import { Ago, Badge, Reason, unreadReasonText, uploadReasonText } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';
import { ConfirmForm, Frames, firstDateOf, type OpenUpload, OtherFindings, pageOf } from './confirm';
import { Renewals } from './renewing';

interface DrawnPage {
  readonly page: number;
  readonly address: string;
  readonly count: number;
}

/** Fetches the picture of a page. It is undefined if the gateway cannot draw it. */
async function fetchPage(file: StoredFile, page: number): Promise<DrawnPage | undefined> {
  try {
    const url = addressHere(file);
    url.searchParams.set('page', String(page));
    const response = await fetch(url, asSender());
    if (!response.ok) return undefined;
    const address = URL.createObjectURL(await response.blob());
    return { page, address, count: Number(response.headers.get('X-Page-Count') ?? 1) };
  } catch {
    return undefined;
  }
}

interface PagePictureProps {
  readonly file: StoredFile;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Elements that lie on the picture. */
  readonly children: ComponentChildren;
}

/** Renders a page of a PDF as a picture, with buttons for its other pages. If that fails, it shows the file. */
function PagePicture({ file, page, onPage, children }: PagePictureProps) {
  const [drawn, setDrawn] = useState<DrawnPage>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let made: DrawnPage | undefined;
    let isOver = false;
    fetchPage(file, page).then((fetched) => {
      made = fetched;
      if (isOver) return fetched && URL.revokeObjectURL(fetched.address);
      if (fetched) setDrawn(fetched);
      else setFailed(true);
    });
    return () => {
      isOver = true;
      if (made) URL.revokeObjectURL(made.address);
    };
  }, [file.id, page]);
  if (failed) return <FilePreview file={file} />;
  if (!drawn) return <Bones rows={6} />;
  const { count } = drawn;
  const at = t('inbox.page_of', { n: formatNumber(page), count: formatNumber(count) });
  return (
    <div class="stack">
      <div class="framed" aria-busy={drawn.page !== page}>
        <img class="preview" src={drawn.address} alt={`${shownName(file.name)}, ${at}`} />
        {drawn.page === page && children}
      </div>
      {count > 1 && (
        <nav class="line" aria-label={t('inbox.pages')}>
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {t('inbox.page_before')}
          </Button>
          <span class="soft small num" aria-live="polite">
            {at}
          </span>
          <Button disabled={page >= count} onClick={() => onPage(page + 1)}>
            {t('inbox.page_after')}
          </Button>
        </nav>
      )}
    </div>
  );
}

/** Renders what is known about the file, and the file itself if it is stored. */
function FileCard({
  upload,
  date,
  onDate,
}: {
  readonly upload: OpenUpload;
  readonly date: string;
  readonly onDate: (date: string) => void;
}) {
  const { attachment, url, size, type, client, receivedAt, error, reasonCode, state, unreadReason } = upload;
  const [page, setPage] = useState(pageOf(upload, date));
  // The page of a date that was just chosen is shown.
  useEffect(() => setPage(pageOf(upload, date)), [date]);
  const Preview = attachment?.contentType === 'application/pdf' ? PagePicture : FilePreview;
  const isAddress = url !== null && /^https?:\/\//i.test(url);
  return (
    <Card title={t('inbox.file')}>
      <div class="stack">
        {attachment && isShown(attachment) && (
          <Preview file={attachment} page={page} onPage={setPage}>
            <Frames upload={upload} date={date} onChoose={onDate} page={page} />
          </Preview>
        )}
        <OtherFindings upload={upload} />
        <p class="soft small">
          {[size && formatBytes(Number(size)), type, client].filter(Boolean).join(' · ')}
          {' · '}
          {t('inbox.received')} <Ago moment={receivedAt} />
        </p>
        {error !== null && (
          <div>
            <h3>{t('inbox.why')}</h3>
            <Reason text={uploadReasonText(reasonCode)} details={error} />
            {state === 'RECEIVED' && <p class="soft small">{t('inbox.tried_again')}</p>}
          </div>
        )}
        {unreadReason !== null && (
          <div>
            <h3>{t('inbox.unread')}</h3>
            <p>{unreadReasonText(unreadReason)}</p>
          </div>
        )}
        {!attachment && <p class="soft small">{t('inbox.no_preview')}</p>}
        <div class="line">
          {attachment && (
            <Button icon="download" onClick={() => saveFile(attachment)}>
              {shownName(attachment.name)}
            </Button>
          )}
          {!attachment && isAddress && (
            <a href={url} target="_blank" rel="noreferrer">
              {t('inbox.open_file')}
            </a>
          )}
        </div>
      </div>
    </Card>
  );
}

async function retry({ id, version }: OpenUpload): Promise<void> {
  const outcome = await request(RetryUpload, { id, ifVersion: version });
  if (outcome.ok) tell(t('inbox.retried'));
  else tellFault(outcome.fault);
}

/** Returns what the form of an upload is made of. Other changes, as of a further attempt, leave it as it is. */
const formOf = ({ state, needsReview, expirationItem, suggestions, suggestedExpirationDate }: OpenUpload) =>
  JSON.stringify([state, needsReview, expirationItem, suggestions, suggestedExpirationDate]);

interface FileAndFormProps {
  readonly upload: OpenUpload;
  readonly next: string | undefined;
  /** The request that it answers. */
  readonly answer: WaitingAnswer | undefined;
  /** Begins anew with what the upload is now. */
  readonly onAnew: () => void;
}

/** Renders which request a file answers, with the button that sends the answer back. */
function AnswerNote({ answer, next }: Pick<FileAndFormProps, 'next'> & { readonly answer: WaitingAnswer }) {
  const [isDeclining, setDeclining] = useState(false);
  return (
    <div class="note">
      <div class="stack tight grow">
        <p>
          <a class="strong" href={addressOf('DOCUMENT_REQUEST', answer.id)}>
            {askedText(answer)}
          </a>
        </p>
        <p class="soft small breaks">
          {t('requests.from', { name: recipientName(answer) })}
          {answer.receivedAt && (
            <>
              {' · '}
              <Ago moment={answer.receivedAt} />
            </>
          )}
        </p>
        {answer.answer && <p class="pre breaks">{answer.answer}</p>}
        {may('WRITE') && (
          <p>
            <Button icon="back" onClick={() => setDeclining(true)}>
              {t('requests.decline')}
            </Button>
          </p>
        )}
      </div>
      {isDeclining && (
        <DeclineDialog
          asked={answer}
          onClose={() => setDeclining(false)}
          onDone={() => navigate(next ? `/inbox/${encodeURIComponent(next)}` : '/inbox')}
        />
      )}
    </div>
  );
}

/** Renders the file beside the form to file it. Both show the chosen date. */
function FileAndForm({ upload: latest, next, answer, onAnew }: FileAndFormProps) {
  const [begun, begin] = useState(latest);
  const [isTouched, setTouched] = useState(false);
  const isSame = formOf(begun) === formOf(latest);
  const upload = isSame ? latest : begun;
  const { state, expirationItem } = upload;
  const [date, setDate] = useState(firstDateOf(upload, answer?.statedDate ?? ''));
  useEffect(() => {
    if (!isSame && !isTouched) onAnew();
  }, [isSame, isTouched]);
  return (
    <div class="columns uploadcolumns">
      <FileCard upload={upload} date={date} onDate={setDate} />
      <Card title={t('inbox.what')}>
        <div class="stack">
          {!isSame && isTouched && (
            <div class="note near" role="alert">
              <div class="stack tight grow">
                <p>{t('fault.changed')}</p>
                <div class="line">
                  <Button onClick={onAnew}>{t('records.take_theirs')}</Button>
                  <Button onClick={() => begin(latest)}>{t('records.keep_mine')}</Button>
                </div>
              </div>
            </div>
          )}
          {answer && <AnswerNote answer={answer} next={next} />}
          {expirationItem && !answer && (
            <a class="strong" href={addressOf('EXPIRATION_ITEM', expirationItem.id)}>
              {shownName(expirationItem.name)}
            </a>
          )}
          {!may('WRITE') && !expirationItem && <p class="soft">{t('inbox.ask_member')}</p>}
          {may('WRITE') && state !== 'IGNORED' && !answer && (
            <Renewals
              upload={upload}
              date={date}
              onDone={() => navigate(next ? `/inbox/${encodeURIComponent(next)}` : '/inbox')}
            />
          )}
          {may('WRITE') && state !== 'IGNORED' && (
            <ConfirmForm
              upload={upload}
              answer={answer}
              hasNext={next !== undefined}
              date={date}
              onDate={setDate}
              onTouched={setTouched}
              onDone={() => navigate(next ? `/inbox/${encodeURIComponent(next)}` : '/inbox')}
            />
          )}
        </div>
      </Card>
    </div>
  );
}

/** Renders an upload: the file beside the form to file it. */
export function UploadPage({ id }: { readonly id: string }) {
  const [turn, setTurn] = useState(0);
  const { data, fault, isLoading, reload } = useQuery(Upload, { id });
  const answers = useAnswers();
  const upload = data?.record;
  const above = { href: '/inbox', label: t('inbox.title') };
  if (!upload) {
    const gone = !isLoading && !fault ? faultOf('gone') : fault;
    return (
      <>
        <PageHead title={gone ? t('common.no_screen') : '…'} above={above} />
        {gone ? <FaultNote fault={gone} onRetry={reload} /> : <Bones rows={6} />}
      </>
    );
  }
  // The form begins with what the request says.
  if (!answers) return <Bones rows={6} />;
  const { state, needsReview } = upload;
  const isWaiting = state === 'FAILED' || needsReview;
  const answer = answers?.of(upload.expirationItem?.id);
  const waiting = [...new Set([...(answers?.uploads ?? []), ...data.waiting.nodes.map((other) => other.id)])];
  const at = waiting.indexOf(id);
  const next = waiting[at + 1] ?? waiting.find((other) => other !== id);
  return (
    <>
      <PageHead
        title={shownName(upload.filename, id)}
        above={above}
        beside={
          <>
            <Badge urgency={isWaiting ? 'near' : state === 'FILED' ? 'good' : 'plain'}>
              {t(isWaiting ? 'inbox.WAITING' : `inbox.${state}`)}
            </Badge>
            {at >= 0 && <span class="soft small">{t('inbox.waiting', { n: data.waiting })}</span>}
          </>
        }
      >
        {state === 'FAILED' && may('WRITE') && (
          <Button icon="renew" onClick={() => retry(upload)}>
            {t('inbox.retry')}
          </Button>
        )}
      </PageHead>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      <FileAndForm
        key={`${id} ${turn}`}
        upload={upload}
        answer={answer}
        next={next}
        onAnew={() => setTurn(turn + 1)}
      />
    </>
  );
}
