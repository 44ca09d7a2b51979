import { addressOf, itemsAddress } from '../app/addresses';
import { may } from '../app/session';
import { useQuery } from '../data/answers';
import type { DataOf } from '../data/operation';
import { HolderCompliance } from '../generated/operations/compliance';
import { ItemsHere } from '../generated/operations/records';
import type { ComplianceState, HolderKind, RequirementState } from '../generated/types';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { LinkButton } from '../ui/button';
import { Icon, type IconName } from '../ui/icon';
import { Card } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import { Badge, DateText, type Urgency } from '../ui/status';
import { ItemLine } from './aside';

type Check = NonNullable<DataOf<typeof HolderCompliance>['compliance']>['requirements'][number];

const looks: Readonly<Record<RequirementState, readonly [icon: IconName, urgency: Urgency]>> = {
  MET: ['check', 'good'],
  DUE: ['clock', 'near'],
  PENDING: ['clock', 'near'],
  EXEMPT: ['star', 'plain'],
  EXPIRED: ['warning', 'late'],
  MISSING: ['file', 'late'],
};

const urgencies: Readonly<Record<ComplianceState, Urgency>> = {
  COMPLIANT: 'good',
  DUE: 'near',
  NON_COMPLIANT: 'late',
  NOT_REQUIRED: 'plain',
};

/** Returns the address of the form for a new paper of a record. */
function addingAddress({ kind, id, team }: PapersProps, types?: Check['requirement']): string {
  const [type] = types?.categories ?? [];
  return `/items/new?${new URLSearchParams({
    holder: `${kind}:${id}`,
    ...(team && { team: team.id }),
    ...(type && { type: type.id }),
  })}`;
}

/** Renders the state of a requirement as a word and a sign. */
function CheckState({ state, isTooShort }: Pick<Check, 'state' | 'isTooShort'>) {
  const [icon, urgency] = looks[state];
  return (
    <span class={`badge ${urgency}`}>
      <Icon name={icon} />
      {t(isTooShort ? 'compliance.TOO_SHORT' : `compliance.${state}`)}
    </span>
  );
}

interface PapersProps {
  readonly kind: HolderKind;
  readonly id: string;
  /** The workspace of the record, where its papers are filed. */
  readonly team: { readonly id: string } | null;
}

function CheckLine({ check, ...props }: PapersProps & { readonly check: Check }) {
  const { item, state, until, isTooShort, requirement } = check;
  const isLacking = state === 'MISSING' || state === 'EXPIRED' || state === 'PENDING';
  return (
    <li class="itemline">
      <span class="breaks strong">{shownName(check.name)}</span>
      <CheckState state={state} isTooShort={isTooShort} />
      <span class="small">
        {item && <a href={addressOf('EXPIRATION_ITEM', item.id)}>{shownName(item.name)}</a>}
        {!item && isLacking && may('WRITE') && (
          <a href={addingAddress(props, requirement)}>{t('compliance.add_paper')}</a>
        )}
      </span>
      <span class="soft small">
        {item?.expirationDate ? <DateText date={item.expirationDate} /> : until && formatDay(until)}
      </span>
    </li>
  );
}

/** Renders what a record must have as a check list, and its other papers. */
export function PapersCard({ kind, id, team }: PapersProps) {
  const asked = useQuery(HolderCompliance, { kind, id });
  const papers = useQuery(ItemsHere, { filter: { holder: { kind, id }, isActive: true }, first: 20 });
  const compliance = asked.data?.compliance;
  const fault = asked.fault ?? papers.fault;
  const decisive = new Set(compliance?.requirements.map(({ item }) => item?.id));
  const items = papers.data?.expirationItems;
  const others = items?.nodes.filter((item) => !decisive.has(item.id)) ?? [];
  return (
    <Card
      title={t('compliance.papers')}
      action={
        items &&
        items.totalCount > 0 && (
          <a class="small" href={itemsAddress({ [`paperOf${kind}`]: id })}>
            {t('records.see_all', { n: items.totalCount })}
          </a>
        )
      }
    >
      <div class="stack tight">
        {fault && <FaultNote fault={fault} onRetry={() => Promise.all([asked.reload(), papers.reload()])} />}
        {!(compliance && items) && !fault && <Bones rows={4} />}
        {compliance && compliance.state !== 'NOT_REQUIRED' && (
          <p class="line">
            <Badge urgency={urgencies[compliance.state]}>{t(`compliance.state_${compliance.state}`)}</Badge>
            {compliance.until && (
              <span class="soft small">{t('compliance.until', { date: formatDay(compliance.until) })}</span>
            )}
          </p>
        )}
        <ul class="rows">
          {compliance?.requirements.map((check) => (
            <CheckLine key={check.requirementId} {...{ kind, id, team, check }} />
          ))}
          {others.map((item) => (
            <ItemLine key={item.id} {...item} />
          ))}
        </ul>
        {items?.nodes.length === 0 && compliance?.requirements.length === 0 && (
          <p class="soft">{t('compliance.papers_none')}</p>
        )}
        {may('WRITE') && (
          <p>
            <LinkButton icon="plus" href={addingAddress({ kind, id, team })}>
              {t('compliance.add_paper')}
            </LinkButton>
          </p>
        )}
      </div>
    </Card>
  );
}
