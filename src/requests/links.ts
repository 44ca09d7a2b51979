import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { hashToken } from '../access/tokens.js';
import type { Database } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { despiteDeadlocks, type Runs, type Transaction } from '../db/connection/transaction.js';
import { notFrozen } from '../db/queue/queue.js';
import { columnsSql } from '../db/sql/conditions.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { updateRows } from '../db/sql/write.js';
import { gatewayCaller, secretPattern } from '../domain/caller.js';
import { nextModified } from '../domain/dates.js';
import { askingLimits, documentType, plainFileName, statesBefore } from '../domain/document-requests.js';
import { paths } from '../domain/doors/paths.js';
import { GatewayError } from '../domain/errors.js';
import { FileContent } from '../domain/files.js';
import { expirationItems } from '../items/expiration-items.js';
import { type Language, pickLanguage } from '../mail/mail.js';
import { createIn } from '../records/record.js';
import { receiveHeldFile, wakeUploadWorkers } from '../uploads/received-uploads.js';
import { lockForStep, takeStep, tellRequest } from './ask.js';
import type { DocumentRequest } from './document-requests.js';

/** A link and the number of its secret. */
interface LinkRound {
  readonly id: string;
  readonly round: number;
}

/** Returns the secret of a link: 256 bits, which nobody finds without the key. Later mails have the same one. */
const linkSecret = (key: KeyObject, { id, round }: LinkRound): string =>
  createHmac('sha256', key).update(`document request ${id} ${round}`).digest('base64url');

/** Returns the secret of a locked link, whose hash finds it from now on. */
export async function keepSecret(
  tx: Transaction,
  link: LinkRound & { readonly hash: Uint8Array | null },
  key: KeyObject,
): Promise<string> {
  const secret = linkSecret(key, link);
  const hash = hashToken(secret);
  if (link.hash && hash.equals(link.hash)) return secret;
  const store = sql`UPDATE document_request_links SET hash = ${hash} WHERE id = ${link.id}::uuid`;
  await tx.run(prepared('document_request_links.hash', store));
  return secret;
}

/** Returns the address of the page of a link. */
export const documentRequestLink = (origin: string, secret: string): string =>
  `${origin}${paths.documentRequest.replace('{id}', secret)}`;

/**
 * Returns SQL for whether the record of a request is exempt. That is from the requirement that needs the document; without
 * one, it is from all that the type would meet, since the document was asked for.
 */
const exemptSql = (now: Date): Sql => sql`
  SELECT bool_and(EXISTS (
    SELECT FROM exemptions AS exemption
    CROSS JOIN LATERAL (
      SELECT (${now}::timestamptz AT TIME ZONE team.timezone)::date AS today FROM teams AS team WHERE team.id = request.team_id
    ) AS day
    WHERE exemption.requirement_id = requirement.id
      AND (exemption.vehicle_id = request.vehicle_id OR exemption.contact_id = request.contact_id
        OR exemption.company_id = request.company_id OR exemption.location_id = request.location_id)
      AND (request.requirement_id IS NOT NULL OR exemption.created > request.created)
      AND exemption."from" <= day.today AND coalesce(exemption.until, 'infinity') >= day.today
      AND coalesce(exemption.ended_on, 'infinity') > day.today))
  FROM requirements AS requirement
  WHERE requirement.team_id = request.team_id AND requirement.holder_kind = request.holder_kind AND requirement.is_active
    AND CASE WHEN request.requirement_id IS NULL THEN request.category_id = ANY(requirement.any_of)
      ELSE requirement.id = request.requirement_id END`;

/**
 * Returns SQL for the reason why a request is needed no more. It is NULL while it is needed. The rows are named `request` and
 * `link`. A record that was moved to another workspace is gone for the one that asks.
 */
