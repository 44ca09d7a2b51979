import { useState } from 'preact/hooks';
import { place, setSearch } from '../app/router';
import { caller, may } from '../app/session';
import { useQuery } from '../data/answers';
import { keep, readKept } from '../data/browser';
import { request } from '../data/client';
import { CreateSavedView, DeleteSavedView, SavedViews, UpdateSavedView } from '../generated/operations/list';
import type { SavedViewFragment } from '../generated/types';
import { today } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Form } from '../records/form/form';
import type { FieldSpec } from '../records/record-type';
import { Button, IconButton } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Menu } from '../ui/menu';
import { FaultNote } from '../ui/state';
import { tell, tellFault } from '../ui/toast';

/** A view of a list, as the gateway keeps it. */
type View = SavedViewFragment;

/** The columns, filters and order of a list. */
type Chosen = Pick<View, 'columns' | 'filters' | 'sort'>;

/** Parameters of a list's address that are no filters. `new` opens the form for a row, and `open` is of trees. */
export const notFilters = ['columns', 'new', 'open', 'sort', 'view'];

/** Returns what an address shows. @param columns names of the columns, if somebody has chosen them */
function chosenIn(search: URLSearchParams, columns: readonly string[] = []): Chosen {
  const filters = [...search]
    .filter(([name]) => !notFilters.includes(name))
    .map(([name, value]) => ({ name, value }));
  return { columns: [...columns], filters, sort: search.get('sort') };
}

/** Returns whether two show the same. */
function isSame(one: Chosen, other: Chosen): boolean {
  const textOf = ({ columns, filters, sort }: Chosen) =>
    JSON.stringify([columns, filters.map(({ name, value }) => `${name}=${value}`).sort(), sort]);
  return textOf(one) === textOf(other);
}

/** Returns the address of a view. */
function addressOfView(path: string, { id, columns, filters, sort }: View): string {
  const search = new URLSearchParams(filters.map(({ name, value }) => [name, value]));
  if (sort) search.set('sort', sort);
  if (columns.length > 0) search.set('columns', columns.join());
  search.set('view', id);
  return `${path}?${search}`;
}

const storage = 'expiration-gateway.views';

/** A view that an earlier version of the console kept in the browser. */
interface KeptView {
  readonly name: string;
  /** The name of the list; of items, if left out. */
  readonly list?: string;
  /** The part of the address after the question mark. */
  readonly search: string;
}

function keptViews(): readonly KeptView[] {
  try {
    const views: unknown = JSON.parse(readKept('localStorage', storage) ?? '[]');
    if (!Array.isArray(views)) return [];
    return views.filter((view) => typeof view?.name === 'string' && typeof view?.search === 'string');
  } catch {
    return [];
  }
}

/** Gives the gateway the views of a list that only this browser has. Those that it refuses stay. */
async function handOverViews(list: string): Promise<void> {
  for (const view of keptViews().filter((kept) => (kept.list ?? 'items') === list)) {
    const search = new URLSearchParams(view.search);
    const input = { list, ...chosenIn(search, search.get('columns')?.split(',')) };
    // A view of the name that is there already stays as well.
    for (const name of [view.name, `${view.name} ${today()}`]) {
      const { ok } = await request(CreateSavedView, { input: { ...input, name } });
      if (!ok) continue;
      const others = keptViews().filter((kept) => kept.name !== view.name || kept.list !== view.list);
      keep('localStorage', storage, JSON.stringify(others));
      break;
    }
  }
}

/** The versions of views as this tab has opened them. A change is of that version. */
const openedVersions = new Map<string, string>();

/** Returns with whom a view is shared: `own`, `all`, or the id of a workspace. */
const sharingOf = ({ isShared, team }: View): string => (isShared ? (team?.id ?? 'all') : 'own');

const inputOf = (sharing: string) => ({
  isShared: sharing !== 'own',
  teamId: sharing === 'own' || sharing === 'all' ? null : sharing,
});

const nameField: readonly FieldSpec<unknown>[] = [
  { type: 'text', name: 'name', label: 'list.view_name', control: { required: true, maxLength: 255 } },
];

interface EditDialogProps {
  readonly list: string;
  readonly view: View;
  readonly onClose: () => void;
  readonly reload: () => Promise<void>;
}

