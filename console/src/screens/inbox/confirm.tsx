import { useRef } from 'preact/hooks';
import { caller, hasTeams } from '../../app/session';
import { request } from '../../data/client';
import { findCategories } from '../../data/options';
import { ConfirmUpload, ItemOptions } from '../../generated/operations/inbox';
import type { ConfirmUploadInput } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { type Key, t } from '../../i18n/i18n';
import { visibleName } from '../../i18n/names';
import { standardType } from '../../records/defaults';
import { Form } from '../../records/form/form';
import type { Draft, FieldSpec } from '../../records/record-type';
import type { Option } from '../../ui/combobox';
import { tell } from '../../ui/toast';
import { datesIn, Found, foundFor, type OpenUpload } from './suggestions';

type Field = FieldSpec<OpenUpload, keyof ConfirmUploadInput>;

async function findItems(term: string, signal: AbortSignal): Promise<readonly Option[]> {
  const outcome = await request(ItemOptions, { term: term || null }, signal);
  if (!outcome.ok) return [];
  return outcome.data.expirationItems.nodes.map(({ id, name, expirationDate }) => ({
    id,
    label: name,
    detail: expirationDate ? formatDay(expirationDate) : undefined,
  }));
}

/** Creates a name from a file's: without extension, with spaces for dashes and underscores. */
const nameOf = (filename: string | null): string =>
  (visibleName(filename) ?? '').replace(/\.[a-z0-9]{1,5}$/i, '').replace(/[_-]+/g, ' ');

/** Reads a tag that the sender gave a file, in any letter case. */
function tagOf(tags: unknown, name: string): string {
  const found = Object.entries(tags ?? {}).find(([key]) => key.toLowerCase() === name);
  return typeof found?.[1] === 'string' ? found[1].trim() : '';
}

interface ConfirmFormProps {
  readonly upload: OpenUpload;
  readonly hasNext: boolean;
  readonly date: string;
  readonly onDate: (date: string) => void;
  /** Is told whether somebody has filled in anything. */
  readonly onTouched: (isTouched: boolean) => void;
  readonly onDone: () => void;
}

/** Returns the date to begin with. A document to check has its most certain one. */
export function firstDateOf(upload: OpenUpload): string {
  const { expirationItem, needsReview, suggestedExpirationDate } = upload;
  const found = datesIn(upload)[0]?.value ?? suggestedExpirationDate ?? '';
  return needsReview ? found : (expirationItem?.expirationDate ?? found);
}

/** Renders what was found in a document for a field. */
const above =
  (upload: OpenUpload, legend: Key, wanted: Parameters<typeof foundFor>[1]): Field['above'] =>
  (value, choose) => (
    <Found
      legend={t(legend)}
      found={foundFor(upload, wanted)}
      chosen={value as string | undefined}
      {...(wanted === 'EXPIRATION_DATE' && { show: formatDay })}
      onChoose={choose}
    />
  );

/** Returns whether a new item is filed, and not one that exists. */
const isNewIn = ({ state, expirationItem }: OpenUpload, draft: Draft): boolean =>
  !(state === 'FILED' && expirationItem) && !draft.expirationItemId;