export const endingSql = (now: Date): Sql => {
  const holder = sql`coalesce(request.vehicle_id, request.contact_id, request.company_id, request.location_id)`;
  return sql`
    CASE
      WHEN request.renews AND NOT EXISTS (
        SELECT FROM expiration_items AS item
        WHERE item.id = request.item_id AND item.is_active AND item.team_id = request.team_id) THEN 'ITEM_GONE'
      WHEN request.renews AND EXISTS (
        SELECT FROM expiration_items AS item WHERE item.id = request.item_id
          AND item.expiration_date > coalesce(request.item_date, '-infinity')) THEN 'MET'
      WHEN request.renews AND ${holder} IS NOT NULL AND EXISTS (
        SELECT FROM item_holders AS paper JOIN expiration_items AS item ON item.id = paper.item_id
        WHERE (paper.vehicle_id = request.vehicle_id OR paper.contact_id = request.contact_id
            OR paper.company_id = request.company_id OR paper.location_id = request.location_id)
          AND item.category_id = request.category_id AND item.is_active AND NOT item.is_missing
          AND item.created > request.created AND item.expiration_date > coalesce(request.item_date, '-infinity')) THEN 'MET'
      WHEN request.is_required AND NOT EXISTS (
        SELECT FROM requirements AS requirement WHERE requirement.id = request.requirement_id
          AND requirement.is_active AND requirement.team_id = request.team_id) THEN 'NOT_REQUIRED'
      WHEN request.is_required AND ${holder} IS NOT NULL AND EXISTS (
        SELECT FROM holder_compliances AS own
        WHERE own.kind = upper(request.holder_kind)::holder_kind AND own.holder_id = ${holder}
          AND NOT request.requirement_id = ANY(own.applied_ids)
          -- What has changed since then is evaluated first.
          AND NOT EXISTS (
            SELECT FROM compliance_turns AS turn WHERE turn.team_id = request.team_id AND turn.kind = own.kind
              AND turn.requested_at <= now()
              AND (turn.holder_id IS NULL OR turn.holder_id = own.holder_id))) THEN 'NOT_REQUIRED'
      WHEN ${holder} IS NOT NULL AND (${exemptSql(now)}) THEN 'EXEMPT'
      WHEN request.holder_kind IS NOT NULL AND ${holder} IS NULL
        OR EXISTS (SELECT FROM vehicles WHERE id = request.vehicle_id AND (is_archived OR team_id <> request.team_id))
        OR EXISTS (SELECT FROM companies WHERE id = request.company_id AND (is_archived OR team_id <> request.team_id))
        OR EXISTS (SELECT FROM contacts WHERE id = request.contact_id AND (NOT is_active OR team_id <> request.team_id))
        OR EXISTS (SELECT FROM locations WHERE id = request.location_id AND team_id <> request.team_id) THEN 'HOLDER_GONE'
      WHEN NOT request.renews AND request.category_id IS NULL THEN 'TYPE_GONE'
      WHEN NOT request.renews AND ${holder} IS NOT NULL AND EXISTS (
        SELECT FROM item_holders AS paper JOIN expiration_items AS item ON item.id = paper.item_id
        WHERE (paper.vehicle_id = request.vehicle_id OR paper.contact_id = request.contact_id
            OR paper.company_id = request.company_id OR paper.location_id = request.location_id)
          AND (item.category_id = request.category_id OR item.category_id = ANY(ARRAY(
            SELECT unnest(requirement.any_of) FROM requirements AS requirement WHERE requirement.id = request.requirement_id)))
          AND item.is_active AND NOT item.is_missing
          AND item.created > request.created AND item.expiration_date >= (${now}::timestamptz)::date) THEN 'MET'
      WHEN request.email IS NULL AND NOT EXISTS (
        SELECT FROM contacts AS recipient WHERE recipient.id = request.recipient_id AND recipient.is_active
          AND (link.recipient_key IS NULL OR link.recipient_key = 'mail:' || natural_key(recipient.email))) THEN 'RECIPIENT_GONE'
    END::document_request_ending`;
};

/** A request as the page of its link shows it. */
export interface AskedDocument {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly organization: string;
  readonly workspace: string;
  readonly recipient: string | null;
  /** The address that is asked, if it was typed. */
  readonly email: string | null;
  readonly documentType: string | null;
  /** Name of the vehicle, person, company or location whose document it is. */
  readonly holder: string | null;
  readonly item: string | null;
  /** The present expiration date, `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly message: string | null;
  /** The day by which it is needed, `YYYY-MM-DD`. */
  readonly dueOn: string | null;
  readonly declinedReason: string | null;
  readonly answer: string | null;
  readonly receivedAt: Date | null;
  readonly isReceived: boolean;
  /** Files that were received. */
  readonly files: number;
  readonly bytes: number;
  readonly languages: readonly (string | null)[];
}

