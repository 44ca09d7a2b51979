import { useEffect, useRef, useState } from 'preact/hooks';
import { useUnkept } from '../../app/leaving';
import { caller, hasTeams } from '../../app/session';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { findCategories } from '../../data/options';
import { ConfirmUpload, ItemOptions } from '../../generated/operations/inbox';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { visibleName } from '../../i18n/names';
import { standardType } from '../../records/defaults';
import { Button } from '../../ui/button';
import { Combobox, type Option } from '../../ui/combobox';
import { SelectField, TextField } from '../../ui/field';
import { FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { datesIn, Found, foundFor, type OpenUpload } from './suggestions';

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
  readonly onDone: () => void;
}

/** Returns the date to begin with. A document to check has its most certain one. */
export function firstDateOf(upload: OpenUpload): string {
  const { expirationItem, needsReview, suggestedExpirationDate } = upload;
  const found = datesIn(upload)[0]?.value ?? suggestedExpirationDate ?? '';
  return needsReview ? found : (expirationItem?.expirationDate ?? found);
}

/** Renders the form to file an upload. Enter files it, and the next one follows. */
export function ConfirmForm({ upload, hasNext, date, onDate, onDone }: ConfirmFormProps) {
  const { id, version, filename, state, expirationItem, suggestedFrom, needsReview } = upload;
  const isFiled = state === 'FILED' && expirationItem !== null;
  const [item, setItem] = useState<Option>();
  const firstName = isFiled ? expirationItem.name : nameOf(filename);
  const [name, setName] = useState(firstName);
  const dates = datesIn(upload);
  const [category, setCategory] = useState<Option>();
  const [contact, setContact] = useState('');
  const [team, setTeam] = useState(upload.team?.id ?? caller.value?.me.team?.id ?? '');
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const isChanged =
    Boolean(item || category || contact) || date !== firstDateOf(upload) || name !== firstName;
  useUnkept(isChanged && !isBusy);
  const form = useRef<HTMLFormElement>(null);
  // Focus the date first, because it is what the file is about.
  useEffect(() => {
    const first = 'input[name="found-EXPIRATION_DATE"]:checked, input[type="date"]';
    form.current?.querySelector<HTMLElement>(first)?.focus();
  }, [id]);
  const hasToNext = hasNext && (!isFiled || needsReview);
  const isNew = !isFiled && !item;
  // An item that was filed by itself has the name of the file.
  const isNamed = isNew || (isFiled && needsReview);
  const tag = (name: string) => tagOf(upload.uploadTags, name);
  const wrong = (field: string) => fault?.violations.get(field);

  async function send() {
    if (isBusy) return;
    setBusy(true);
    const input = {
      expirationDate: date || null,
      ...(item && { expirationItemId: item.id }),
      ...(isNamed && (isNew || name !== firstName) && { name: name.trim() || null }),
      ...(isNew && hasTeams() && team && { teamId: team }),
      ...(category && { category: category.label }),
      ...(contact.trim() && { contactEmail: contact.trim() }),
    };
    const outcome = await request(ConfirmUpload, { id, ifVersion: version, input });
    setBusy(false);
    setFault(outcome.ok ? undefined : outcome.fault);
    if (!outcome.ok) return;
    const filed = outcome.data.confirmUpload?.expirationItem?.name ?? '';
    tell(t('inbox.filed', { file: filename ?? id, item: filed }));
    onDone();
  }
  return (
    <form
      ref={form}
      class="stack filing"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {fault && <FaultNote fault={fault} />}
      <Found legend={t('inbox.found')} found={dates} chosen={date} show={formatDay} onChoose={onDate} />
      <div class="form">
        <TextField
          label={t('inbox.expires')}
          isWide
          hint={dates.length === 0 && suggestedFrom && t('inbox.date_hint', { words: suggestedFrom })}
          wrong={wrong('expirationDate')}
          control={{ type: 'date' }}
          value={date}
          onInput={onDate}
        />
        {!isFiled && (
          <Combobox
            label={t('inbox.existing')}
            empty={t('inbox.existing_new')}
            wrong={wrong('expirationItemId')}
            isWide
            chosen={item ? [item] : []}
            onChange={([option]) => setItem(option)}
            find={findItems}
          />
        )}
        {isNamed && (
          <>
            <Found
              legend={t('inbox.found_names')}
              found={foundFor(upload, 'NAME')}
              chosen={name}
              onChoose={setName}
            />
            <TextField label={t('fields.name')} wrong={wrong('name')} isWide value={name} onInput={setName} />
          </>
        )}
        {(isNew || isFiled) && (
          <>
            <Found
              legend={t('inbox.found_types')}
              found={foundFor(upload, 'DOCUMENT_TYPE')}
              chosen={category?.label}
              onChoose={(value) => setCategory({ id: `found:${value}`, label: value })}
            />
            <Combobox
              label={t('fields.category')}
              wrong={wrong('category')}
              empty={
                isFiled
                  ? t('common.unchanged')
                  : t('common.if_empty', { value: tag('category') || standardType })
              }
              chosen={category ? [category] : []}
              onChange={([option]) => setCategory(option)}
              find={findCategories}
              create={(text) => ({ id: `new:${text}`, label: text })}
            />
            <Found
              legend={t('inbox.found_contacts')}
              found={foundFor(upload, 'CONTACT')}
              chosen={contact}
              onChoose={setContact}
            />
            <TextField
              label={t('inbox.contact')}
              wrong={wrong('contactEmail')}
              control={{
                type: 'email',
                autoComplete: 'off',
                placeholder:
                  isNew && tag('contact_email') ? t('common.if_empty', { value: tag('contact_email') }) : '',
              }}
              value={contact}
              onInput={setContact}
            />
          </>
        )}
        {isNew && hasTeams() && (
          <SelectField
            label={t('fields.team')}
            wrong={wrong('teamId')}
            value={team}
            onChange={setTeam}
            choices={(caller.value?.me.teams ?? []).map((one) => ({ value: one.id, label: one.name }))}
          />
        )}
      </div>
      <div class="line">
        <Button weight="first" type="submit" icon="check" isBusy={isBusy}>
          {t(hasToNext ? 'inbox.confirm_next' : isFiled ? 'common.save' : 'inbox.confirm')}
        </Button>
        {hasToNext && (
          <Button weight="bare" onClick={onDone}>
            {t('inbox.skip')}
          </Button>
        )}
      </div>
    </form>
  );
}
