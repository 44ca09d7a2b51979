import type { ComponentChildren } from 'preact';
import { hasTeams } from '../../app/session';
import { Unsent } from '../../app/unsent';
import {
  findCategories,
  findContacts,
  findLocations,
  findPolicies,
  findTags,
  findTeams,
  findUsers,
} from '../../data/options';
import { unsentReason } from '../../data/reminding';
import { t } from '../../i18n/i18n';
import { type InheritedPolicy, policyOfTeam, standardType, teamOf } from '../../records/defaults';
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
  /** Returns the error of a field. */
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
          label={t('fields.category')}
          wrong={wrong('category') ?? wrong('category.id')}
          empty={t('common.if_empty', { value: standardType })}
          find={findCategories}
          chosen={draft.category}
          onChange={(category) => onChange({ category })}
        />
        <TextField
          label={t('fields.expirationDate')}
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
          label={t('fields.contact')}
          wrong={wrong('contactId')}
          empty={t('common.nobody')}
          find={findContacts}
          chosen={draft.contact}
          onChange={(contact) => onChange({ contact })}
        />
        <Combobox
          label={t('fields.assignedTo')}
          wrong={wrong('assignedTo.id')}
          empty={t('common.nobody')}
          find={findUsers}
          chosen={draft.assignedTo}
          onChange={(assignedTo) => onChange({ assignedTo })}
        />
        <Combobox
          label={t('fields.contacts')}
          isMany
          wrong={wrong('contacts')}
          find={findContacts}
          chosen={draft.contacts}
          onChange={(contacts) => onChange({ contacts })}
        />
        <Combobox
          label={t('fields.locations')}
          isMany
          wrong={wrong('locations')}
          find={findLocations}
          chosen={draft.locations}
          onChange={(locations) => onChange({ locations })}
        />
        <Combobox
          label={t('fields.tags')}
          isMany
          wrong={wrong('tags')}
          find={findTags}
          create={newOption}
          chosen={draft.tags}
          onChange={(tags) => onChange({ tags })}
        />
        {hasTeams() && (
          <Combobox
            label={t('fields.team')}
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

/** Renders what expires, whom it is about and where. */
export function ItemFields(props: FieldsProps) {
  return (
    <>
      <WhatFields {...props} />
      <WhoFields {...props} />
    </>
  );
}

interface MoreProps extends FieldsProps {
  /** The reminders of the item's document type, if it has any. */
  readonly typePolicy: InheritedPolicy | null | undefined;
  readonly children: ComponentChildren;
}

/** Renders the fields that few items need. */
export function MoreFields({ draft, onChange, wrong, typePolicy, children }: MoreProps) {
  const teamId = draft.team[0]?.id;
  const inherited = typePolicy ?? teamOf(teamId)?.reminderPolicy;
  const time = draft.policy.length === 0 && inherited?.timeOfDay.slice(0, 5);
  return (
    <Card title={t('item.more')}>
      <div class="form">
        <div class="wide">
          <TextArea
            label={t('fields.details')}
            wrong={wrong('details')}
            value={draft.details}
            onInput={(details) => onChange({ details })}
          />
        </div>
        <TextField
          label={t('fields.EXPIRATION_ITEM_timeOfDay')}
          hint={time ? t('item.time_hint', { value: time }) : t('item.time_hint_any')}
          wrong={wrong('timeOfDay')}
          value={draft.timeOfDay}
          onInput={(timeOfDay) => onChange({ timeOfDay })}
          control={{ type: 'time' }}
        />
        <Combobox
          label={t('item.policy')}
          empty={typePolicy ? t('common.as_type', { value: typePolicy.name }) : policyOfTeam(teamId)}
          wrong={wrong('reminderPolicyId')}
          find={findPolicies}
          chosen={draft.policy}
          onChange={(policy) => onChange({ policy })}
        />
        {!draft.isSilent && unsentReason(teamId) && (
          <div class="wide">
            <Unsent teamId={teamId} isSmall />
          </div>
        )}
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
