import { useEffect, useRef, useState } from 'preact/hooks';
import { place, setSearch } from '../app/router';
import { may } from '../app/session';
import { stateLooks, states } from '../compliance/checks';
import { LinkDialog } from '../compliance/link-dialog';
import { WatchDialog } from '../compliance/watch-dialog';
import { type Query, useQuery } from '../data/answers';
import type { DataOf } from '../data/client';
import { follow } from '../data/live';
import { type Pages, usePages } from '../data/pages';
import { ComplianceMatrix, ComplianceSums, RequirementColumns } from '../generated/operations/compliance';
import type { HolderKind } from '../generated/types';
import { formatNumber, t, totalOf } from '../i18n/i18n';
import { holderKinds } from '../records/holders';
import { Button, LinkButton } from '../ui/button';
import { PageHead } from '../ui/page';
import { Bones, Empty, FaultNote } from '../ui/state';
import { Tile } from '../ui/tile';
import './compliance.css';
import { readAddress } from '../list/address';
import { filtersOf } from './compliance/filters';
import { MatrixList } from './compliance/list';

type Counts = DataOf<typeof ComplianceSums>['complianceSummary']['counts'];

/** Milliseconds after a change in which the gateway evaluates it for lists. */
const evaluationMs = 2500;

/** Reads again what the gateway evaluates some time after a change. */
function useLater(reload: () => unknown): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => latest.current(), evaluationMs);
    };
    const unfollow = follow(ComplianceSums.kinds, later, () => false);
    return () => {
      unfollow();
      clearTimeout(waiting);
    };
  }, []);
}

/** Returns the kind that is shown at first. It lacks something, or else must have something. */
function usualKind(counts: Counts): HolderKind {
  const has = (isIt: (count: Counts[number]) => boolean) =>
    holderKinds.find((kind) => counts.some((count) => count.kind === kind && isIt(count)));
  return has(({ state }) => state === 'NON_COMPLIANT') ?? has(() => true) ?? 'VEHICLE';
}

interface PartProps {
  readonly kind: HolderKind;
  readonly counts: Counts;
}

/** Renders the kinds as tabs, with the number of records that lack something. */
function Tabs({ kind, counts }: PartProps) {
  return (
    <div class="tabs">
      {holderKinds.map((one) => {
        const n = counts.find((count) => count.kind === one && count.state === 'NON_COMPLIANT')?.count ?? 0;
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === kind}
            onClick={() => setSearch({ kind: one, requirement: undefined })}
          >
            {t(`requirements.${one}`)}
            {n > 0 && (
              <span class="badge late num" title={t('compliance.state_NON_COMPLIANT')}>
                {formatNumber(n)}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** Renders how many records of a kind are in each state. */
function Sums({ kind, counts }: PartProps) {
  const numberIn = new Map(
    counts.filter((count) => count.kind === kind).map(({ state, count }) => [state, count]),
  );
  const shown = states.filter((state) => state !== 'NOT_REQUIRED' || numberIn.has(state));
  return (
    <div class="tiles">
      {shown.map((state) => (
        <Tile
          key={state}
          label={t(`compliance.state_${state}`)}
          total={totalOf(numberIn.get(state) ?? 0)}
          href={`/compliance?kind=${kind}&state=${state}`}
          {...stateLooks[state]}
        />
      ))}
    </div>
  );
}

/** Renders the records of a kind with what each must have. */
function KindMatrix({ kind, counts, sums }: PartProps & { readonly sums: Query<unknown> }) {
  const { search } = place.value;
  const teamId = search.get('team');
  const columns = useQuery(RequirementColumns, {
    filter: { holderKind: kind, isActive: true, ...(teamId && { teamId }) },
  });
  const required = columns.data?.requirements.nodes;
  const filters = filtersOf(required ?? []);
  const asked = readAddress(search, { columns: [], filters, order: [] });
  const variables = { filter: { ...asked.condition, kind } };
  const list: Pages<DataOf<typeof ComplianceMatrix>['list']['nodes'][number]> = usePages(
    ComplianceMatrix,
    variables,
    (data) => data.list,
    100,
  );
  useLater(() => Promise.all([list.reload(), sums.reload()]));
  const fault = columns.fault ?? list.fault;
  const isFiltered = asked.set.length > 0 || asked.term !== undefined || asked.unknown.length > 0;
  return (
    <div class="stack">
      {counts.length > 0 && <Sums kind={kind} counts={counts} />}
      {fault && <FaultNote fault={fault} onRetry={() => Promise.all([columns.reload(), list.reload()])} />}
      {!required && !fault && <Bones rows={8} />}
      {required && required.length === 0 && !isFiltered ? (
        <Empty icon="shield" title={t('requirements.empty')} text={t('requirements.empty_text')}>
          {may('WRITE') && (
            <LinkButton href="/requirements/new" weight="first" icon="plus">
              {t('requirements.add')}
            </LinkButton>
          )}
        </Empty>
      ) : (
        required && <MatrixList {...{ kind, required, filters, list, variables }} asked={asked} />
      )}
    </div>
  );
}

/** Renders whether all vehicles, people, companies and locations have what they must have. */
export default function ComplianceScreen() {
  const [isLinking, setLinking] = useState(false);
  const [isWatching, setWatching] = useState(false);
  const sums = useQuery(ComplianceSums, {});
  const counts = sums.data?.complianceSummary.counts;
  const inAddress = place.value.search.get('kind');
  const kind = holderKinds.find((one) => one === inAddress) ?? (counts && usualKind(counts));
  return (
    <>
      <PageHead title={t('compliance.title')}>
        {may('WRITE') && kind && (
          <Button icon="bell" onClick={() => setWatching(true)}>
            {t('compliance.watch')}
          </Button>
        )}
        {may('WRITE') && (
          <Button icon="link" onClick={() => setLinking(true)}>
            {t('compliance.link_title')}
          </Button>
        )}
        <LinkButton href="/requirements">{t('requirements.title')}</LinkButton>
      </PageHead>
      <div class="stack">
        {sums.fault && <FaultNote fault={sums.fault} onRetry={sums.reload} />}
        {kind && <Tabs kind={kind} counts={counts ?? []} />}
        {kind ? (
          <KindMatrix key={kind} kind={kind} counts={counts ?? []} sums={sums} />
        ) : (
          !sums.fault && <Bones rows={8} />
        )}
      </div>
      {isLinking && <LinkDialog onClose={() => setLinking(false)} />}
      {isWatching && kind && <WatchDialog kind={kind} onClose={() => setWatching(false)} />}
    </>
  );
}
