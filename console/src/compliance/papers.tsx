import { useState } from 'preact/hooks';
import { addressOf, itemsAddress } from '../app/addresses';
import { may } from '../app/session';
import { useQuery } from '../data/answers';
import { HolderCompliance } from '../generated/operations/compliance';
import { ItemsHere } from '../generated/operations/records';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { ItemLine } from '../records/aside';
import { AskDialog } from '../requests/ask';
import { UnsettledLink, useUnsettled } from '../requests/received';
import { Button, IconButton, LinkButton } from '../ui/button';
import { Card } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import {
  addingAddress,
  type Check,
  type CheckedHolder,
  CheckState,
  dateText,
  HolderState,
  isLacking,
  type Required,
  wantedOf,
} from './checks';
import { CheckDialog, ExemptionLine } from './details';
import { StickerDialog } from './stickers';

interface CheckLineProps {
  readonly holder: CheckedHolder;
  readonly check: Check;
  readonly required: Required;
  /** True to say why a record is exempt. */
  readonly isExplained?: boolean;
}

/** Renders a requirement in a list, with its state and what to do about it. */
export function CheckLine({ holder, check, required, isExplained }: CheckLineProps) {
  const { item } = check;
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const wanted = isLacking(check) ? wantedOf(holder, check, required) : undefined;
  const unsettled = useUnsettled();
  const asked = check.state === 'MET' ? undefined : unsettled(holder, required.categories, item?.id);
  return (
    <li class="itemline checkline">
      <span class="breaks strong">{shownName(required.name)}</span>
      <CheckState check={check} />
      <span class="small line">
        {item && <a href={addressOf('EXPIRATION_ITEM', item.id)}>{shownName(item.name)}</a>}
        {!item && isLacking(check) && may('WRITE') && (
          <a href={addingAddress(holder, required)}>{t('compliance.add_paper')}</a>
        )}
        {asked && <UnsettledLink of={asked} />}
        {wanted && !asked && may('WRITE') && (
          <Button weight="bare" icon="send" onClick={() => setAsking(true)}>
            {t('requests.ask_for_it')}
          </Button>
        )}
      </span>
      <span class="soft small num line">
        {dateText(check)}
        <IconButton
          icon="more"
          label={t('compliance.details', { name: shownName(required.name) })}
          onClick={() => setOpen(true)}
        />
      </span>
      {isExplained && check.state === 'EXEMPT' && <ExemptionLine holder={holder} required={required} />}
      {isAsking && wanted && <AskDialog wanted={[wanted]} onClose={() => setAsking(false)} />}
      {isOpen && <CheckDialog {...{ holder, check, required }} onClose={() => setOpen(false)} />}
    </li>
  );
}

/** Renders what a record must have as a check list, and its other papers. */
export function PapersCard(holder: CheckedHolder) {
  const { kind, id } = holder;
  const [isAsking, setAsking] = useState(false);
  const [isSticking, setSticking] = useState(false);
  const asked = useQuery(HolderCompliance, { kind, id });
  const papers = useQuery(ItemsHere, { filter: { holder: { kind, id }, isActive: true }, first: 20 });
  const compliance = asked.data?.compliance;
  const fault = asked.fault ?? papers.fault;
  const decisive = new Set(compliance?.requirements.map(({ item }) => item?.id));
  const items = papers.data?.expirationItems;
  const requiredOf = (check: NonNullable<typeof compliance>['requirements'][number]): Required => ({
    categories: [],
    ...check.requirement,
    id: check.requirementId,
    name: check.name,
  });
  const wanted =
    compliance?.requirements.flatMap(
      (check) => (isLacking(check) && wantedOf(holder, check, requiredOf(check))) || [],
    ) ?? [];
  const others = items?.nodes.filter((item) => !decisive.has(item.id)) ?? [];
  return (
    <Card
      title={t('compliance.papers')}
      action={
        items &&
        items.totalCount > 0 && (
          <a class="small" href={itemsAddress({ [`paperOf${kind}`]: id })}>
            {t('records.see_all', { n: items })}
          </a>
        )
      }
    >
      <div class="stack tight">
        {fault && <FaultNote fault={fault} onRetry={() => Promise.all([asked.reload(), papers.reload()])} />}
        {!(compliance && items) && !fault && <Bones rows={4} />}
        {compliance && compliance.state !== 'NOT_REQUIRED' && (
          <p class="line">
            <HolderState state={compliance.state} />
            {compliance.until && (
              <span class="soft small">{t('compliance.until', { date: formatDay(compliance.until) })}</span>
            )}
          </p>
        )}
        <ul class="rows">
          {compliance?.requirements.map((check) => (
            <CheckLine
              key={check.requirementId}
              isExplained
              holder={holder}
              check={check}
              required={requiredOf(check)}
            />
          ))}
          {others.map((item) => (
            <ItemLine key={item.id} {...item} />
          ))}
        </ul>
        {items?.nodes.length === 0 && compliance?.requirements.length === 0 && (
          <p class="soft">{t('compliance.papers_none')}</p>
        )}
        {may('WRITE') && (
          <p class="line">
            <LinkButton icon="plus" href={addingAddress(holder)}>
              {t('compliance.add_paper')}
            </LinkButton>
            {wanted.length > 1 && (
              <Button icon="send" onClick={() => setAsking(true)}>
                {t('requests.ask_all', { n: wanted.length })}
              </Button>
            )}
            <Button icon="print" onClick={() => setSticking(true)}>
              {t('stickers.title')}
            </Button>
          </p>
        )}
      </div>
      {isSticking && <StickerDialog holder={holder} onClose={() => setSticking(false)} />}
      {isAsking && <AskDialog wanted={wanted} onClose={() => setAsking(false)} />}
    </Card>
  );
}
