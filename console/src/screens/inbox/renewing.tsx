import { addressOf } from '../../app/addresses';
import { may } from '../../app/session';
import { useQuery } from '../../data/answers';
import { type DataOf, request } from '../../data/client';
import { UpdateExpirationItem } from '../../generated/operations/expirationItem';
import { ConfirmUpload, RenewableItems, UnsettledFiles } from '../../generated/operations/inbox';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { joinNames, shownName } from '../../i18n/names';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { tell, tellFault } from '../../ui/toast';
import type { OpenUpload } from './confirm';

/** An item that a document renews. */
interface Renewed {
  readonly id: string;
  readonly name: string;
  readonly expirationDate: string | null;
  readonly renewalsLeft?: number | null | undefined;
}

/** The upload whose document renews an item. */
interface Renewing {
  readonly id: string;
  readonly version: string;
}

/**
 * Renews an item with the document of an upload, which goes there. The date can be taken back; the file stays.
 * @returns whether it was done
 */
async function renewWith(upload: Renewing, item: Renewed, date: string): Promise<boolean> {
  const input = { expirationItemId: item.id, expirationDate: date, renew: true };
  const outcome = await request(ConfirmUpload, { id: upload.id, ifVersion: upload.version, input });
  if (!outcome.ok) {
    tellFault(outcome.fault);
    return false;
  }
  const { id, name, expirationDate, renewalsLeft } = item;
  const undo = async () => {
    const before = { expirationDate, ...(renewalsLeft !== undefined && { renewalsLeft }) };
    const undone = await request(UpdateExpirationItem, { id, input: before });
    if (undone.ok)
      tell(t('inbox.date_back', { item: shownName(name), date: formatDay(expirationDate ?? '') }));
    else tellFault(undone.fault);
  };
  tell(
    t('inbox.renewed', { item: shownName(name), date: formatDay(date) }),
    expirationDate === null ? undefined : undo,
    { href: addressOf('EXPIRATION_ITEM', id), words: t('camera.look') },
    t('inbox.take_date_back'),
  );
  return true;
}

type Node = NonNullable<DataOf<typeof RenewableItems>['nodes'][number]>;

/** Checks that a record is an item that the caller sees. */
const isItem = (node: Node | null): node is Extract<Node, { isActive: boolean }> =>
  node !== null && 'isActive' in node;

interface RenewalsProps {
  readonly upload: OpenUpload;
  /** The chosen date. */
  readonly date: string;
  readonly onDone: () => void;
}

/** Renders the items that a document may renew. One click renews one, and the file goes there. */
export function Renewals({ upload, date, onDone }: RenewalsProps) {
  const found = upload.suggestions.filter(({ field }) => field === 'EXPIRATION_ITEM');
  const ids = found.map(({ value }) => value);
  const { data } = useQuery(ids.length > 0 ? RenewableItems : undefined, { ids });
  const items = (data?.nodes ?? []).flatMap((item) =>
    isItem(item) && item.isActive && (!item.expirationDate || item.expirationDate < date) ? [item] : [],
  );
  if (items.length === 0 || !date) return null;
  return (
    <section class="stack tight renewals" aria-labelledby="renewals">
      <h3 id="renewals">{t('inbox.renews')}</h3>
      <ul class="rows">
        {items.map((item, at) => {
          const { words, reason } = found.find(({ value }) => value === item.id) ?? {};
          return (
            <li key={item.id} class="line far" title={reason}>
              <span class="grow">
                <a class="strong" href={addressOf('EXPIRATION_ITEM', item.id)}>
                  {shownName(item.name)}
                </a>
                <span class="soft small block">
                  {joinNames(
                    item.expirationDate
                      ? t('requests.present', { date: formatDay(item.expirationDate) })
                      : t('status.no_date'),
                    words && `“${words}”`,
                  )}
                </span>
              </span>
              <Button
                weight={at === 0 ? 'first' : 'plain'}
                icon="renew"
                onClick={async () => {
                  if (await renewWith(upload, item, date)) onDone();
                }}
              >
                {t('inbox.renew_until', { date: formatDay(date) })}
              </Button>
            </li>
          );
        })}
      </ul>
      <p class="soft small">{t('inbox.or_new')}</p>
    </section>
  );
}

/** A date that was read in a file, later than the item's. */
interface ReadDate {
  readonly upload: Renewing;
  readonly file: string;
  readonly date: string;
  readonly words: string | null;
}

/** Finds the latest date in the files of an item that nobody has decided about. */
export function useReadDate({ id, expirationDate, isActive }: Renewed & { readonly isActive: boolean }) {
  const { data } = useQuery(may('WRITE') && isActive ? UnsettledFiles : undefined, { itemId: id });
  const dates = (data?.uploadNotifications.nodes ?? []).flatMap((upload) =>
    upload.suggestions.flatMap(({ field, value: date, words }): ReadDate[] =>
      field === 'EXPIRATION_DATE' && (!expirationDate || date > expirationDate)
        ? [{ upload, file: shownName(upload.filename), date, words }]
        : [],
    ),
  );
  return dates.sort((one, other) => (one.date < other.date ? 1 : -1))[0];
}

/** Renders the date that was read in a file of an item. One click renews the item until then. */
export function ReadDateNote({ item, read }: { readonly item: Renewed; readonly read: ReadDate }) {
  const { upload, file, date, words } = read;
  return (
    <div class="note readdate">
      <Icon name="file" />
      <p class="grow breaks">
        {t('inbox.read_in', { file, date: formatDay(date) })} {words && <span class="soft">“{words}”</span>}{' '}
        <a href={addressOf('UPLOAD_NOTIFICATION', upload.id)}>{t('inbox.see_place')}</a>
      </p>
      <Button icon="renew" onClick={() => renewWith(upload, item, date)}>
        {t('inbox.renew_until', { date: formatDay(date) })}
      </Button>
    </div>
  );
}
