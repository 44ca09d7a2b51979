import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../../app/router';
import { caller, hasTeams } from '../../app/session';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import {
  findCategories,
  findContacts,
  findLocations,
  findTags,
  findTeams,
  findUsers,
} from '../../data/options';
import { CategoryFields, ChangeItem, CreateItem } from '../../generated/operations';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Combobox, type Option } from '../../ui/combobox';
import { Check, focusFirst, TextArea, TextField } from '../../ui/field';
import { Card, PageHead } from '../../ui/page';
import { FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { itemAddress } from '../items/table';
import { ConflictNote } from './conflict';
import { changesOf, type Draft, draftOf, newItem, newPrefix } from './draft';
import { addFiles } from './files';
import type { ItemDetail } from './item';

const newOption = (text: string): Option => ({
  id: `${newPrefix}${text}`,
  label: text,
  detail: t('common.new'),
});

/** Adds the custom fields of a document type that the form does not have yet. */
async function withFieldsOf(categoryId: string, draft: Draft): Promise<Draft> {
  const outcome = await request(CategoryFields, { id: categoryId });
  const wanted = (outcome.ok && outcome.data.category?.customFields) || [];
  const known = new Set(draft.fields.map(({ id }) => id));
  const added = wanted
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({ id, name: name ?? '', value: '' }));
  const ids = new Set(wanted.map(({ id }) => id));
  // Empty fields of another type go; what somebody has typed stays.
  return { ...draft, fields: [...draft.fields.filter(({ id, value }) => value || ids.has(id)), ...added] };
}

/** Asks before a window is closed with something in it that is not kept. */
function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}

/** Returns the caller's own workspace, where new items go unless another is chosen. */
function ownTeam(): Option[] {
  const team = caller.value?.me.team;
  return team ? [{ id: team.id, label: team.name }] : [];
}

interface FormProps {
  /** The item that is edited; a new one without. */
  readonly item?: ItemDetail;
  readonly onChanged?: () => Promise<void>;
}

/** Draws the form of an item. Mistakes stand at their fields. */
export function ItemForm({ item, onChanged }: FormProps) {
  // The item as it was when the form was opened: later changes of others are told, and not mixed in.
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
  useLeaveGuard(isChanged && !busy);
  const set = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const wrong = (name: string) => fault?.violations.get(name);
  const categoryId = draft.category[0]?.id;
  useEffect(() => {
    if (!categoryId) return;
    let isOver = false;
    withFieldsOf(categoryId, draft).then((next) => {
      if (!isOver) setDraft((old) => ({ ...old, fields: next.fields }));
    });
    return () => {
      isOver = true;
    };
  }, [categoryId]);

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
        <Card title={t('item.what')}>
          <div class="form">
            <TextField
              label={t('items.name')}
              isWide
              wrong={wrong('name')}
              value={draft.name}
              onInput={(name) => set({ name })}
              control={{ required: true, maxLength: 255 }}
            />
            <Combobox
              label={t('items.type')}
              wrong={wrong('category') ?? wrong('category.id')}
              find={findCategories}
              chosen={draft.category}
              onChange={(category) => set({ category })}
            />
            <TextField
              label={t('items.expires')}
              wrong={wrong('expirationDate')}
              value={draft.expirationDate}
              onInput={(expirationDate) => set({ expirationDate })}
              control={{ type: 'date', required: true }}
            />
            {draft.fields.map((field, at) => (
              <TextField
                key={field.id}
                label={field.name}
                wrong={wrong(`customFields.${at}.value`)}
                value={field.value}
                onInput={(value) =>
                  set({
                    fields: draft.fields.map((other) =>
                      other.id === field.id ? { ...field, value } : other,
                    ),
                  })
                }
              />
            ))}
          </div>
        </Card>
        <Card title={t('item.who_where')}>
          <div class="form">
            <Combobox
              label={t('item.main_contact')}
              wrong={wrong('contactId')}
              find={findContacts}
              chosen={draft.contact}
              onChange={(contact) => set({ contact })}
            />
            <Combobox
              label={t('items.assigned')}
              wrong={wrong('assignedTo.id')}
              find={findUsers}
              chosen={draft.assignedTo}
              onChange={(assignedTo) => set({ assignedTo })}
            />
            <Combobox
              label={t('item.contacts')}
              isMany
              wrong={wrong('contacts')}
              find={findContacts}
              chosen={draft.contacts}
              onChange={(contacts) => set({ contacts })}
            />
            <Combobox
              label={t('item.locations')}
              isMany
              wrong={wrong('locations')}
              find={findLocations}
              chosen={draft.locations}
              onChange={(locations) => set({ locations })}
            />
            <Combobox
              label={t('item.tags')}
              isMany
              wrong={wrong('tags')}
              find={findTags}
              create={newOption}
              chosen={draft.tags}
              onChange={(tags) => set({ tags })}
            />
            {hasTeams() && (
              <Combobox
                label={t('items.team')}
                wrong={wrong('teamId')}
                find={findTeams}
                chosen={draft.team}
                onChange={(team) => set({ team })}
              />
            )}
          </div>
        </Card>
        <Card title={t('item.more')}>
          <div class="form">
            <div class="wide">
              <TextArea
                label={t('item.details')}
                wrong={wrong('details')}
                value={draft.details}
                onInput={(details) => set({ details })}
              />
            </div>
            <TextField
              label={t('item.time')}
              hint={t('item.time_hint')}
              wrong={wrong('timeOfDay')}
              value={draft.timeOfDay}
              onInput={(timeOfDay) => set({ timeOfDay })}
              control={{ type: 'time' }}
            />
            {!original && (
              <label class="field">
                <span class="label">{t('item.files')}</span>
                <input ref={files} class="input" type="file" multiple />
              </label>
            )}
            <div class="wide">
              <Check
                label={t('item.is_missing')}
                checked={draft.isMissing}
                onChange={(isMissing) => set({ isMissing })}
              />
              <Check
                label={t('item.is_silent')}
                checked={draft.isSilent}
                onChange={(isSilent) => set({ isSilent })}
              />
            </div>
          </div>
        </Card>
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

/** Returns what somebody has typed, without what they have left as it was. */
function keptOf(before: Draft, after: Draft): Partial<Draft> {
  const typed = Object.entries(after).filter(
    ([part, value]) => JSON.stringify(value) !== JSON.stringify(before[part as keyof Draft]),
  );
  return Object.fromEntries(typed);
}
