import { caller, may } from '../../app/session';
import { Unsent } from '../../app/unsent';
import { useQuery } from '../../data/answers';
import { type DataOf, request } from '../../data/client';
import { TeamWatches } from '../../generated/operations/items';
import { CreateWatch, DeleteWatch, RestoreWatch } from '../../generated/operations/watch';
import type { WatchedItemsInput } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { shownName, visibleName } from '../../i18n/names';
import { IconButton } from '../../ui/button';
import { Menu, MenuAction } from '../../ui/menu';
import { Card } from '../../ui/page';
import { Bones, FaultNote } from '../../ui/state';
import { tell, tellFault } from '../../ui/toast';
import type { ItemDetail } from './fields';

type Watch = DataOf<typeof TeamWatches>['watches']['nodes'][number];

/** A property that the item shares with others, by which they can be watched. */
interface Choice {
  readonly label: string;
  readonly filter: WatchedItemsInput;
}

const contactsOf = ({ contact, contacts }: ItemDetail) =>
  contact ? [contact, ...contacts.filter(({ id }) => id !== contact.id)] : contacts;

/** Lists the ways to watch the item, the narrowest first. */
function choicesOf(item: ItemDetail): readonly Choice[] {
  const { category, locations, tags, team } = item;
  return [
    ...contactsOf(item).map(({ id, name, email }) => ({
      label: t('item.watch_contact', { name: name || email }),
      filter: { contactIds: [id] },
    })),
    ...locations.map(({ id, name }) => ({
      label: t('item.watch_location', { name: name ?? '' }),
      filter: { locationId: id },
    })),
    ...tags.map(({ id, name }) => ({
      label: t('item.watch_tag', { name: shownName(name) }),
      filter: { tagIds: [id] },
    })),
    ...(category
      ? [{ label: t('item.watch_category', { name: category.name }), filter: { categoryIds: [category.id] } }]
      : []),
    { label: t('item.watch_all', { name: team?.name ?? '' }), filter: {} },
  ];
}

/** Returns whether a watch covers the item. Each list narrows it, as in the gateway's decisions. */
function sees({ filter, holders }: Watch, item: ItemDetail): boolean {
  if (holders) return false;
  const contacts = contactsOf(item);
  const hasOne = (wanted: readonly string[] | null, ids: readonly string[]) =>
    !wanted || wanted.length === 0 || wanted.some((id) => ids.includes(id));
  return (
    hasOne(filter.categoryIds, item.category ? [item.category.id] : []) &&
    hasOne(
      filter.tagIds,
      item.tags.map(({ id }) => id),
    ) &&
    hasOne(
      filter.contactIds,
      contacts.map(({ id }) => id),
    ) &&
    (!filter.locationId || item.locations.some(({ id }) => id === filter.locationId)) &&
    (!filter.contactTypeId || contacts.some(({ typeId }) => typeId === filter.contactTypeId))
  );
}

/** Returns a filter without empty lists, for comparison. */
const keyOf = (filter: WatchedItemsInput): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== null && (!Array.isArray(value) || value.length > 0))
      .sort(),
  );

/** Renders who watches the item, and lets the caller watch similar ones. */
export function Watches({ item }: { readonly item: ItemDetail }) {
  const teamId = item.team?.id;
  const { data, fault, reload } = useQuery(teamId ? TeamWatches : undefined, { teamId: teamId ?? '' });
  const me = caller.value?.me.id;
  const watches = data?.watches.nodes.filter((watch) => sees(watch, item)) ?? [];
  const mine = new Set(watches.filter(({ userId }) => userId === me).map(({ filter }) => keyOf(filter)));
  const choices = choicesOf(item);
  const textOf = ({ name, filter }: Watch): string =>
    choices.find((choice) => keyOf(choice.filter) === keyOf(filter))?.label ??
    name ??
    t('item.watch_several');
  const left = choices.filter(({ filter }) => !mine.has(keyOf(filter)));

  async function remove(id: string, then: () => void) {
    const outcome = await request(DeleteWatch, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    await reload();
    then();
  }
  async function watch({ label, filter }: Choice) {
    const outcome = await request(CreateWatch, { input: { name: label, filter, teamId: teamId ?? null } });
    if (!outcome.ok) return tellFault(outcome.fault);
    await reload();
    const id = outcome.data.record?.id ?? '';
    tell(t('item.watching', { what: label }), () => remove(id, () => tell(t('common.undone'))));
  }
  async function restore(id: string) {
    const outcome = await request(RestoreWatch, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    await reload();
    tell(t('common.undone'));
  }
  const end = (id: string, what: string) =>
    remove(id, () => tell(t('item.watch_ended', { what }), () => restore(id)));
  return (
    <Card
      title={t('item.watchers')}
      action={
        may('WRITE') &&
        data &&
        left.length > 0 && (
          <Menu label={t('item.watch')} icon="bell">
            {(close) =>
              left.map((choice) => (
                <MenuAction
                  key={choice.label}
                  onClick={() => {
                    close();
                    void watch(choice);
                  }}
                >
                  {choice.label}
                </MenuAction>
              ))
            }
          </Menu>
        )
      }
    >
      <Unsent teamId={teamId} isSmall />
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!data && !fault && <Bones rows={2} />}
      {data && watches.length === 0 && <p class="soft">{t('item.watchers_none')}</p>}
      <ul class="rows">
        {watches.map((one) => {
          const who = visibleName(one.user?.name, one.contact?.name, one.contact?.email) ?? t('item.nobody');
          return (
            <li key={one.id} class="rowlink">
              <span class="grow">
                <span class="strong">{who}</span>
                <span class="soft small block">{textOf(one)}</span>
              </span>
              {may('WRITE') && (one.userId === me || may('ADMINISTER')) && (
                <IconButton
                  icon="trash"
                  label={t('common.remove', { name: `${who}, ${textOf(one)}` })}
                  onClick={() => end(one.id, textOf(one))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
