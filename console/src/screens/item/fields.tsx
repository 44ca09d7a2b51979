import type { ComponentChildren } from 'preact';
import { hasTeams } from '../../app/session';
import {
  findCategories,
  findContacts,
  findLocations,
  findPolicies,
  findTags,
  findTeams,
  findUsers,
} from '../../data/options';
import { t } from '../../i18n/i18n';
import { Combobox, type Option } from '../../ui/combobox';
import { Check, TextArea, TextField } from '../../ui/field';
import { Card } from '../../ui/page';
import { type Draft, newPrefix } from './draft';

const newOption = (text: string): Option => ({
  id: `${newPrefix}${text}`,
  label: text,
  detail: t('common.new'),
});

/** Properties of a part of the form. */
interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  /** Finds the mistake of a field. */
  readonly wrong: (name: string) => string | undefined;
}

function WhatFields({ draft, onChange, wrong }: FieldsProps) {
  return (
    <Card title={t('item.what')}>
      <div class="form">
        <TextField
          label={t('items.name')}
          isWide
          wrong={wrong('name')}
          value={draft.name}
          onInput={(name) => onChange({ name })}
          control={{ required: true, maxLength: 255 }}
        />
        <Combobox
          label={t('items.type')}
          wrong={wrong('category') ?? wrong('category.id')}
          find={findCategories}
          chosen={draft.category}
          onChange={(category) => onChange({ category })}
        />
        <TextField
          label={t('items.expires')}
          wrong={wrong('expirationDate')}
          value={draft.expirationDate}
          onInput={(expirationDate) => onChange({ expirationDate })}
          control={{ type: 'date', required: true }}
        />
        {draft.fields.map((field, at) => (
          <TextField
            key={field.id}
            label={field.name}
            wrong={wrong(`customFields.${at}.value`)}
            value={field.value}
            onInput={(value) =>
              onChange({
                fields: draft.fields.map((other) => (other.id === field.id ? { ...field, value } : other)),
              })
            }
          />
        ))}
      </div>
    </Card>
  );
}

function WhoFields({ draft, onChange, wrong }: FieldsProps) {
  return (
    <Card title={t('item.who_where')}>
      <div class="form">
        <Combobox
          label={t('item.main_contact')}
          wrong={wrong('contactId')}
          find={findContacts}
          chosen={draft.contact}
          onChange={(contact) => onChange({ contact })}
        />
        <Combobox
          label={t('items.assigned')}
          wrong={wrong('assignedTo.id')}
          find={findUsers}
          chosen={draft.assignedTo}
          onChange={(assignedTo) => onChange({ assignedTo })}
        />
        <Combobox
          label={t('item.contacts')}
          isMany
          wrong={wrong('contacts')}
          find={findContacts}
          chosen={draft.contacts}
          onChange={(contacts) => onChange({ contacts })}
        />
        <Combobox
          label={t('item.locations')}
          isMany
          wrong={wrong('locations')}
          find={findLocations}
          chosen={draft.locations}
          onChange={(locations) => onChange({ locations })}
        />
        <Combobox
          label={t('item.tags')}
          isMany
          wrong={wrong('tags')}
          find={findTags}
          create={newOption}
          chosen={draft.tags}
          onChange={(tags) => onChange({ tags })}
        />
        {hasTeams() && (
          <Combobox
            label={t('items.team')}
            wrong={wrong('teamId')}
            find={findTeams}
            chosen={draft.team}
            onChange={(team) => onChange({ team })}
          />
        )}
      </div>
    </Card>
  );
}

/** Draws what expires, whom it is about and where. */
export function ItemFields(props: FieldsProps) {
  return (
    <>
      <WhatFields {...props} />
      <WhoFields {...props} />
    </>
  );
}

/** Draws the fields that few items need. */
export function MoreFields({
  draft,
  onChange,
  wrong,
  children,
}: FieldsProps & { readonly children: ComponentChildren }) {
  return (
    <Card title={t('item.more')}>
      <div class="form">
        <div class="wide">
          <TextArea
            label={t('item.details')}
            wrong={wrong('details')}
            value={draft.details}
            onInput={(details) => onChange({ details })}
          />
        </div>
        <TextField
          label={t('item.time')}
          hint={t('item.time_hint')}
          wrong={wrong('timeOfDay')}
          value={draft.timeOfDay}
          onInput={(timeOfDay) => onChange({ timeOfDay })}
          control={{ type: 'time' }}
        />
        <Combobox
          label={t('item.policy')}
          hint={t('item.policy_hint')}
          wrong={wrong('reminderPolicyId')}
          find={findPolicies}
          chosen={draft.policy}
          onChange={(policy) => onChange({ policy })}
        />
        {children}
        <div class="wide">
          <Check
            label={t('item.is_missing')}
            checked={draft.isMissing}
            onChange={(isMissing) => onChange({ isMissing })}
          />
          <Check
            label={t('item.is_silent')}
            checked={draft.isSilent}
            onChange={(isSilent) => onChange({ isSilent })}
          />
        </div>
      </div>
    </Card>
  );
}