/**
 * Reads the open requests of links. What nobody has answered comes first, in the order in which it is needed.
 * @param by what `where` finds the link by, which names the statement
 * @param where condition on `link`
 */
export function readAsked(on: Runs, by: 'secret' | 'id', where: Sql, now: Date): Promise<AskedDocument[]> {
  const statement = sql`
    SELECT request.id, request.organization_id AS "organizationId", request.team_id AS "teamId",
      organization.name AS organization, team.name AS workspace, recipient.name AS recipient, request.email,
      category.name AS "documentType",
      coalesce(vehicle.name, nullif(concat_ws(' ', vehicle.make, vehicle.model), ''), vehicle.license_plate, person.name,
        company.name, company.doing_business_as, location.name)
        || coalesce(', ' || nullif(vehicle.license_plate, vehicle.name), '') AS holder,
      item.name AS item, item.expiration_date::text AS date, request.message, request.due_on::text AS "dueOn",
      request.declined_reason AS "declinedReason", request.answer, request.received_at AS "receivedAt",
      request.state = 'RECEIVED' AS "isReceived", held.files, held.bytes,
      ARRAY[request.language, setting.language, organization.locale] AS languages
    FROM document_request_links AS link
    JOIN document_requests AS request ON request.link_id = link.id
    JOIN organizations AS organization ON organization.id = link.organization_id
    JOIN teams AS team ON team.id = request.team_id
    LEFT JOIN contacts AS recipient ON recipient.id = request.recipient_id
    LEFT JOIN categories AS category ON category.id = request.category_id
    LEFT JOIN expiration_items AS item ON item.id = request.item_id AND item.team_id = request.team_id
    LEFT JOIN vehicles AS vehicle ON vehicle.id = request.vehicle_id AND vehicle.team_id = request.team_id
    LEFT JOIN contacts AS person ON person.id = request.contact_id AND person.team_id = request.team_id
    LEFT JOIN companies AS company ON company.id = request.company_id AND company.team_id = request.team_id
    LEFT JOIN locations AS location ON location.id = request.location_id AND location.team_id = request.team_id
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = link.organization_id AND setting.recipient_key = link.recipient_key
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS files, coalesce(sum(content_length), 0)::float8 AS bytes FROM attachments
      WHERE item_id = request.held_item_id
    ) AS held
    WHERE ${where} AND ${notFrozen('link')} AND request.state IN ('OPEN', 'SENT', 'OPENED', 'RECEIVED')
      AND (request.state = 'RECEIVED' OR ${endingSql(now)} IS NULL)
    ORDER BY request.state = 'RECEIVED', request.due_on NULLS LAST, request.created, request.id
    LIMIT ${raw(String(askingLimits.shown))}`;
  return on.run<AskedDocument>(prepared(`document_request_links.by_${by}`, statement));
}

/** Names whoever uses a link, as events describe them. */
const whoOf = ({ recipient, email }: AskedDocument): string =>
  `${recipient ?? email ?? 'somebody'}, by a link in a mail`;

/** Returns the language of the mails and the page of a link. */
export const languageOf = ([first]: readonly AskedDocument[]): Language =>
  pickLanguage(...(first?.languages ?? []));

const opens = (secret: string, now: Date) =>
  sql`link.hash = ${hashToken(secret)} AND link.expires_at > ${now}::timestamptz`;

/**
 * Finds what a link asks for. Unknown links, and those that have ended, find nothing with the same statement, so that
 * nobody can tell them apart.
 */
export function findAsked(database: Database, secret: string, now: Date): Promise<AskedDocument[]> {
  const run = <Row>(statement: Parameters<Runs['run']>[0]) => database.query<Row>(statement);
  return readAsked({ run }, 'secret', opens(secretPattern.test(secret) ? secret : '', now), now);
}

/** Requests that one transaction notes as opened. Nobody waits long for its locks. */
const openedAtOnce = 50;

/**
 * Notes that a person has opened the page of a link. Some requests are noted at a time. Only its script says so, because
 * programs that scan mail open links, too.
 */