/** Lists what people say about an upload. What was found in it can be chosen. */
function fieldsOf(upload: OpenUpload): readonly Field[] {
  const { expirationItem, needsReview, state, suggestedFrom } = upload;
  const isFiled = state === 'FILED' && expirationItem !== null;
  const tag = (name: string) => tagOf(upload.uploadTags, name);
  const isNew = (draft: Draft) => isNewIn(upload, draft);
  const type: Field = {
    type: 'record',
    name: 'category',
    isOpen: true,
    isShown: (draft) => isFiled || isNew(draft),
    above: (value, choose) => (
      <Found
        legend={t('inbox.found_types')}
        found={foundFor(upload, 'DOCUMENT_TYPE')}
        chosen={(value as Option | undefined)?.label}
        onChoose={(label) => choose({ id: `found:${label}`, label })}
      />
    ),
    otherwise: () =>
      isFiled ? t('common.unchanged') : t('common.if_empty', { value: tag('category') || standardType }),
    find: findCategories,
    chosen: () => undefined,
  };
  const existing: Field = {
    type: 'record',
    name: 'expirationItemId',
    label: 'inbox.existing',
    isWide: true,
    empty: 'inbox.existing_new',
    find: findItems,
    chosen: () => undefined,
  };
  return [
    {
      type: 'date',
      name: 'expirationDate',
      label: 'inbox.expires',
      isWide: true,
      above: above(upload, 'inbox.found', 'EXPIRATION_DATE'),
      ...(datesIn(upload).length === 0 &&
        suggestedFrom && { hint: () => t('inbox.date_hint', { words: suggestedFrom }) }),
    },
    ...(isFiled ? [] : [existing]),
    {
      type: 'text',
      name: 'name',
      isWide: true,
      // An item that was filed by itself has the name of the file.
      isShown: (draft) => isNew(draft) || (isFiled && needsReview),
      above: above(upload, 'inbox.found_names', 'NAME'),
    },
    type,
    {
      type: 'text',
      name: 'contactEmail',
      label: 'inbox.contact',
      isShown: (draft) => isFiled || isNew(draft),
      above: above(upload, 'inbox.found_contacts', 'CONTACT'),
      control: {
        type: 'email',
        autoComplete: 'off',
        placeholder:
          !isFiled && tag('contact_email') ? t('common.if_empty', { value: tag('contact_email') }) : '',
      },
    },
    {
      type: 'choice',
      name: 'teamId',
      isNeeded: true,
      isShown: (draft) => isNew(draft) && hasTeams(),
      choices: (caller.value?.me.teams ?? []).map(({ id, name }) => ({ value: id, words: name })),
    },
  ];
}

/** Renders the form to file an upload. Enter files it, and the next one follows. */
export function ConfirmForm({ upload, hasNext, date, onDate, onTouched, onDone }: ConfirmFormProps) {
  const { id, version, filename, state, expirationItem, needsReview } = upload;
  const untouched = useRef<string | undefined>(undefined);
  const told = useRef(firstDateOf(upload));
  const isFiled = state === 'FILED' && expirationItem !== null;
  const firstName = isFiled ? expirationItem.name : nameOf(filename);
  const hasToNext = hasNext && (!isFiled || needsReview);
  return (
    <div class="filing">
      <Form
        fields={fieldsOf(upload)}
        initial={{
          expirationDate: firstDateOf(upload),
          name: firstName,
          teamId: upload.team?.id ?? caller.value?.me.team?.id ?? '',
        }}
        given={{ expirationDate: date }}
        onDraft={(draft) => {
          const typed = JSON.stringify(draft);
          untouched.current ??= typed;
          onTouched(typed !== untouched.current);
          // The form may tell its first date late, when another was chosen in the picture.
          const typedDate = String(draft.expirationDate);
          if (typedDate !== told.current) onDate(typedDate);
          told.current = typedDate;
        }}
        // The date first, because it is what the file is about.
        isFocused={'input[name="found-EXPIRATION_DATE"]:checked, input[type="date"]'}
        action={t(hasToNext ? 'inbox.confirm_next' : isFiled ? 'common.save' : 'inbox.confirm')}
        icon="check"
        send={({ name, expirationDate = null, ...input }, _base, draft) =>
          request(ConfirmUpload, {
            id,
            ifVersion: version,
            input: {
              ...input,
              expirationDate: expirationDate as string | null,
              ...((isNewIn(upload, draft) || name !== firstName) && { name: name as string | undefined }),
              ...(input.category ? { category: (draft.category as Option).label } : {}),
            },
          })
        }
        onDone={({ confirmUpload }) => {
          const filed = confirmUpload?.expirationItem?.name ?? '';
          tell(t('inbox.filed', { file: filename ?? id, item: filed }));
          onDone();
        }}
        {...(hasToNext && { onCancel: onDone, otherAction: t('inbox.skip') })}
      />
    </div>
  );
}