/** Renders the dialog that renames, shares and deletes a view. */
function EditDialog({ list, view, onClose, reload }: EditDialogProps) {
  const now = sharingOf(view);
  const teams = caller.value?.me.teams ?? [];
  const fields: readonly FieldSpec<View & { sharing: string }>[] = [
    { type: 'text', name: 'name', isWide: true, control: { required: true, maxLength: 255 } },
    {
      type: 'choice',
      name: 'sharing',
      label: 'list.view_seen_by',
      isNeeded: true,
      isWide: true,
      isShown: () => may('WRITE') || view.isShared,
      // Who only reads may take a view back, but not share it.
      choices: [
        { value: 'own', label: 'list.view_own' } as const,
        ...teams.map(({ id, name }) => ({ value: id, words: name })),
        { value: 'all', label: 'list.view_all' } as const,
      ].filter(({ value }) => may('WRITE') || value === 'own' || value === now),
    },
  ];
  async function remove() {
    const { id, version: ifVersion, name } = view;
    const outcome = await request(DeleteSavedView, { id, ifVersion });
    await reload();
    if (!outcome.ok) return tellFault(outcome.fault);
    onClose();
    tell(t('common.deleted', { name: shownName(name) }), async () => {
      const { columns, filters, sort } = view;
      const input = { name, list, columns, filters, sort, ...inputOf(now) };
      const again = await request(CreateSavedView, { input });
      if (!again.ok) tellFault(again.fault);
      await reload();
    });
  }
  return (
    <Dialog title={t('list.view_edit')} onClose={onClose}>
      <Form
        fields={fields}
        row={{ ...view, sharing: now }}
        isInDialog
        send={({ sharing, ...input }, base) =>
          request(UpdateSavedView, {
            id: view.id,
            ifVersion: base?.version ?? view.version,
            input: { ...input, ...(sharing !== undefined && inputOf(String(sharing))) },
          })
        }
        onDone={async () => {
          tell(t('common.saved'));
          onClose();
          await reload();
        }}
        onCancel={onClose}
        onOutdated={reload}
      />
      <div class="line">
        <Button weight="bad" icon="trash" onClick={remove}>
          {t('common.delete')}
        </Button>
      </div>
    </Dialog>
  );
}

interface ViewsMenuProps {
  /** The list's name. */
  readonly list: string;
  /** The names of its columns, if somebody has chosen them. */
  readonly columns: readonly string[] | undefined;
}

/** Renders the views of a list, and what saves the current one. */
export function ViewsMenu({ list, columns }: ViewsMenuProps) {
  const { path, search } = place.value;
  const id = search.get('view');
  const [isOpened, setOpened] = useState(false);
  const [edited, edit] = useState<string>();
  const { data, fault, reload } = useQuery(isOpened || id ? SavedViews : undefined, { list });
  const views = data?.me.savedViews ?? [];
  const current = views.find((view) => view.id === id);
  if (current && !openedVersions.has(current.id)) openedVersions.set(current.id, current.version);
  const now = chosenIn(search, columns);
  const inEdit = views.find((view) => view.id === edited);
  async function open() {
    setOpened(true);
    await handOverViews(list);
    if (data) await reload();
  }
  /** Replaces what a view shows. It fails if somebody else has changed it since it was opened here. */
  async function replace(view: View) {
    const ifVersion = openedVersions.get(view.id) ?? view.version;
    const outcome = await request(UpdateSavedView, { id: view.id, ifVersion, input: now });
    if (outcome.ok) tell(t('list.view_saved', { name: shownName(view.name) }));
    else tellFault(outcome.fault);
    // Whoever was told may go on from what there is now.
    openedVersions.delete(view.id);
    await reload();
  }
  const line = (view: View) => (
    <li key={view.id} class="line">
      <a
        class="grow"
        href={addressOfView(path, view)}
        aria-current={view === current ? 'true' : undefined}
        onClick={() => openedVersions.set(view.id, view.version)}
      >
        <span>{shownName(view.name)}</span>
        {!view.isOwn && <span class="soft small">{shownName(view.user?.name)}</span>}
        {view.isOwn && view.isShared && <span class="soft small">{t('list.view_shared')}</span>}
      </a>
      {(view.mayChange || view.isOwn) && (
        <IconButton
          icon="edit"
          label={`${t('common.edit')}: ${shownName(view.name)}`}
          onClick={() => edit(view.id)}
        />
      )}
    </li>
  );
  return (
    <>
      <Menu
        label={current ? shownName(current.name) : t('list.views')}
        icon="star"
        class="viewsmenu"
        isForm
        onOpen={() => void open()}
      >
        {(close) => (
          <div class="stack views">
            {fault && <FaultNote fault={fault} onRetry={reload} />}
            {data && views.length === 0 && <p class="soft small">{t('list.views_none')}</p>}
            {views.length > 0 && (
              // biome-ignore lint/a11y/useKeyWithClickEvents: links are pressed with Enter, which is a click.
              <ul class="nav" onClick={({ target }) => (target as Element).closest('a') && close()}>
                {[...views.filter(({ isOwn }) => isOwn), ...views.filter(({ isOwn }) => !isOwn)].map(line)}
              </ul>
            )}
            {current?.mayChange && !isSame(now, current) && (
              <Button weight="first" onClick={() => replace(current)}>
                {t('list.view_replace', { name: shownName(current.name) })}
              </Button>
            )}
            <Form
              fields={nameField}
              action={t('list.view_save')}
              send={({ name }) => request(CreateSavedView, { input: { list, name: String(name), ...now } })}
              onDone={async ({ view }) => {
                await reload();
                if (view) setSearch({ view: view.id });
                tell(t('list.view_saved', { name: shownName(view?.name) }));
                close();
              }}
            />
          </div>
        )}
      </Menu>
      {inEdit && <EditDialog list={list} view={inEdit} onClose={() => edit(undefined)} reload={reload} />}
    </>
  );
}