export async function openByLink(database: Database, secret: string, now: Date): Promise<void> {
  const [first] = await findAsked(database, secret, now);
  if (!first) return;
  const { organizationId, teamId } = first;
  const session = new Session(database, { caller: gatewayCaller(organizationId, teamId), now });
  const sent = [...statesBefore('opened')];
  const openSome = () =>
    session.inTransaction(async (tx) => {
      const lock = sql`
        SELECT ${columnsSql('DocumentRequest')} FROM document_requests AS record
        WHERE record.state = ANY (${sent}::document_request_state[]) AND record.link_id IN (
          SELECT link.id FROM document_request_links AS link WHERE ${opens(secret, now)})
        ORDER BY record.id LIMIT ${openedAtOnce} FOR NO KEY UPDATE OF record`;
      const rows = await tx.run<DocumentRequest>(prepared('document_requests.opened', lock));
      for (const row of rows) {
        const opened = await takeStep(tx, session, row, 'opened', { openedAt: row.openedAt ?? now });
        await tellRequest(tx, session, opened, 'request opened', `was opened by ${whoOf(first)}`);
      }
      return rows.length === openedAtOnce;
    });
  // The page shows no more than so many.
  for (let noted = 0; noted < askingLimits.shown; noted += openedAtOnce)
    if (!(await despiteDeadlocks(openSome))) return;
}

/** An answer, as it was sent by link. */
export interface LinkAnswer {
  readonly requestId: string;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly words: string | null;
  readonly statedDate: Date | null;
  /** True if further files of the same answer follow. Nobody can accept it before. */
  readonly isPart?: boolean;
}

/** Reason why an answer was not taken. */
export type AnswerProblem = 'nothing' | 'type' | 'many' | 'large';

/** Result of an answer. `unknown`: the link opens nothing, or not this request. */
export type AnswerResult = 'received' | 'unknown' | AnswerProblem;

/** Returns why an answer is not taken for a request. Only files that are new can be a problem. */
function problemOf(
  sent: LinkAnswer,
  files: LinkAnswer['files'],
  { files: count, bytes, isReceived }: AskedDocument,
): AnswerProblem | undefined {
  // The last part of an answer may have nothing but its end.
  const isEnd = count > 0 && !isReceived;
  if (sent.files.length === 0 && !sent.words && !isEnd) return 'nothing';
  if (files.some((file) => documentType(file.bytes) === undefined)) return 'type';
  if (count + files.length > askingLimits.files) return 'many';
  const sum = files.reduce((total, file) => total + file.bytes.length, bytes);
  return sum > askingLimits.bytes ? 'large' : undefined;
}

/** Makes the archived item that keeps received files. It counts for nothing until somebody accepts it. */
async function holdItem(tx: Transaction, session: Session, asked: AskedDocument, categoryId: string | null) {
  const name = asked.item ?? ([asked.documentType, asked.holder].filter(Boolean).join(', ') || 'Document');
  const draft = { name: name.slice(0, 255).toWellFormed(), isActive: false, teamId: asked.teamId };
  return createIn(tx, session, expirationItems, {
    ...draft,
    ...(categoryId && { category: { id: categoryId } }),
  });
}

/**
 * Takes an answer that was sent by link. It is committed when the promise resolves. The files wait for somebody of the
 * workspace, with whom they appear in the inbox.
 */
