import { useEffect, useState } from 'preact/hooks';
import { addressOf } from '../app/addresses';
import { type Operation, request } from '../data/client';
import type { Fault } from '../data/fault';
import { allPages, type Page } from '../data/pages';
import {
  CompanyWords,
  ContactWords,
  LocationWords,
  UnlinkedItems,
  VehicleWords,
} from '../generated/operations/compliance';
import { ChangeItems } from '../generated/operations/items';
import type { HolderKind } from '../generated/types';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Check } from '../ui/field';
import { Bones, FaultNote } from '../ui/state';
import { tell, tellFault } from '../ui/toast';
import { type Match, matchesOf, type Named, type Unlinked } from './linking';

/** The most records of a kind that are compared. Of more, it would not be known which names are unique. */
const mostRead = 5_000;
/** The most items that the gateway changes at once. */
const mostAtOnce = 500;

/** Reads a list as a whole. Undefined if it is too long. */
async function readAll<Row>(
  operation: Operation<{ readonly list: Page<Row> }, { first?: number | null; after?: string | null }>,
  signal: AbortSignal,
): Promise<readonly Row[] | undefined | Fault> {
  const rows: Row[] = [];
  const pages = allPages(operation, {}, (data) => data.list, signal);
  let next = await pages.next();
  for (; !next.done; next = await pages.next()) {
    rows.push(...next.value);
    if (rows.length > mostRead) return undefined;
  }
  return next.value ?? rows;
}

/** Items that were found, and what was too much. */
interface Outcome {
  readonly matches: readonly Match[];
  /** Kinds with too many records. */
  readonly left: readonly HolderKind[];
}

const isFault = (value: object): value is Fault => 'violations' in value;

/** Compares the names of all items without a holder with those of all records. */
async function findMatches(signal: AbortSignal): Promise<Outcome | Fault> {
  const items = await readAll<Unlinked>(UnlinkedItems, signal);
  if (items && isFault(items)) return items;
  const known: Named[] = [];
  const left: HolderKind[] = [];
  const lists = [
    ['VEHICLE', VehicleWords],
    ['CONTACT', ContactWords],
    ['COMPANY', CompanyWords],
    ['LOCATION', LocationWords],
  ] as const;
  for (const [kind, operation] of lists) {
    const rows = await readAll<Omit<Named, 'kind'>>(operation, signal);
    if (rows && isFault(rows)) return rows;
    if (rows) known.push(...rows.map((row) => ({ ...row, kind })));
    else left.push(kind);
  }
  return { matches: matchesOf(items ?? [], known), left };
}

const keyOf = ({ item, holder }: Match) => `${item.id} ${holder.id}`;

/** Links items to the records that were chosen for each. Items of the same records are changed together. */
async function link(matches: readonly Match[]): Promise<Fault | undefined> {
  const items = new Map<string, { readonly item: Unlinked; readonly holders: Named[] }>();
  for (const { item, holder } of matches) {
    const one = items.get(item.id);
    if (one) one.holders.push(holder);
    else items.set(item.id, { item, holders: [holder] });
  }
  const groups = new Map<string, Unlinked[]>();
  for (const { item, holders } of items.values()) {
    const key = JSON.stringify(holders.map(({ kind, id }) => ({ kind, id })));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  for (const [holders, group] of groups) {
    for (let at = 0; at < group.length; at += mostAtOnce) {
      const portion = group.slice(at, at + mostAtOnce);
      const outcome = await request(ChangeItems, {
        ids: portion.map(({ id }) => id),
        ifVersions: portion.map(({ version }) => version),
        input: { holders: JSON.parse(holders) as { kind: HolderKind; id: string }[] },
      });
      if (!outcome.ok) return outcome.fault;
    }
  }
  return undefined;
}

/** Renders items that name a record, to link all or some of them. */
export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome | Fault>();
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [turn, again] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setOutcome(undefined);
    findMatches(abort.signal).then((found) => {
      if (!abort.signal.aborted) setOutcome(found);
    });
    return () => abort.abort();
  }, [turn]);
  const found = outcome && !isFault(outcome) ? outcome : undefined;
  const matches = found?.matches ?? [];
  const isAll = matches.length > 0 && chosen.size === matches.length;
  async function send() {
    const selected = matches.filter((match) => chosen.has(keyOf(match)));
    const fault = await link(selected);
    if (fault) {
      tellFault(fault);
      choose(new Set());
      again(turn + 1);
      return;
    }
    tell(t('compliance.linked', { n: selected.length }));
    onClose();
  }
  return (
    <Dialog title={t('compliance.link_title')} onClose={onClose} isLarge>
      <div class="stack">
        <p class="soft">{t('compliance.link_text')}</p>
        {outcome && isFault(outcome) && <FaultNote fault={outcome} onRetry={() => again(turn + 1)} />}
        {!outcome && <Bones rows={4} />}
        {found && found.left.length > 0 && (
          <p class="note">
            {t('compliance.link_left', {
              name: found.left.map((kind) => t(`requirements.${kind}`)).join(', '),
            })}
          </p>
        )}
        {found && matches.length === 0 && <p>{t('compliance.link_none')}</p>}
        {matches.length > 0 && (
          <>
            <Check
              label={t('compliance.link_all', { n: matches.length })}
              checked={isAll}
              onChange={(all) => choose(new Set(all ? matches.map(keyOf) : []))}
            />
            <ul class="rows linkrows">
              {matches.map((match) => {
                const key = keyOf(match);
                const { item, holder, words } = match;
                return (
                  <li key={key} class="line">
                    <label class="tick">
                      <input
                        type="checkbox"
                        checked={chosen.has(key)}
                        aria-label={`${shownName(item.name)}: ${shownName(holder.name, holder.licensePlate)}`}
                        onChange={({ currentTarget }) => {
                          const next = new Set(chosen);
                          if (currentTarget.checked) next.add(key);
                          else next.delete(key);
                          choose(next);
                        }}
                      />
                    </label>
                    <span class="grow breaks">
                      <a class="strong" href={addressOf('EXPIRATION_ITEM', item.id)}>
                        {shownName(item.name)}
                      </a>
                      <span class="soft small block">
                        {joinNames(
                          `“${words}”`,
                          shownName(holder.name, holder.licensePlate),
                          t(`kinds.${holder.kind}`),
                        )}
                      </span>
                    </span>
                  </li>
                );
              })}
            </ul>
            <div class="line">
              <Button weight="first" icon="link" onClick={send} disabled={chosen.size === 0}>
                {t('compliance.link', { n: chosen.size })}
              </Button>
              <Button onClick={onClose}>{t('common.cancel')}</Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
