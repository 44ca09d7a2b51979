import { useRef } from 'preact/hooks';
import { caller, hasTeams } from '../../app/session';
import { type DataOf, request } from '../../data/client';
import { findCategories } from '../../data/options';
import { ConfirmUpload, ItemOptions, type Upload } from '../../generated/operations/inbox';
import type { ConfirmUploadInput } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { formatNumber, type Key, t } from '../../i18n/i18n';
import { shownName, visibleName } from '../../i18n/names';
import { standardType } from '../../records/defaults';
import { Form } from '../../records/form/form';
import { findHolders, holderOption, holderReference } from '../../records/holders';
import type { Draft, FieldSpec } from '../../records/record-type';
import { datesText, type WaitingAnswer } from '../../requests/received';
import type { Option } from '../../ui/combobox';
import { Badge } from '../../ui/status';
import { tell } from '../../ui/toast';

/** An upload that somebody looks at. */
export type OpenUpload = NonNullable<DataOf<typeof Upload>['record']>;

type Suggestion = OpenUpload['suggestions'][number];

/** Returns what was found in a document for a field, each value once. */
const foundFor = ({ suggestions }: OpenUpload, wanted: Suggestion['field']): readonly Suggestion[] =>
  suggestions.filter(({ field }) => field === wanted);

/** Returns the dates that were found in a document, each once. */
const datesIn = (upload: OpenUpload): readonly Suggestion[] => foundFor(upload, 'EXPIRATION_DATE');

/** Says where in the document a suggestion stands. */
const placeOf = ({ words, page }: Suggestion): string =>
  [words && `“${words}”`, page && page > 1 && t('inbox.page', { n: page })].filter(Boolean).join(' · ');

interface ChoosingProps {
  readonly upload: OpenUpload;
  /** The chosen date. */
  readonly date: string;
  readonly onChoose: (date: string) => void;
}

/** Returns the page of a date in the document; 1 if it is unknown. */
export const pageOf = (upload: OpenUpload, date: string): number =>
  datesIn(upload).find(({ value }) => value === date)?.page ?? 1;

/** Renders the frames of the dates on a page of a document. A click takes the date. */
export function Frames({ upload, date, onChoose, page: shown }: ChoosingProps & { readonly page: number }) {
  return datesIn(upload).map(
    ({ value, box, page }) =>
      box &&
      page === shown && (
        <button
          key={value}
          type="button"
          class="frame"
          aria-pressed={value === date}
          aria-label={formatDay(value)}
          title={formatDay(value)}
          style={{
            left: `${100 * box.x}%`,
            top: `${100 * box.y}%`,
            width: `${100 * box.width}%`,
            height: `${100 * box.height}%`,
          }}
          onClick={() => onChoose(value)}
        />
      ),
  );
}

interface FoundProps {
  readonly legend: string;
  readonly found: readonly Suggestion[];
  /** The chosen values, which may have others among them. */
  readonly chosen: readonly (string | undefined)[];
  /** True if several may be chosen. A click on a chosen one leaves it out again. */
  readonly isMany?: boolean;
  readonly show?: (value: string) => string;
  readonly onChoose: (value: string, suggestion: Suggestion) => void;
}

