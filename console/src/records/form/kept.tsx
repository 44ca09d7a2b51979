import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { uniqueKey } from '../../data/browser';
import { findDrafts, keepDraft } from '../../data/keeping';
import type { FoundDraft, KeptDraft } from '../../data/kept';
import type { RecordKind } from '../../generated/types';
import { formatMoment } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { labelOfField } from '../labels';
import type { Draft, FieldSpec } from '../record-type';
import { wordsOf } from './draft';

/** Milliseconds without a key after which what was typed is kept. */
const pause = 300;

/** Changes are written in the order in which they are made. */
let written: Promise<unknown> = Promise.resolve();

const write = (key: string, draft?: KeptDraft): void => {
  written = written.then(() => keepDraft(key, draft));
};

/** A form, as far as what is typed into it is kept. */
interface KeptForm<Row> {
  /** Stands for the form on this device. Without it, nothing is kept. */
  readonly keptAs: string | undefined;
  readonly fields: readonly FieldSpec<Row>[];
  readonly before: Draft;
  readonly typed: Draft;
  /** The record that the form started from. */
  readonly row: unknown;
  /** True if something is typed that was not saved. */
  readonly isChanged: boolean;
}

/** Returns the values that may be kept: no passwords, and no files. */
function valuesOf<Row>(fields: readonly FieldSpec<Row>[], typed: Draft): Draft {
  const left = new Set(
    fields.filter(({ type }) => type === 'password' || type === 'files').map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !left.has(name)));
}

/**
 * Keeps what is typed into a form on this device. It ends when that is saved or discarded. Each open form has a draft of its
 * own, so that two tabs keep the words of both.
 * @returns what was typed before a page was closed, and how to be rid of the offer
 */
export function useKeptDraft<Row>({ keptAs, fields, before, typed, row, isChanged }: KeptForm<Row>): {
  readonly offer: KeptDraft | undefined;
  readonly settle: (isDiscarded: boolean) => void;
} {
  const [offers, setOffers] = useState<readonly FoundDraft[]>([]);
  const [offer] = offers;
  const key = useMemo(() => `${keptAs} ${uniqueKey()}`, [keptAs]);
  const isStored = useRef(false);
  const flush = useRef(() => {});
  useEffect(() => {
    if (keptAs === undefined) return;
    const find = written.then(() => findDrafts(keptAs));
    void find.then((found) => {
      const isOther = ({ values }: FoundDraft) =>
        Object.entries(values).some(
          ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
        );
      if (!isStored.current) setOffers(found.filter(isOther));
    });
    const hide = () => document.visibilityState === 'hidden' && flush.current();
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      // Whoever leaves a form in this page was asked, and discards it. Closing the page does not come here.
      if (isStored.current) write(key);
    };
  }, [key]);
  useEffect(() => {
    if (keptAs === undefined) return;
    if (!isChanged) {
      flush.current = () => {};
      if (isStored.current) write(key);
      isStored.current = false;
      return;
    }
    flush.current = () => {
      flush.current = () => {};
      clearTimeout(timer);
      isStored.current = true;
      write(key, { values: valuesOf(fields, typed), row, at: Date.now() });
    };
    const timer = setTimeout(() => flush.current(), pause);
    return () => clearTimeout(timer);
  }, [key, typed, isChanged]);
  const settle = (isDiscarded: boolean) => {
    if (!offer) return;
    // Of further ones, each is offered once the one before it is discarded, or with the next form.
    setOffers(isDiscarded ? offers.slice(1) : []);
    if (!isDiscarded) {
      const { key: _former, ...draft } = offer;
      isStored.current = true;
      write(key, draft);
    }
    write(offer.key);
  };
  return { offer, settle };
}

interface OfferProps<Row> {
  readonly kind: RecordKind | undefined;
  readonly fields: readonly FieldSpec<Row>[];
  readonly before: Draft;
  readonly offer: KeptDraft;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}

/** Renders what was typed before the page was closed, with a choice. */
export function Offer<Row>({ kind, fields, before, offer, onRestore, onDiscard }: OfferProps<Row>) {
  const { values } = offer;
  const shown = fields.filter(
    ({ name }) => name in values && JSON.stringify(values[name]) !== JSON.stringify(before[name]),
  );
  return (
    <div class="note" role="status">
      <div class="stack tight grow">
        <p>{t('records.typed_on', { when: formatMoment(new Date(offer.at).toISOString()) })}</p>
        <dl class="facts">
          {shown.map((field) => (
            <div class="fact" key={field.name}>
              <dt>{labelOfField(kind, field)}</dt>
              <dd class="pre breaks">{wordsOf(field, values[field.name]) || t('history.empty')}</dd>
            </div>
          ))}
        </dl>
        <div class="line">
          <Button onClick={onRestore}>{t('records.restore_typed')}</Button>
          <Button onClick={onDiscard}>{t('records.discard_typed')}</Button>
        </div>
      </div>
    </div>
  );
}
