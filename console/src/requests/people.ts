import { useEffect, useState } from 'preact/hooks';
import { request } from '../data/client';
import type { Fault } from '../data/fault';
import { PeopleToAsk, StoppedAddresses } from '../generated/operations/requests';
import type { CreateDocumentRequestInput, PersonToAskFragment } from '../generated/types';
import { joinNames, shownName } from '../i18n/names';
import { newPrefix } from '../records/form/draft';
import type { Option } from '../ui/combobox';

/** A document that somebody is to be asked for. */
export interface Wanted {
  /** The document type or the item to renew. */
  readonly name: string;
  readonly input: Pick<
    CreateDocumentRequestInput,
    'expirationItemId' | 'categoryId' | 'holderKind' | 'holderId' | 'requirementId'
  >;
  /** Ids of records whose contact is asked, the first that has one. */
  readonly from: readonly string[];
}

/** Somebody who can be asked: a contact, or an address. */
interface Person {
  readonly id: string | undefined;
  readonly name: string;
  readonly email: string;
}

/** A mail that will be sent: to whom, and for which documents. */
export interface PlannedMail {
  readonly to: Person;
  readonly wanted: readonly Wanted[];
}

/** Records by their ids: their names, and who is asked for their documents. */
export interface Sources {
  readonly names: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, Person>;
}

/** Records that are asked about at once. */
const portion = 100;

function* inPortions<Row>(rows: readonly Row[], size: number): Iterable<readonly Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

const personOf = ({ id, contactName, email }: PersonToAskFragment): Person => ({
  id,
  name: shownName(contactName, email),
  email,
});

/** Reads the names of records, and who is asked for their documents. */
async function readSources(ids: readonly string[], signal: AbortSignal): Promise<Sources | Fault> {
  const names = new Map<string, string>();
  const people = new Map<string, Person>();
  for (const some of inPortions([...new Set(ids)], portion)) {
    const outcome = await request(PeopleToAsk, { ids: [...some] }, signal);
    if (!outcome.ok) return outcome.fault;
    for (const node of outcome.data.nodes) {
      let contact: PersonToAskFragment | null = null;
      if (node?.__typename === 'Contact') {
        contact = node;
        names.set(node.id, personOf(node).name);
      } else if (node?.__typename === 'Vehicle') {
        contact = node.assignedToContact;
        names.set(node.id, shownName(node.vehicleName, node.licensePlate));
      } else if (node?.__typename === 'Company') {
        contact = node.primaryContact;
        names.set(node.id, shownName(node.companyName, node.doingBusinessAs));
      } else if (node?.__typename === 'Location') {
        names.set(node.id, shownName(node.locationName));
      } else if (node?.__typename === 'ExpirationItem') {
        contact = node.contact;
      }
      if (node && contact?.isActive && contact.email) people.set(node.id, personOf(contact));
    }
  }
  return { names, people };
}

/** Reads which of some addresses get no mails. Without an answer, none is known. */
async function readStopped(addresses: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
  const outcome = await request(StoppedAddresses, { addresses: [...addresses] }, signal);
  const stopped = outcome.ok ? outcome.data.stoppedAddresses : [];
  return new Set(stopped.map((address) => address.toLowerCase()));
}

/** Loads what is known of the records whose documents are asked for. */
export function useSources(wanted: readonly Wanted[]): Sources | Fault | undefined {
  const [sources, set] = useState<Sources | Fault>();
  const key = [...new Set(wanted.flatMap(({ from }) => from))].join();
  useEffect(() => {
    const abort = new AbortController();
    readSources(key ? key.split(',') : [], abort.signal).then((read) => {
      if (!abort.signal.aborted) set(read);
    });
    return () => abort.abort();
  }, [key]);
  return sources;
}

/** Loads which addresses of planned mails get none. */
export function useStopped(mails: readonly PlannedMail[]): ReadonlySet<string> {
  const [stopped, set] = useState<ReadonlySet<string>>(new Set());
  const key = mails.map(({ to }) => to.email.toLowerCase()).join(' ');
  useEffect(() => {
    const abort = new AbortController();
    readStopped(key ? key.split(' ') : [], abort.signal).then((read) => {
      if (!abort.signal.aborted) set(read);
    });
    return () => abort.abort();
  }, [key]);
  return stopped;
}

/** Returns the person whom an option of the form stands for. */
function personIn({ id, label, detail }: Option): Person {
  return id.startsWith(newPrefix)
    ? { id: undefined, name: '', email: label.trim() }
    : { id, name: label, email: detail ?? label };
}

/** Names a document and whose it is. */
export const wantedText = ({ name, input: { holderId } }: Wanted, { names }: Sources): string =>
  joinNames(name, holderId ? names.get(holderId) : undefined);

/**
 * Plans the mails: one to each person, for all documents. Chosen people are asked for everything, or else each record's
 * own contact.
 */
export function planMails(
  wanted: readonly Wanted[],
  sources: Sources,
  chosen: readonly Option[],
): { readonly mails: readonly PlannedMail[]; readonly nobody: readonly Wanted[] } {
  if (chosen.length > 0) {
    return { mails: chosen.map((option) => ({ to: personIn(option), wanted })), nobody: [] };
  }
  const mails = new Map<string, { readonly to: Person; readonly wanted: Wanted[] }>();
  const nobody: Wanted[] = [];
  for (const one of wanted) {
    const to = one.from.flatMap((id) => sources.people.get(id) ?? [])[0];
    if (!to) {
      nobody.push(one);
      continue;
    }
    const key = to.email.toLowerCase();
    const mail = mails.get(key) ?? { to, wanted: [] };
    mail.wanted.push(one);
    mails.set(key, mail);
  }
  return { mails: [...mails.values()], nobody };
}
