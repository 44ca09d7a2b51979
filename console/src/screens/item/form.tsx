import { useEffect, useRef, useState } from 'preact/hooks';
import { useUnkept } from '../../app/leaving';
import { navigate } from '../../app/router';
import { caller } from '../../app/session';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import type { DataOf } from '../../data/operation';
import { useQuery } from '../../data/query';
import { CategoryFields, ChangeItem, CreateItem } from '../../generated/operations/items';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import type { Option } from '../../ui/combobox';
import { focusFirst } from '../../ui/field';
import { PageHead } from '../../ui/page';
import { FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { itemAddress } from '../items/table';
import { ConflictNote } from './conflict';
import { changesOf, type Draft, draftOf, newItem } from './draft';
import { ItemFields, MoreFields } from './fields';
import { addFiles } from './files';
import type { ItemDetail } from './item';

type CategoryDetail = DataOf<typeof CategoryFields>['category'];

/** Adds the custom fields of a document type that the form does not have yet. */
function withFieldsOf(category: CategoryDetail, draft: Draft): Draft {
  const wanted = category?.customFields ?? [];
  const known = new Set(draft.fields.map(({ id }) => id));
  const added = wanted
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({ id, name: name ?? '', value: '' }));
  const ids = new Set(wanted.map(({ id }) => id));
  // Remove empty fields of another type, and keep those that somebody has filled in.
  return { ...draft, fields: [...draft.fields.filter(({ id, value }) => value || ids.has(id)), ...added] };
}

/** Returns the caller's own workspace, the default of new items. */
function ownTeam(): Option[] {
  const team = caller.value?.me.team;
  return team ? [{ id: team.id, label: team.name }] : [];
}

interface FormProps {
  /** The item that is edited; undefined for a new one. */
  readonly item?: ItemDetail;
  readonly onChanged?: () => Promise<void>;
}

/** Renders the form of an item. Errors are shown at their fields. */
export function ItemForm({ item, onChanged }: FormProps) {
  // The item as it was when the form was opened: later changes of others are reported, not mixed in.
  const [original, setOriginal] = useState(item);
  const [draft, setDraft] = useState(() =>
    item ? draftOf(item) : { ...draftOf(undefined), team: ownTeam() },
  );
  const [fault, setFault] = useState<Fault>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const files = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!item) focusFirst(form.current);
  }, []);
  const changes = changesOf(draftOf(original), draft);
  const isChanged = Object.keys(changes).some(
    (name) => name !== 'customFields' || draft.fields.some((field) => field.value),
  );
  useUnkept(isChanged && !busy);
  const set = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const wrong = (name: string) => fault?.violations.get(name);
  const categoryId = draft.category[0]?.id;
  const type = useQuery(categoryId ? CategoryFields : undefined, { id: categoryId ?? '' }).data?.category;
  useEffect(() => {
    if (type) setDraft((old) => withFieldsOf(type, old));
  }, [type]);

  function leave(id?: string) {
    navigate(id ? itemAddress(id) : '/items', { replace: true });
  }
  async function create() {
    const outcome = await request(CreateItem, { input: newItem(draft) });
    if (!outcome.ok) return setFault(outcome.fault);
    const id = outcome.data.createExpirationItem?.id;
    if (!id) return;
    await addFiles(id, [...(files.current?.files ?? [])]);
    tell(t('item.added', { name: draft.name }));
    leave(id);
  }
  async function change({ id, version }: ItemDetail) {
    if (!isChanged) return leave(id);
    const outcome = await request(ChangeItem, { id, ifVersion: version, input: changes });
    if (!outcome.ok) {
      setFault(outcome.fault);
      if (outcome.fault.kind === 'changed') await onChanged?.();
      return;
    }
    await onChanged?.();
    tell(t('common.saved'));
    leave(id);
  }
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    await (original ? change(original) : create());
    setBusy(false);
  }
  useEffect(() => {
    if (fault) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [fault]);

  const isConflict = fault?.kind === 'changed' && item && original;
  const named = [...(fault?.violations.keys() ?? [])];
  const isShown = named.length > 0 && named.every((path) => !path.includes('.'));
  return (
    <>
      <PageHead
        title={original ? t('item.edit') : t('items.add')}
        above={
          original
            ? { href: itemAddress(original.id), label: original.name }
            : { href: '/items', label: t('items.title') }
        }
      />
      <form ref={form} class="stack itemform" onSubmit={submit}>
        {isConflict && (
          <ConflictNote
            before={original}
            now={item}
            onTake={() => {
              setDraft((old) => ({ ...draftOf(item), ...keptOf(draftOf(original), old) }));
              setOriginal(item);
              setFault(undefined);
            }}
          />
        )}
        {fault && !isConflict && !isShown && <FaultNote fault={fault} />}
        <ItemFields draft={draft} onChange={set} wrong={wrong} />
        <MoreFields draft={draft} onChange={set} wrong={wrong} typePolicy={type?.reminderPolicy}>
          {!original && (
            <label class="field">
              <span class="label">{t('item.files')}</span>
              <input ref={files} class="input" type="file" multiple />
            </label>
          )}
        </MoreFields>
        <div class="line formend">
          <Button type="submit" weight="first" isBusy={busy}>
            {t(original ? 'common.save' : 'items.add')}
          </Button>
          <Button onClick={() => leave(original?.id)}>{t('common.cancel')}</Button>
        </div>
      </form>
    </>
  );
}

/** Returns only the values that somebody has changed. */
function keptOf(before: Draft, after: Draft): Partial<Draft> {
  const typed = Object.entries(after).filter(
    ([part, value]) => JSON.stringify(value) !== JSON.stringify(before[part as keyof Draft]),
  );
  return Object.fromEntries(typed);
}
