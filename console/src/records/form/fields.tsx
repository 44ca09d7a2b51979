import { Fragment } from 'preact';
import { Unsent } from '../../app/unsent';
import type { RecordKind } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button, IconButton } from '../../ui/button';
import { Combobox, type Option } from '../../ui/combobox';
import { Check, Field, PasswordField, SelectField, TextArea, TextField } from '../../ui/field';
import { Card } from '../../ui/page';
import { labelOfField } from '../labels';
import { choiceText, type Draft, type FieldSpec } from '../record-type';
import { type CustomValue, newPrefix, rulesOf } from './draft';

/** Renders the custom fields: a name and a value in each row. */
function CustomFields({
  label,
  values,
  isNamesOnly,
  onChange,
}: {
  readonly label: string;
  readonly isNamesOnly: boolean;
  readonly values: readonly CustomValue[];
  readonly onChange: (values: readonly CustomValue[]) => void;
}) {
  const change = (at: number, changes: Partial<CustomValue>) =>
    onChange(values.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <fieldset class="wide ownfields">
      <legend class="label">{label}</legend>
      {values.map((row, at) => (
        <div class="ownfield" key={row.id ?? at}>
          <input
            class="input"
            aria-label={t('records.field_name')}
            placeholder={t('records.field_name')}
            value={row.name}
            onInput={({ currentTarget }) => change(at, { name: currentTarget.value })}
          />
          {!isNamesOnly && (
            <input
              class="input"
              aria-label={row.name || t('records.field_value')}
              placeholder={t('records.field_value')}
              value={row.value}
              onInput={({ currentTarget }) => change(at, { value: currentTarget.value })}
            />
          )}
          <IconButton
            icon="trash"
            label={t('common.remove', { name: row.name })}
            onClick={() => onChange(values.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon="plus" weight="bare" onClick={() => onChange([...values, { name: '', value: '' }])}>
        {t('records.add_field')}
      </Button>
    </fieldset>
  );
}

interface NamedValuesProps {
  readonly values: readonly CustomValue[];
  readonly violations: ReadonlyMap<string, string> | undefined;
  readonly onChange: (values: readonly CustomValue[]) => void;
}

/** Renders custom fields whose names are known: a field for each. */
function NamedValues({ values, violations, onChange }: NamedValuesProps) {
  // Only values that are filled in were sent.
  const sent = values.filter(({ value }) => value.trim());
  return (
    <>
      {values.map((field) => (
        <TextField
          key={field.id}
          label={field.name}
          wrong={violations?.get(`customFields.${sent.indexOf(field)}.value`)}
          value={field.value}
          onInput={(value) =>
            onChange(values.map((other) => (other.id === field.id ? { ...field, value } : other)))
          }
        />
      ))}
    </>
  );
}

/** Returns the option of a record to be created. */
const newOption = (text: string): Option => ({
  id: `${newPrefix}${text}`,
  label: text,
  detail: t('common.new'),
});

/** Finds the error of a field, or the first one inside it. */
function wrongOf(violations: ReadonlyMap<string, string> | undefined, name: string): string | undefined {
  if (!violations) return undefined;
  const inner = [...violations].find(([path]) => path.startsWith(`${name}.`));
  return violations.get(name) ?? inner?.[1];
}

interface FormFieldProps<Row> {
  readonly kind: RecordKind | undefined;
  readonly field: FieldSpec<Row>;
  /** The record as it was when the form was opened; undefined for a new one. */
  readonly row: Row | undefined;
  readonly draft: Draft;
  readonly violations: ReadonlyMap<string, string> | undefined;
  readonly onChange: (value: unknown) => void;
}

function FormField<Row>({ kind, field, row, draft, violations, onChange }: FormFieldProps<Row>) {
  const value = draft[field.name];
  const wrong = wrongOf(violations, field.name);
  const props = {
    label: labelOfField(kind, field),
    hint: typeof field.hint === 'function' ? field.hint(draft) : field.hint && t(field.hint),
    wrong,
    ...(field.isWide && { isWide: true }),
  };
  switch (field.type) {
    case 'record': {
      const chosen = value as Option | undefined;
      return (
        <Combobox
          {...props}
          chosen={chosen ? [chosen] : []}
          onChange={([option]) => onChange(option)}
          find={field.find}
          {...(field.isOpen && { create: newOption })}
          empty={field.otherwise?.(row, draft) ?? (field.empty && t(field.empty))}
        />
      );
    }
    case 'records':
      return (
        <Combobox
          {...props}
          isMany
          chosen={value as readonly Option[]}
          onChange={onChange}
          find={field.find}
          {...(field.isOpen && { create: newOption })}
        />
      );
    case 'files':
      return (
        <Field {...props}>
          {(control) => (
            <input
              class="input"
              {...control}
              type="file"
              multiple
              onChange={({ currentTarget }) => onChange([...(currentTarget.files ?? [])])}
            />
          )}
        </Field>
      );
    case 'own':
      return (
        <field.Editor
          label={props.label}
          value={value}
          violations={violations}
          onChange={onChange}
          draft={draft}
        />
      );
    case 'check':
      return (
        <div class={field.isWide ? 'wide' : undefined}>
          <Check label={props.label} checked={value === true} onChange={onChange} />
          {props.hint && <p class="soft small">{props.hint}</p>}
        </div>
      );
    case 'custom': {
      const values = value as readonly CustomValue[];
      if (field.isValuesOnly) {
        return <NamedValues values={values} violations={violations} onChange={onChange} />;
      }
      return (
        <CustomFields
          label={props.label}
          isNamesOnly={field.isNamesOnly ?? false}
          values={values}
          onChange={onChange}
        />
      );
    }
    case 'choice':
      return (
        <SelectField
          {...props}
          value={String(value ?? '')}
          onChange={onChange}
          choices={[
            ...(field.isNeeded ? [] : [{ value: '', label: t('common.none') }]),
            ...field.choices.map((choice) => ({ value: choice.value, label: choiceText(choice) })),
          ]}
        />
      );
    case 'choices': {
      const chosen = value as readonly string[];
      const inOrder = (one: string) => field.choices.findIndex(({ value: known }) => known === one);
      const toggle = (one: string, isOn: boolean) =>
        onChange(
          isOn
            ? [...chosen, one].toSorted((a, b) => inOrder(a) - inOrder(b))
            : chosen.filter((other) => other !== one),
        );
      return (
        <fieldset class="wide choices">
          <legend class="label">{props.label}</legend>
          {field.choices.map((choice) => (
            <Check
              key={choice.value}
              label={choiceText(choice)}
              checked={chosen.includes(choice.value)}
              onChange={(isOn) => toggle(choice.value, isOn)}
            />
          ))}
          {wrong && (
            <p class="wrong" role="alert">
              {wrong}
            </p>
          )}
        </fieldset>
      );
    }
    case 'password':
      return (
        <PasswordField
          {...props}
          autoComplete={field.autoComplete}
          value={String(value ?? '')}
          onInput={onChange}
        />
      );
    case 'area':
      return <TextArea {...props} isWide value={String(value ?? '')} onInput={onChange} />;
    case 'number':
      return (
        <TextField
          {...props}
          control={{ type: 'number', inputMode: 'numeric', ...field.control }}
          value={String(value ?? '')}
          onInput={onChange}
        />
      );
    default:
      return (
        <TextField
          {...props}
          control={{
            ...(field.type !== 'text' && { type: field.type }),
            ...(rulesOf(kind, field).required && { required: true }),
            ...field.control,
          }}
          value={String(value ?? '')}
          onInput={onChange}
        />
      );
  }
}

interface FieldsProps<Row> {
  readonly kind: RecordKind | undefined;
  readonly fields: readonly FieldSpec<Row>[];
  readonly row: Row | undefined;
  readonly draft: Draft;
  readonly violations: ReadonlyMap<string, string> | undefined;
  readonly onChange: (changes: Draft) => void;
}

/** Returns the workspace that a form is about, if that is one of its fields. */
const teamIn = ({ teamId }: Draft) => (teamId as Option | undefined)?.id;

function FieldGrid<Row>({ fields, draft, onChange, ...props }: FieldsProps<Row>) {
  return (
    <div class="form">
      {fields.map((field) => {
        const { name, isReminding, above } = field;
        const change = (value: unknown) => onChange({ [name]: value });
        const drawn = (
          <Fragment key={name}>
            {above?.(draft[name], change)}
            <FormField {...props} field={field} draft={draft} onChange={change} />
          </Fragment>
        );
        if (!(typeof isReminding === 'function' ? isReminding(draft) : isReminding)) return drawn;
        return (
          <div key={name} class="stack tight">
            {drawn}
            <Unsent teamId={teamIn(draft)} isSmall />
          </div>
        );
      })}
    </div>
  );
}

/** Renders the fields of a form, each with its error, in their cards. */
export function Fields<Row>({ fields, ...props }: FieldsProps<Row>) {
  const sections = [...new Set(fields.map(({ section }) => section))];
  return (
    <>
      {sections.map((section) => {
        const own = fields.filter((field) => field.section === section);
        const grid = <FieldGrid key={section ?? ''} {...props} fields={own} />;
        if (!section) return grid;
        return (
          <Card key={section} title={t(section)}>
            {grid}
          </Card>
        );
      })}
    </>
  );
}