export async function answerByLink(
  database: Database,
  secret: string,
  answer: LinkAnswer,
  now: Date,
): Promise<AnswerResult> {
  const looked = (await findAsked(database, secret, now)).find(({ id }) => id === answer.requestId);
  if (!looked) return 'unknown';
  const { organizationId, teamId } = looked;
  const session = new Session(database, { caller: gatewayCaller(organizationId, teamId), now });
  const receive = () =>
    session.inTransaction((tx) => session.within(tx, () => receiveAnswer(tx, session, secret, answer)));
  const result = await despiteDeadlocks(receive).catch((error): AnswerResult => {
    // Somebody has settled the request meanwhile.
    if (error instanceof GatewayError && ['CONFLICT', 'NOT_FOUND'].includes(error.code)) return 'unknown';
    throw error;
  });
  if (result === 'received' && answer.files.length > 0) wakeUploadWorkers(database);
  return result;
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns the key of a file among those that an item keeps. A file that is sent again has the same. */
const keyOfFile = (itemId: string, digest: string): string => `asked:${itemId}:${digest}`;

/** Leaves out repeated files, and those received before. Connections break before their senders know. */
async function newFiles(
  tx: Transaction,
  { heldItemId, organizationId }: DocumentRequest,
  files: LinkAnswer['files'],
): Promise<LinkAnswer['files']> {
  const digests = files.map(({ bytes }) => digestOf(bytes));
  const keys = heldItemId ? digests.map((digest) => keyOfFile(heldItemId, digest)) : [];
  const statement = sql`
    SELECT dedupe_key AS key FROM upload_notifications
    WHERE organization_id = ${organizationId}::uuid AND dedupe_key = ANY (${keys}::text[])`;
  const known =
    keys.length > 0
      ? await tx.run<{ key: string }>(prepared('document_requests.known_files', statement))
      : [];
  const received = new Set(known.map(({ key }) => key));
  return files.filter(
    (_file, index) => digests.indexOf(digests[index] ?? '') === index && !received.has(keys[index] ?? ''),
  );
}

async function receiveAnswer(
  tx: Transaction,
  session: Session,
  secret: string,
  sent: LinkAnswer,
): Promise<AnswerResult> {
  const { now } = session;
  const request = await lockForStep(tx, undefined, sent.requestId, 'received');
  // Asked again under the lock.
  const asked = (await readAsked(tx, 'secret', opens(secret, now), now)).find(({ id }) => id === request.id);
  if (!asked) return 'unknown';
  // The page reads no more than one file too many, so that the others must not count as received.
  if (sent.files.length > askingLimits.files) return 'many';
  const { words, statedDate } = sent;
  const files = await newFiles(tx, request, sent.files);
  const isPart = sent.isPart && !asked.isReceived;
  const isAgain =
    (isPart || asked.isReceived) &&
    files.length === 0 &&
    sent.files.length > 0 &&
    (words === null || words === request.answer) &&
    (statedDate === null || Number(statedDate) === Number(request.statedDate));
  if (isAgain) return 'received';
  const problem = problemOf(sent, files, asked);
  if (problem) return problem;
  const heldItemId =
    request.heldItemId ??
    (files.length > 0 ? (await holdItem(tx, session, asked, request.categoryId)).id : null);
  // Whoever looks at what came before must see this, too: `settleUpload` asks for the version.
  const waiting = sql`
    UPDATE upload_notifications SET modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')
    WHERE id IN (
      SELECT id FROM upload_notifications WHERE expiration_item_id = ${request.heldItemId}::uuid AND needs_review
      ORDER BY id FOR NO KEY UPDATE)`;
  await tx.run(prepared('document_requests.seen_uploads', waiting));
  for (const { name, bytes } of files) {
    const file = {
      content: new FileContent(bytes),
      name: plainFileName(name) || 'document',
      type: documentType(bytes) ?? null,
    };
    if (heldItemId)
      await receiveHeldFile(tx, session, file, heldItemId, keyOfFile(heldItemId, digestOf(bytes)));
  }
  if (isPart) {
    const modified = nextModified(now, request.modified);
    await updateRows(tx, 'DocumentRequest', { id: request.id }, { heldItemId, modified });
    return 'received';
  }
  // What came in parts is one answer, which somebody can look at from now on.
  const whole = sql`
    UPDATE attachments SET created = ${now}::timestamptz WHERE item_id = ${heldItemId}::uuid AND created < ${now}::timestamptz`;
  if (!asked.isReceived && asked.files > 0) await tx.run(prepared('document_requests.whole', whole));
  const row = await takeStep(tx, session, request, 'received', {
    ...{
      heldItemId,
      receivedAt: now,
      answer: words ?? request.answer,
      statedDate: statedDate ?? request.statedDate,
    },
  });
  const count = files.length + (asked.isReceived ? 0 : asked.files);
  const what = count > 0 ? `was answered with ${count === 1 ? 'a file' : `${count} files`}` : 'was answered';
  await tellRequest(tx, session, row, 'request received', `${what} by ${whoOf(asked)}`);
  return 'received';
}