/** Renders what was found for a field, to choose from. Arrow keys choose, and Enter files the upload. */
function Found({ legend, found, chosen, isMany, show = (value) => value, onChoose }: FoundProps) {
  if (found.length === 0) return null;
  return (
    <fieldset class="found wide">
      <legend>{legend}</legend>
      {found.map((suggestion) => (
        <label key={suggestion.value} title={suggestion.reason}>
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name={`found-${suggestion.field}`}
            checked={chosen.includes(suggestion.value)}
            onChange={() => onChoose(suggestion.value, suggestion)}
          />
          <span>
            <span class="line">
              <span class="strong num">{suggestion.name ?? show(suggestion.value)}</span>
              <Badge urgency={suggestion.confidence < 85 ? 'near' : 'good'}>
                {t('inbox.certainty', { n: formatNumber(suggestion.confidence) })}
              </Badge>
            </span>
            <span class="soft small block">{placeOf(suggestion)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Renders the number of a document and the name of its holder, if known. */
export function OtherFindings({ upload }: { readonly upload: OpenUpload }) {
  const labels = { DOCUMENT_NUMBER: 'inbox.number', NAME: 'inbox.holder' } as const;
  const others = upload.suggestions.flatMap(({ field, value, source }) =>
    field === 'DOCUMENT_NUMBER' || (field === 'NAME' && source !== 'WORKSPACE')
      ? [`${t(labels[field])}: ${value}`]
      : [],
  );
  return others.length > 0 ? <p class="soft small">{others.join(' · ')}</p> : null;
}

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
  /** The request that it answers. */
  readonly answer?: WaitingAnswer | undefined;
}

/** Returns the date to begin with. A document to check has its most certain one. */
export function firstDateOf(upload: OpenUpload, stated = ''): string {
  const { expirationItem, needsReview, suggestedExpirationDate } = upload;
  const found = datesIn(upload)[0]?.value ?? suggestedExpirationDate ?? stated;
  return needsReview ? found : (expirationItem?.expirationDate ?? found);
}

/** Renders what was found in a document for a field. */
const above =
  (upload: OpenUpload, legend: Key, wanted: Parameters<typeof foundFor>[1]): Field['above'] =>
  (value, choose) => (
    <Found
      legend={t(legend)}
      found={foundFor(upload, wanted)}
      chosen={[value as string | undefined]}
      {...(wanted === 'EXPIRATION_DATE' && { show: formatDay })}
      onChoose={choose}
    />
  );

/** Kinds of the records that are suggested as what the document is a paper of. */
const foundKinds = { VEHICLE: 'VEHICLE', PERSON: 'CONTACT' } as const;

/** Tags that say what a document is a paper of. */
const holderTags = [
  ...['holder_id', 'vehicle_vin', 'license_plate', 'holder_email', 'company_id', 'company_tax_id'],
];

/** Returns the field that says what the document is a paper of. */
function holdersField(upload: OpenUpload, isShown: (draft: Draft) => boolean): Field {
  const found = upload.suggestions.filter(({ field }) => field in foundKinds);
  const optionOf = ({ field, value, name }: Suggestion) =>
    holderOption(foundKinds[field as keyof typeof foundKinds], value, shownName(name));
  const tags = holderTags.map((name) => tagOf(upload.uploadTags, name)).filter(Boolean);
  return {
    type: 'records',
    name: 'holders',
    isShown,
    find: findHolders,
    chosen: () => [],
    sent: holderReference,
    above: (value, choose) => {
      const chosen = value as readonly Option[];
      return (
        <Found
          legend={t('inbox.found_holders')}
          found={found}
          isMany
          chosen={chosen.map((option) => holderReference(option).id)}
          onChoose={(_value, suggestion) => {
            const option = optionOf(suggestion);
            const others = chosen.filter(({ id }) => id !== option.id);
            choose(others.length < chosen.length ? others : [...chosen, option]);
          }}
        />
      );
    },
    ...(tags.length > 0 &&
      takesTags(upload) && { hint: () => t('common.if_empty', { value: tags.join(', ') }) }),
  };
}

/** Returns whether an empty list means what the sender's tags name. Those that name nothing leave it empty. */
const takesTags = ({ state, reasonCode }: OpenUpload) => state !== 'FILED' && reasonCode !== 'HOLDER_INVALID';

/** Returns whether a new item is filed, and not one that exists. */
const isNewIn = ({ state, expirationItem }: OpenUpload, draft: Draft): boolean =>
  !(state === 'FILED' && expirationItem) && !draft.expirationItemId;

/** Lists what people say about an upload. What was found in it can be chosen. */
function fieldsOf(upload: OpenUpload, answer: WaitingAnswer | undefined): readonly Field[] {
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
        chosen={[(value as Option | undefined)?.label]}
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
  const others: readonly Field[] = [
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
    holdersField(upload, (draft) => isFiled || isNew(draft)),
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
  return [
    {
      type: 'date',
      name: 'expirationDate',
      label: 'inbox.expires',
      isWide: true,
      above: above(upload, 'inbox.found', 'EXPIRATION_DATE'),
      ...(answer
        ? { hint: () => datesText(answer) }
        : datesIn(upload).length === 0 &&
          suggestedFrom && { hint: () => t('inbox.date_hint', { words: suggestedFrom }) }),
    },
    // Of the item to renew, nothing else changes.
    ...(answer?.renews ? [] : others),
  ];
}

/** Renders the form to file an upload. Enter files it, and the next one follows. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { upload, hasNext, date, onDate, onTouched, onDone, answer } = props;
  const { id, version, filename, state, expirationItem, needsReview } = upload;
  const untouched = useRef<string | undefined>(undefined);
  const told = useRef(date);
  const isFiled = state === 'FILED' && expirationItem !== null;
  const firstName = isFiled ? expirationItem.name : nameOf(filename);
  const hasToNext = hasNext && (!isFiled || needsReview);
  return (
    <div class="filing">
      <Form
        fields={fieldsOf(upload, answer)}
        initial={{
          expirationDate: date,
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
        action={t(
          answer
            ? hasToNext
              ? 'requests.accept_next'
              : 'requests.accept'
            : hasToNext
              ? 'inbox.confirm_next'
              : isFiled
                ? 'common.save'
                : 'inbox.confirm',
        )}
        icon="check"
        send={({ name, expirationDate = null, holders, ...input }, _base, draft) =>
          request(ConfirmUpload, {
            id,
            ifVersion: version,
            input: {
              ...input,
              expirationDate: expirationDate as string | null,
              ...((isNewIn(upload, draft) || name !== firstName) && { name: name as string | undefined }),
              ...(((holders as readonly object[] | undefined)?.length || !(isFiled || takesTags(upload))) && {
                holders: holders as ConfirmUploadInput['holders'],
              }),
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
