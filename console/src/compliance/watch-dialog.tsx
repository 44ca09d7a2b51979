import { useEffect, useState } from 'preact/hooks';
import { place } from '../app/router';
import { caller, hasTeams, may } from '../app/session';
import { useQuery } from '../data/answers';
import { type DataOf, request } from '../data/client';
import { optionsByIds } from '../data/options';
import { HolderWatches } from '../generated/operations/compliance';
import { CreateWatch, DeleteWatch, RestoreWatch } from '../generated/operations/watch';
import type { HolderKind } from '../generated/types';
import { t } from '../i18n/i18n';
import { joinNames, visibleName } from '../i18n/names';
import { Button, IconButton } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { SelectField } from '../ui/field';
import { Bones, FaultNote } from '../ui/state';
import { tell, tellFault } from '../ui/toast';

type Watch = DataOf<typeof HolderWatches>['watches']['nodes'][number];

/** Filters of the list that a watch can have, by their names in the address. */
function filtersOf(search: URLSearchParams) {
  const [requirement, locationId, term] = ['requirement', 'location', 'q'].map(
    (name) => search.get(name) || null,
  );
  return { requirement, locationId, term };
}

/** Says in words what is watched: the kind, and what the list is filtered by. */
function useWords(kind: HolderKind, { requirement, locationId, term }: ReturnType<typeof filtersOf>): string {
  const [labels, setLabels] = useState<readonly string[]>([]);
  useEffect(() => {
    const ids = [requirement, locationId].filter((id): id is string => Boolean(id));
    void optionsByIds(ids).then((options) => setLabels(options.map(({ label }) => label ?? '')));
  }, [requirement, locationId]);
  return joinNames(t(`requirements.${kind}`), ...labels, term ? `“${term}”` : undefined);
}

interface WatchDialogProps {
  readonly kind: HolderKind;
  readonly onClose: () => void;
}

/** Renders who is told of records that lack something, and lets the caller be told. */
export function WatchDialog({ kind, onClose }: WatchDialogProps) {
  const { search } = place.value;
  const filter = filtersOf(search);
  const what = useWords(kind, filter);
  const { data, fault, reload } = useQuery(HolderWatches, {});
  const me = caller.value?.me;
  const teams = me?.teams ?? [];
  const [chosen, choose] = useState(search.get('team') ?? '');
  const teamId = teams.some(({ id }) => id === chosen) ? chosen : (teams[0]?.id ?? '');
  const watches = data?.watches.nodes.filter(({ holders }) => holders) ?? [];
  const wordsOf = ({ name, team }: Watch) =>
    joinNames(name ?? t('compliance.title'), hasTeams() ? team?.name : undefined);

  async function remove(id: string, then: () => void) {
    const outcome = await request(DeleteWatch, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    await reload();
    then();
  }
  async function restore(id: string) {
    const outcome = await request(RestoreWatch, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    await reload();
    tell(t('common.undone'));
  }
  async function watch() {
    const { requirement, locationId, term } = filter;
    const holders = { kind, requirementIds: requirement ? [requirement] : null, locationId, term };
    const outcome = await request(CreateWatch, { input: { name: what, holders, teamId } });
    if (!outcome.ok) return tellFault(outcome.fault);
    await reload();
    const id = outcome.data.record?.id ?? '';
    tell(t('compliance.watching', { what }), () => remove(id, () => tell(t('common.undone'))));
  }
  return (
    <Dialog title={t('compliance.watch')} onClose={onClose} isLarge>
      <div class="stack">
        <p class="soft">{t('compliance.watch_text')}</p>
        {hasTeams() && (
          <SelectField
            label={t('fields.team')}
            value={teamId}
            onChange={choose}
            choices={teams.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <div class="line">
          <span class="grow strong breaks">{what}</span>
          <Button weight="first" icon="bell" onClick={watch}>
            {t('compliance.watch_add')}
          </Button>
        </div>
        <h3>{t('compliance.watch_mine')}</h3>
        {fault && <FaultNote fault={fault} onRetry={reload} />}
        {!data && !fault && <Bones rows={2} />}
        {data && watches.length === 0 && <p class="soft">{t('compliance.watch_none')}</p>}
        <ul class="rows">
          {watches.map((one) => {
            const who =
              visibleName(one.user?.name, one.contact?.name, one.contact?.email) ?? t('item.nobody');
            const words = wordsOf(one);
            return (
              <li key={one.id} class="rowlink">
                <span class="grow">
                  <span class="strong">{who}</span>
                  <span class="soft small block">{words}</span>
                </span>
                {(one.userId === me?.id || may('ADMINISTER')) && (
                  <IconButton
                    icon="trash"
                    label={t('common.remove', { name: `${who}, ${words}` })}
                    onClick={() =>
                      remove(one.id, () =>
                        tell(t('compliance.watch_ended', { what: words }), () => restore(one.id)),
                      )
                    }
                  />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </Dialog>
  );
}
